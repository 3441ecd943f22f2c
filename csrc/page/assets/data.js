// The finished report, as page_data.cc wrote it, with what the page derives from it.
const DATA = JSON.parse(byId("data").textContent);
byId("data").textContent = "";  // half of what the page would hold in memory

const STATUSES = {
  covered: {label: "covered", mark: "●", says: "a profiled input has the same structure"},
  near: {label: "near miss", mark: "◐", says: "an input was profiled that differs in sizes or values alone: same " +
         "operator, dtypes, number of dimensions and layouts"},
  far: {label: "nothing near", mark: "○", says: "no profiled input comes near: other dtypes, number of dimensions or " +
        "layouts, or another operator"},
  open: {label: "not compared", mark: "·", says: "no profiled inputs were given"},
  none: {label: "no kernel", mark: "–", says: "every call gave its input back unchanged: there is nothing to profile"},
};

function statusOf(row) {
  if (row.returns_input) return "none";
  if (row.inputs) return "covered";
  if (!DATA.compared) return "open";
  return row.nearest && row.nearest.in_sizes_alone ? "near" : "far";
}

const ROWS = DATA.rows;
ROWS.forEach((row, index) => {
  row.index = index;
  row.stage = DATA.texts.stages[row.stage];
  row.op = DATA.texts.ops[row.op];
  row.status = statusOf(row);
  row.input_names = (row.inputs || []).map((place) => DATA.texts.inputs[place]);
  if (row.nearest) row.nearest.name = DATA.texts.inputs[row.nearest.input];
});
for (const fold of DATA.folds) {
  fold.size_of = new Map(fold.rows.map((place, i) => [ROWS[place], fold.sizes[i]]));
  fold.rows.forEach((place) => { ROWS[place].fold = fold; });
}

// What work is measured in. Nothing says that a call of twice the FLOPs takes twice the time.
const WEIGHTS = {
  signatures: {label: "Signatures", noun: "signatures", of: () => 1, text: (n) => counted(n, "signature")},
  calls: {label: "Calls", noun: "calls", of: (row) => row.calls, text: (n) => counted(n, "call")},
  flops: {label: "FLOPs", noun: "FLOPs", of: (row) => row.flops === undefined ? null : row.flops * row.calls,
          text: (n) => `${short(n)}FLOP`.replace(/(\d)F/, "$1 F")},
  bytes: {label: "Bytes", noun: "bytes", of: (row) => row.bytes === undefined ? null : row.bytes * row.calls,
          text: (n) => `${short(n)}B`.replace(/(\d)B/, "$1 B")},
};

// {all, covered, near, far, open, unknown: rows without a weight}; rows that ran no kernel are no work.
function totals(rows, weight) {
  const sums = {all: 0, covered: 0, near: 0, far: 0, open: 0, unknown: 0, unknown_calls: 0};
  for (const row of rows) {
    if (row.status === "none") continue;
    const amount = WEIGHTS[weight].of(row);
    if (amount === null) {
      sums.unknown += 1;
      sums.unknown_calls += row.calls;
      continue;
    }
    sums.all += amount;
    sums[row.status] += amount;
  }
  return sums;
}

// Rows in lists by what `key` says of them.
function groupedBy(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const of = key(row);
    if (groups.has(of)) groups.get(of).push(row);
    else groups.set(of, [row]);
  }
  return groups;
}
