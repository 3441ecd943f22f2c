// The table's lines: rows that passed the filters, those of one fold as one line, in the order that was asked for.
const STATUS_ORDER = Object.keys(STATUSES);

// A line is a row or a fold of some: {fold, rows}.
const rowsOf = (line) => line.rows ?? [line];
const isFold = (line) => line.rows !== undefined;

const SORTS = {
  weight: {label: "Measure", of: (line) => weightOfLine(line, view.weight) ?? -1},
  calls: {label: "Calls", of: (line) => weightOfLine(line, "calls")},
  status: {label: "Status", of: (line) => -Math.min(...rowsOf(line).map((row) => STATUS_ORDER.indexOf(row.status)))},
  call: {label: "Signature", text: (line) => isFold(line) ? line.fold.call : line.call},
  ranks: {label: "Imbalance", of: (line) => d3.max(rowsOf(line), imbalance)},
};

// How much more than its mean the busiest rank has, ranks without calls counted.
const imbalance = (row) => row.ranks.max * RANKS.length / row.calls;

// Of the rows whose weight is known; null where none's is.
function weightOfLine(line, weight) {
  let sum = null;
  for (const row of rowsOf(line)) {
    const amount = WEIGHTS[weight].of(row);
    if (amount !== null) sum = (sum ?? 0) + amount;
  }
  return sum;
}

function folded(rows) {
  if (!view.fold) return rows;
  const found = groupedBy(rows, (row) => row.fold ?? null);
  const lines = [...(found.get(null) || [])];
  for (const [fold, members] of found) {
    if (fold === null) continue;
    // Of a fold whose other rows were filtered out the row itself is left.
    if (members.length === 1) lines.push(members[0]);
    else lines.push({fold, rows: members.sort((a, b) => fold.size_of.get(a) - fold.size_of.get(b))});
  }
  return lines;
}

function sorted(lines) {
  const {key, down} = view.sort;
  const {of, text} = SORTS[key];
  const sign = down ? -1 : 1;
  const calls = (line) => weightOfLine(line, "calls");
  const keyed = lines.map((line) => ({line, key: text ? text(line) : of(line), calls: calls(line), index: rowsOf(line)[0].index}));
  const order = (a, b) => a.key < b.key ? -sign : a.key > b.key ? sign : b.calls - a.calls || a.index - b.index;
  return keyed.sort(order).map((entry) => entry.line);
}

// What the table shows line by line: {line, member: of an unfolded one}.
function shownLines(rows) {
  const shown = [];
  for (const line of sorted(folded(rows))) {
    shown.push({line, member: false});
    if (isFold(line) && view.unfolded.has(line.fold))
      for (const row of line.rows) shown.push({line: row, member: true});
  }
  return shown;
}
