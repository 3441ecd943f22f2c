// What is shown at the moment. Parts of the page say what they redraw when it changes.
const SHOWN_AT_FIRST = ["covered", "near", "far", "open"];

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

const unfiltered = () => ({search: "", statuses: new Set(SHOWN_AT_FIRST), stage: null, op: null, rows: null});

// From elsewhere in the page to the table, with this filter alone.
function show(what) {
  change({...unfiltered(), ...what});
  byId("signatures").scrollIntoView({block: "start"});
}

const anyStatus = () =>
  view.statuses.size === SHOWN_AT_FIRST.length && SHOWN_AT_FIRST.every((status) => view.statuses.has(status));

// What is filtered by at the moment: {text, without: the change that ends it}.
function activeFilters() {
  const active = [];
  if (view.search.trim() !== "") active.push({text: `“${view.search.trim()}”`, without: {search: ""}});
  if (!anyStatus())
    active.push({text: [...view.statuses].map((status) => STATUSES[status].label).join(" or "), without: {statuses: new Set(SHOWN_AT_FIRST)}});
  if (view.stage !== null) active.push({text: `stage ${stageName(view.stage)}`, without: {stage: null}});
  if (view.op !== null) active.push({text: `operator ${opName(view.op)}`, without: {op: null}});
  if (view.rows !== null) active.push({text: view.rows.label, without: {rows: null}});
  return active;
}

function haystack(row) {
  row.haystack ??= [row.call, row.op, row.op.replace(".", "::"), row.stage, row.digest, ...row.input_names,
                    row.nearest ? row.nearest.name : "",
                    ...(row.where || []).flatMap(placeLines)].join("\n").toLowerCase();
  return row.haystack;
}

// What passes the filters but that by status.
function foundOfAnyStatus() {
  const words = view.search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return ROWS.filter((row) =>
    (view.stage === null || row.stage === view.stage) && (view.op === null || row.op === view.op) &&
    (view.rows === null || view.rows.set.has(row)) &&
    words.every((word) => haystack(row).includes(word)));
}

const foundRows = () => foundOfAnyStatus().filter((row) => view.statuses.has(row.status));
