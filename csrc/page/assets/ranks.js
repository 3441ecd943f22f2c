// How calls spread over the ranks: the small picture of a row, and the view of rows that ranks share unequally.
const MOST_BARS = 48;

const RANKS = DATA.facts.rank_runs.flatMap(([first, last]) =>
  Array.from({length: last - first + 1}, (_, i) => first + i));

const RANK_PLACES = new Map(RANKS.map((rank, i) => [rank, i]));

// Calls by rank, in the order of RANKS. Runs are added at their ends, so that thousands of ranks cost nothing.
function callsByRank(rows) {
  const steps = new Array(RANKS.length + 1).fill(0);
  for (const row of rows) {
    for (const [first, last, count] of row.ranks.runs) {
      steps[RANK_PLACES.get(first)] += count;
      steps[RANK_PLACES.get(last) + 1] -= count;
    }
  }
  let sum = 0;
  return steps.slice(0, -1).map((step) => Math.round((sum += step) * 1e6) / 1e6);  // means are no whole numbers
}

// Neighbours together where there are more than can be drawn: their mean.
function binned(calls) {
  const size = Math.ceil(calls.length / MOST_BARS);
  if (size <= 1) return calls;
  return Array.from({length: Math.ceil(calls.length / size)}, (_, i) => d3.mean(calls.slice(i * size, (i + 1) * size)));
}

function spreadText(calls) {
  const [least, most] = d3.extent(calls);
  const idle = calls.filter((count) => count === 0).length;
  if (calls.length === 1) return `rank ${RANKS[0]}: ${grouped(calls[0])}`;
  if (least === most) return `each of ${grouped(calls.length)} ranks: ${grouped(least)}`;
  return `${grouped(calls.length - idle)} of ${grouped(calls.length)} ranks, ${grouped(d3.min(calls.filter((c) => c > 0)))} to ${grouped(most)} calls`;
}

function rankBars(rows, width = 96, height = 24) {
  const calls = callsByRank(rows);
  const bars = binned(calls);
  const y = d3.scaleLinear([0, d3.max(bars) || 1], [0, height]);
  const step = width / bars.length;
  const svg = make("svg", {class: "rank-bars", width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
                           "aria-label": `Calls by rank: ${spreadText(calls)}`});
  bars.forEach((count, i) => svg.append(make("rect", {
    class: count === 0 ? "idle" : "busy", x: i * step, width: Math.max(1, step - (step > 12 ? 3 : step > 3 ? 1 : 0)),
    y: count === 0 ? height - 2 : height - Math.max(1, y(count)), height: count === 0 ? 2 : Math.max(1, y(count)),
  })));
  return svg;
}

// "all", "unequal", or the ranks that alone run the row.
function patternOf(row) {
  const {count, min, max, runs} = row.ranks;
  if (count === RANKS.length) return min === max ? "all" : "unequal";
  const shown = runs.slice(0, 8).map(([first, last]) => first === last ? String(first) : `${first}-${last}`).join(", ");
  return `${count === 1 ? "rank" : "ranks"} ${shown}${runs.length > 8 ? `, ... (${grouped(count)})` : ""} only`;
}

function patternLine(pattern, rows) {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const where = [...groupedBy(rows, (row) => `${stageName(row.stage)} · ${opName(row.op)}`)];
  const named = where.slice(0, 3).map(([name, group]) => `${name} (${grouped(group.length)})`).join(", ");
  const label = pattern === "unequal" ? "all ranks, unequally often" : pattern;
  return make("tr", {},
    make("th", {scope: "row"}, label),
    make("td", {class: "number"}, grouped(rows.length)),
    make("td", {class: "number"}, grouped(calls)),
    make("td", {}, rankBars(rows)),
    make("td", {}, named + (where.length > 3 ? ` and ${where.length - 3} more` : "")),
    make("td", {}, make("button", {type: "button", class: "link", click: () => show({
      rows: {label, set: new Set(rows)}, statuses: new Set([...SHOWN_AT_FIRST, ...rows.map((row) => row.status)]), sort: {key: "ranks", down: true}})}, "Show")));
}

function drawRanks() {
  const section = byId("ranks");
  if (RANKS.length === 1) {
    section.append(make("p", {id: "ranks-text"}, `The records are of rank ${RANKS[0]} alone.`));
    return;
  }
  const patterns = groupedBy(ROWS, patternOf);
  const apart = [...patterns].filter(([pattern]) => pattern !== "all").sort((a, b) => b[1].length - a[1].length);
  const equal = (patterns.get("all") || []).length;
  section.append(
    make("p", {id: "ranks-text"}, `${grouped(equal)} of ${counted(ROWS.length, "signature")} run equally often on each of ` +
      `${grouped(RANKS.length)} ranks. Calls of all signatures, rank by rank:`),
    rankBars(ROWS, 320, 48));
  if (apart.length === 0) return;
  const title = (text, style) => make("th", {scope: "col", class: style}, text);
  section.append(make("div", {class: "wide"}, make("table", {id: "patterns"},
    make("thead", {}, make("tr", {}, title("Run by"), title("Signatures", "number"), title("Calls", "number"),
      title("By rank"), title("Which"), title(""))),
    make("tbody", {}, ...apart.slice(0, 50).map(([pattern, rows]) => patternLine(pattern, rows))))));
  if (apart.length > 50)
    section.append(make("p", {class: "note"}, `and ${grouped(apart.length - 50)} more sets of ranks`));
}
