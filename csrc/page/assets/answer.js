// The top of the page: the answer in one line, and the largest uncovered work with what to do about it.
function answerText() {
  const found = totals(ROWS, "signatures");
  const calls = totals(ROWS, "calls");
  if (!DATA.compared)
    return `${counted(found.all, "signature")}, ${counted(calls.all, "call")}. No profiled inputs were given to compare with.`;
  if (found.all === 0) return "No recorded call can be profiled.";
  return `${grouped(found.covered)} of ${counted(found.all, "signature")}, ${percent(calls.covered, calls.all)} of ` +
    `${counted(calls.all, "call")}, ${found.covered === 1 ? "has" : "have"} a profiled input of the same structure.`;
}

function noKernelText() {
  const rows = ROWS.filter((row) => row.status === "none");
  if (rows.length === 0) return null;
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const text = `Apart from these, ${counted(rows.length, "signature")} with ${counted(calls, "call")} gave an input back ` +
    "unchanged: no kernel ran, there is nothing to profile. ";
  return make("p", {class: "note"}, text,
    make("button", {type: "button", class: "link", click: () => show({statuses: new Set(["none"])})}, "Show them"));
}

// A bar in the statuses' colours; `sums` as totals() gives them.
function statusBar(sums, attributes = {}) {
  const parts = ["covered", "near", "uncovered", "open"].filter((status) => sums[status] > 0);
  const bar = make("div", {class: "bar", role: "img", "aria-label": parts
    .map((status) => `${STATUSES[status].label} ${percent(sums[status], sums.all)}`).join(", "), ...attributes});
  for (const status of parts) {
    const part = make("span", {class: status, title: `${STATUSES[status].label}: ${percent(sums[status], sums.all)}`});
    part.style.flexGrow = sums[status] / sums.all;
    bar.append(part);
  }
  return bar;
}

function toBeProfiled(row) { return row.status === "near" || row.status === "uncovered"; }

// Of unknown weight last, then by calls.
function byWeight(a, b) {
  const of = WEIGHTS[view.weight].of;
  return (of(b) ?? -1) - (of(a) ?? -1) || b.calls - a.calls || a.index - b.index;
}

// By signatures all weigh the same: then by calls.
const largestUncovered = () => ROWS.filter(toBeProfiled).reduce((most, row) =>
  most === null || byWeight(row, most) < 0 ? row : most, null);

function whyText(row) {
  if (!row.nearest) return "No profiled input is of this operator.";
  const more = row.nearest.differences_count - row.nearest.differences.length;
  return `Nearest profiled input: ${row.nearest.differences.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}

function largestCard() {
  const row = largestUncovered();
  if (row === null)
    return make("div", {class: "card"}, make("h2", {}, DATA.compared ? "Nothing is left to be profiled" : "Nothing was compared"),
      make("p", {}, DATA.compared ? "Every signature that ran a kernel has a profiled input of the same structure."
        : "Give the profiled inputs by --inputs to see what they cover."));
  const sums = totals(ROWS, view.weight);
  const weight = WEIGHTS[view.weight];
  const amount = weight.of(row);
  const share = amount === null || view.weight === "signatures" ? [] : [weight.text(amount), `, ${percent(amount, sums.all)} of all`];
  const name = view.weight === "signatures" ? "calls" : view.weight;
  return make("div", {class: "card largest"},
    make("h2", {}, `Largest uncovered work, by ${WEIGHTS[name].label === "Calls" ? "calls" : WEIGHTS[name].label}`),
    make("p", {class: "call"}, row.call),
    make("p", {}, make("b", {}, share[0] ?? counted(row.calls, "call")), share[1] ?? "", ` in stage ${stageName(row.stage)}. `, whyText(row)),
    make("h3", {}, "To cover it"),
    make("ol", {class: "steps"},
      make("li", {}, "Capture its inputs in the next run:", command(captureCommand(row), {id: "largest-command"}),
        "or those of everything that is missing:", command(captureAllCommand(), {id: "missing-command"})),
      make("li", {}, "Profile it alone with them, under Nsight Compute:", command(profileCapturedCommand(row)),
        "or, without a run, with inputs made of its structure:", command(profileCommand(row), {id: "profile-command"})),
      make("li", {}, "Report again:", command(reportAgainCommand()))),
    make("button", {type: "button", class: "link", click: () => { show({}); choose(row); }}, "Show it in the table"));
}

function drawAnswer() {
  const card = make("div", {id: "largest"});
  const cards = make("div", {class: "cards"}, card, runCard());
  const calls = totals(ROWS, "calls");
  byId("answer").replaceChildren(...[
    make("h1", {}, answerText().replaceAll(" %", "\u00a0%")), calls.all > 0 ? statusBar(calls, {id: "answer-bar"}) : null,
    noKernelText(), blindSpotsLine(), cards].filter((part) => part !== null));
  const redraw = () => card.replaceChildren(...[largestCard()].filter((part) => part !== null));
  onChange((what) => { if ("weight" in what) redraw(); });
  redraw();
}
