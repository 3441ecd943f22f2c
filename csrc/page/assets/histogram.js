// Calls by size of a fold's rows, in the statuses' colours.
function sizeBins(line, most) {
  const size = (row) => line.fold.size_of.get(row);
  const [least, largest] = d3.extent(line.rows, size);
  // Few sizes have a bar each, however far apart they are.
  const sizes = groupedBy(line.rows, size);
  if (sizes.size <= most / 2)
    return [...sizes].map(([of, rows]) => ({from: of, to: of, rows, calls: d3.sum(rows, (row) => row.calls)}));
  const wide = Math.max(1, Math.ceil((largest - least + 1) / most));
  const bins = Array.from({length: Math.ceil((largest - least + 1) / wide)}, (_, i) =>
    ({from: least + i * wide, to: Math.min(largest, least + (i + 1) * wide - 1), rows: []}));
  for (const row of line.rows) bins[Math.floor((size(row) - least) / wide)].rows.push(row);
  for (const bin of bins) bin.calls = d3.sum(bin.rows, (row) => row.calls);
  return bins;
}

function binBars(bins, width, height) {
  const x = d3.scaleBand(d3.range(bins.length), [0, width]).padding(bins.length > 40 ? 0 : 0.1);
  const y = d3.scaleLinear([0, d3.max(bins, (bin) => bin.calls) || 1], [0, height]);
  const bars = [];
  bins.forEach((bin, i) => {
    let below = height;
    for (const status of STATUS_ORDER) {
      const calls = d3.sum(bin.rows.filter((row) => row.status === status), (row) => row.calls);
      if (calls === 0) continue;
      const high = Math.max(1, y(calls));
      below -= high;
      bars.push(make("rect", {class: status, x: x(i), y: below, width: Math.max(1, x.bandwidth()), height: high}));
    }
  });
  return bars;
}

function smallHistogram(line) {
  const [width, height] = [64, 14];
  return make("svg", {class: "histogram", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"},
    ...binBars(sizeBins(line, 32), width, height));
}

function histogram(line) {
  const [width, height] = [340, 90];
  const bins = sizeBins(line, 40);
  const busiest = bins.reduce((most, bin) => bin.calls > most.calls ? bin : most);
  const span = (bin) => bin.from === bin.to ? grouped(bin.from) : `${grouped(bin.from)}-${grouped(bin.to)}`;
  return make("figure", {},
    make("svg", {class: "histogram", viewBox: `0 0 ${width} ${height + 16}`, role: "img",
                 "aria-label": `Calls by N, most at ${span(busiest)}: ${grouped(busiest.calls)}`},
      ...binBars(bins, width, height),
      make("line", {x1: 0, x2: width, y1: height, y2: height}),
      make("text", {x: 0, y: height + 13}, grouped(bins[0].from)),
      make("text", {x: width, y: height + 13, "text-anchor": "end"}, grouped(bins[bins.length - 1].to))),
    make("figcaption", {}, `Calls by N; most at ${span(busiest)}, ${counted(busiest.calls, "call")}`));
}
