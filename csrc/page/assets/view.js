// What is shown at the moment. Parts of the page say what they redraw when it changes.
const SHOWN_AT_FIRST = ["covered", "near", "uncovered", "open"];

const view = {
  weight: "calls",
  search: "",
  statuses: new Set(SHOWN_AT_FIRST),
  stage: null,
  op: null,
  rows: null,  // {label, set}: some rows alone, chosen elsewhere in the page
  fold: true,
  sort: {key: "weight", down: true},
  chosen: null,       // a row or a fold
  unfolded: new Set(),
};

const redraws = [];
const onChange = (redraw) => redraws.push(redraw);

function change(what) {
  Object.assign(view, what);
  for (const redraw of redraws) redraw(what);
}

// From elsewhere in the page to the table, with this filter alone.
function show(what) {
  change({search: "", statuses: new Set(SHOWN_AT_FIRST), stage: null, op: null, rows: null, ...what});
  byId("signatures").scrollIntoView({block: "start"});
}

const isFiltered = () =>
  view.search !== "" || view.stage !== null || view.op !== null || view.rows !== null ||
  view.statuses.size !== SHOWN_AT_FIRST.length || SHOWN_AT_FIRST.some((status) => !view.statuses.has(status));

function haystack(row) {
  row.haystack ??= [row.call, row.op, row.op.replace(".", "::"), row.stage, row.digest, ...row.input_names,
                    row.nearest ? row.nearest.name : ""].join("\n").toLowerCase();
  return row.haystack;
}

function foundRows() {
  const words = view.search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return ROWS.filter((row) =>
    view.statuses.has(row.status) && (view.stage === null || row.stage === view.stage) &&
    (view.op === null || row.op === view.op) && (view.rows === null || view.rows.set.has(row)) &&
    words.every((word) => haystack(row).includes(word)));
}
