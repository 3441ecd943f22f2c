// The largest work without a profile, with what to do about it.
function toBeProfiled(row) { return row.status === "near" || row.status === "far"; }

// Of unknown weight last, then by calls.
function byWeight(a, b) {
  const of = WEIGHTS[view.weight].of;
  return (of(b) ?? -1) - (of(a) ?? -1) || b.calls - a.calls || a.index - b.index;
}

// By signatures all weigh the same: then by calls.
const largestOf = (rows) => rows.filter(toBeProfiled).reduce((most, row) =>
  most === null || byWeight(row, most) < 0 ? row : most, null);

function whyText(row) {
  if (!row.nearest) return "Nothing near: no profiled input is of this operator.";
  const more = row.nearest.differences_count - row.nearest.differences.length;
  return `${row.status === "near" ? "Near miss" : "Nothing near"}; the nearest profiled input has ` +
    `${row.nearest.differences.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}

// How much of all it is, as the page measures work at the moment.
function amountText(row) {
  const {of, text, noun} = WEIGHTS[view.weight];
  const sums = totalsOnce(view.weight);
  const stage = `; stage ${stageName(row.stage)}. `;
  if (view.weight === "signatures")
    return [make("b", {}, "1 signature"), `, ${percent(1, sums.all)} of all signatures, the one with most calls${stage}`];
  const amount = of(row);
  if (amount === null) return [make("b", {}, counted(row.calls, "call")), `, ${noun} unknown${stage}`];
  return [make("b", {}, text(amount)), `, ${percent(amount, sums.all)} of all ${noun}${stage}`];
}

// Everything that captureCommand() saves inputs of.
function capturedText(row) {
  const count = ROWS.filter((other) => selector(other) === selector(row) || selector(row) === operatorOf(other)).length;
  return `This captures a call of each signature of ${opName(row.op)}` +
    `${selector(row) === operatorOf(row) ? "" : ` in stage ${stageName(row.stage)}`}, here ${grouped(count)}. ` +
    `For the ${counted(ROWS.filter(toBeProfiled).length, "signature")} without a profile, of all operators:`;
}

function coverSteps(row) {
  return [
    make("h3", {}, "To cover it"),
    make("p", {class: "note"}, "Run these where the report was made. ", make("var", {}, PROGRAM),
      " stands for the command line that was recorded."),
    make("h4", {}, "Quickest: one command, inputs are made of its structure"),
    command(profileCommand(row), {id: "profile-command"}),
    make("h4", {}, "Or with the program's own inputs: capture them in the next run, then profile"),
    command(captureCommand(row), {id: "largest-command"}),
    make("p", {class: "note"}, capturedText(row)), command(captureAllCommand(), {id: "missing-command"}),
    make("p", {class: "note"}, make("code", {}, CAPTURED), " is where captured inputs are:"),
    command(profileCapturedCommand(row)),
    make("h4", {}, "Then report again"),
    command(reportAgainCommand()),
  ];
}

function largestCard() {
  const row = largestOf(ROWS);
  if (row === null)
    return make("div", {class: "card"}, make("h2", {}, DATA.compared ? "Nothing is left to be profiled" : "Nothing was compared"),
      make("p", {}, DATA.compared ? "Every signature that ran a kernel has a profiled input of the same structure."
        : "Give the profiled inputs by --inputs to see what they cover."));
  return make("div", {class: `card largest ${row.status}`},
    make("h2", {}, `Largest work without a profile, by ${WEIGHTS[view.weight].noun}`),
    make("p", {class: "call"}, row.call), make("p", {}, ...amountText(row), whyText(row)), ...coverSteps(row),
    make("p", {}, make("button", {type: "button", class: "link", click: () => { show({}); choose(row, {open: true}); }},
      "Show it in the table")));
}
