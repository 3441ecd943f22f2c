// The top of the page: the answer in one line, its bar, and below what to do about it beside the run.
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

// ["covered 0.7 %", ...]; `sums` as totals() gives them.
const shares = (sums, text) => SHOWN_AT_FIRST.filter((status) => sums[status] > 0)
  .map((status) => text(STATUSES[status].label, percent(sums[status], sums.all)));

// A bar in the statuses' colours.
function statusBar(sums, attributes = {}) {
  const bar = make("div", {class: "bar", role: "img", "aria-label": shares(sums, (label, share) => `${label} ${share}`).join(", "),
                           ...attributes});
  for (const status of SHOWN_AT_FIRST) {
    if (!(sums[status] > 0)) continue;
    const part = make("span", {class: status, title: `${STATUSES[status].label}: ${percent(sums[status], sums.all)}`});
    part.style.flexGrow = sums[status] / sums.all;
    bar.append(part);
  }
  return bar;
}

function answerBar() {
  const sums = totalsOnce(view.weight);
  if (sums.all === 0) return [];
  const unknown = sums.unknown === 0 ? "" :
    `; without ${counted(sums.unknown, "signature")} whose ${WEIGHTS[view.weight].noun} are unknown`;
  return [statusBar(sums, {id: "answer-bar"}),
          DATA.compared ? make("p", {id: "answer-shares", class: "note"},
            `By ${WEIGHTS[view.weight].noun}: ${shares(sums, (label, share) => `${share} ${label}`).join(", ")}${unknown}.`) : ""];
}

function drawAnswer() {
  const bar = make("div", {});
  const card = make("div", {id: "largest"});
  byId("answer").replaceChildren(...[
    make("h1", {}, answerText().replaceAll(" %", "\u00a0%")), bar, noKernelText(), blindSpotsLine(),
    make("div", {class: "cards"}, card, runCard())].filter((part) => part !== null));
  const redraw = () => {
    bar.replaceChildren(...answerBar());
    card.replaceChildren(largestCard());
  };
  onChange((what) => { if ("weight" in what) redraw(); });
  redraw();
}
