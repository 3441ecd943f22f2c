// One line of the table as an element.
function statusMark(line) {
  const statuses = new Set(rowsOf(line).map((row) => row.status));
  const [status] = statuses.size === 1 ? statuses : [null];
  if (status !== null)
    return make("span", {class: `mark ${status}`, title: STATUSES[status].label, role: "img", "aria-label": STATUSES[status].label}, STATUSES[status].mark);
  const covered = line.rows.filter((row) => row.status === "covered").length;
  const label = `${grouped(covered)} of ${grouped(line.rows.length)} covered`;
  return make("span", {class: "mark mixed", title: label, role: "img", "aria-label": label}, "◑");
}

function becauseText(row) {
  if (row.status === "covered") return `covered by ${row.input_names[0]}${row.inputs_count > 1 ? ` and ${grouped(row.inputs_count - 1)} more` : ""}`;
  if (row.status === "none") return "gave its input back: no kernel ran";
  if (row.status === "open") return "";
  if (!row.nearest) return "no profiled input of this operator";
  const [first] = row.nearest.differences;
  const more = row.nearest.differences_count - 1;
  return `${first}${more > 0 ? `, and ${grouped(more)} more` : ""}`;
}

function foldText(line) {
  const covered = line.rows.filter((row) => row.status === "covered").length;
  const [least, most] = d3.extent(line.rows, (row) => line.fold.size_of.get(row));
  return `N = ${grouped(least)} to ${grouped(most)}, ${counted(line.rows.length, "signature")}` +
    (DATA.compared ? `, ${grouped(covered)} covered` : "");
}

function callCell(line, member) {
  const because = make("span", {class: "because"});
  const [first] = rowsOf(line);
  because.append(make("b", {}, `${stageName(first.stage)} · `), isFold(line) ? foldText(line) : becauseText(line));
  if (isFold(line)) because.append(smallHistogram(line));
  const call = make("span", {class: "call"}, isFold(line) ? line.fold.call : line.call);
  if (!isFold(line)) return make("span", {role: "gridcell", class: "what"}, call, because);
  const open = view.unfolded.has(line.fold);
  const toggle = make("button", {
    type: "button", class: "toggle", tabindex: -1, "aria-expanded": String(open), "aria-label": open ? "Fold" : "Unfold",
    click: (event) => {
      event.stopPropagation();
      unfold(line, !open);
    },
  }, open ? "▾" : "▸");
  return make("span", {role: "gridcell", class: "what"}, make("span", {class: "folding"}, toggle, call), because);
}

function amountCell(line, weight, style) {
  const amount = weightOfLine(line, weight);
  const sums = totalsOnce(weight);
  const share = amount === null || sums.all === 0 || rowsOf(line)[0].status === "none" ? "" : percent(amount, sums.all);
  const text = amount === null ? "unknown" : weight === "calls" ? grouped(amount) : WEIGHTS[weight].text(amount);
  return make("span", {role: "gridcell", class: `number ${style}`}, make("b", {}, text), make("small", {}, share));
}

function totalsOnce(weight) {
  totalsOnce.kept ??= {};
  return totalsOnce.kept[weight] ??= totals(ROWS, weight);
}

// The weight that the table has a column for beside the calls.
const secondWeight = () => view.weight === "flops" || view.weight === "bytes" ? view.weight : null;

function lineElement({line, member}, at) {
  const [first] = rowsOf(line);
  const chosen = view.chosen !== null && sameLine(view.chosen, line);
  const element = make("div", {
    role: "row", id: `line-${at}`, class: `line${member ? " member" : ""}${isFold(line) ? " fold" : ""}${chosen ? " chosen" : ""}`,
    "aria-rowindex": at + 1, "aria-selected": String(chosen), "data-digest": isFold(line) ? null : line.digest,
    click: () => choose(line, {open: true}),
  },
  make("span", {role: "gridcell", class: "status"}, statusMark(line)),
  callCell(line, member),
  amountCell(line, "calls", "calls"),
  secondWeight() === null ? null : amountCell(line, secondWeight(), "second"),
  make("span", {role: "gridcell", class: "by-rank"}, rankBars(rowsOf(line), 72, 24)),
  make("span", {role: "gridcell", class: "act"}, copyButton(mainCommand(first).text, mainCommand(first).does, {tabindex: -1})));
  return element;
}

const sameLine = (a, b) => isFold(a) ? isFold(b) && a.fold === b.fold : a === b;
