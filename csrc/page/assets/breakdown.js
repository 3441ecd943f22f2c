// The picture's figures: a line for each stage and operator, the largest first.
const LINES_AT_FIRST = 12;
let allLines = false;

const anyUnknown = () => totalsOnce(view.weight).unknown > 0;

function breakdownLine([, rows], largest) {
  const {stage, op} = rows[0];
  const sums = totals(rows, view.weight);
  const text = WEIGHTS[view.weight].text;
  const bar = statusBar(sums);
  bar.style.width = `${Math.max(1, 100 * sums.all / largest)}%`;
  const unknown = sums.unknown === 0 ? "" : counted(sums.unknown, "signature");
  return make("tr", {},
    make("th", {scope: "row"}, make("button", {type: "button", class: "link", click: () => show({stage, op})},
      `${stageName(stage)} · ${opName(op)}`)),
    make("td", {class: "bars"}, sums.all > 0 ? bar : null),
    make("td", {class: "number"}, text(sums.all)),
    make("td", {class: "number"}, DATA.compared ? percent(sums.covered, sums.all) : "-"),
    anyUnknown() ? make("td", {class: "number unknown"}, unknown) : null);
}

function drawBreakdown() {
  const groups = [...groupedBy(ROWS.filter((row) => row.status !== "none"), (row) => `${row.stage}\n${row.op}`)]
    .map((group) => ({group, all: totals(group[1], view.weight).all})).sort((a, b) => b.all - a.all);
  const shown = allLines ? groups : groups.slice(0, LINES_AT_FIRST);
  const largest = groups.length ? groups[0].all || 1 : 1;
  const title = (text, style) => make("th", {scope: "col", class: style}, text);
  const all = totals(ROWS, view.weight);
  byId("breakdown").replaceChildren(make("table", {},
    make("thead", {}, make("tr", {}, title("Stage · operator"), title("", "bars"), title(WEIGHTS[view.weight].label, "number"),
      title("Covered", "number"), anyUnknown() ? title("Unknown", "number unknown") : null)),
    make("tbody", {}, ...shown.map(({group}) => breakdownLine(group, largest))),
    make("tfoot", {}, make("tr", {}, make("th", {scope: "row"}, "Total"), make("td", {class: "bars"}),
      make("td", {class: "number"}, WEIGHTS[view.weight].text(all.all)),
      make("td", {class: "number"}, DATA.compared ? percent(all.covered, all.all) : "-"),
      anyUnknown() ? make("td", {class: "number unknown"}, counted(all.unknown, "signature")) : null))));
  if (groups.length > shown.length) {
    byId("breakdown").append(make("button", {type: "button", class: "link", click: () => {
      allLines = true;
      drawBreakdown();
    }}, `Show all ${grouped(groups.length)}`));
  }
}
