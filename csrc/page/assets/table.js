// The list: as many elements as the eye sees, however many signatures there are.
const LINES_BEYOND = 6;  // above and below what is seen
let shown = [];

const lineHeight = () => parseFloat(getComputedStyle(byId("table")).getPropertyValue("--line"));

function drawLines() {
  const scroller = byId("scroller");
  const height = lineHeight();
  byId("space").style.height = `${shown.length * height}px`;
  const first = Math.max(0, Math.floor(scroller.scrollTop / height) - LINES_BEYOND);
  const end = Math.min(shown.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / height) + LINES_BEYOND);
  const elements = [];
  for (let at = first; at < end; ++at) {
    const element = lineElement(shown[at], at);
    element.style.top = `${at * height}px`;
    elements.push(element);
  }
  byId("space").replaceChildren(...elements);
  if (shown.length === 0) byId("space").append(make("p", {class: "nothing"}, "No signature matches. ", clearButton()));
  scroller.setAttribute("aria-rowcount", shown.length);
  const at = placeOfChosen();
  if (at >= first && at < end) scroller.setAttribute("aria-activedescendant", `line-${at}`);
  else scroller.removeAttribute("aria-activedescendant");
}

const placeOfChosen = () => view.chosen === null ? -1 : shown.findIndex(({line}) => sameLine(line, view.chosen));

function foundText(rows) {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const lines = shown.filter(({member}) => !member).length;
  return `${activeFilters().length > 0 ? `${grouped(rows.length)} of ` : ""}${counted(ROWS.length, "signature")}` +
    `${lines < rows.length ? ` in ${counted(lines, "line")}` : ""}, ${counted(calls, "call")}`;
}

function drawHead() {
  const button = (key, label, style) => {
    const is = view.sort.key === key;
    return make("button", {type: "button", class: `${style}${is ? " sorted" : ""}`, "data-sort": key,
      "aria-label": `Sort by ${label}`, "aria-pressed": String(is), click: () => sortBy(key)}, label, is ? (view.sort.down ? " ▾" : " ▴") : "");
  };
  const second = secondWeight();
  byId("head").replaceChildren(button("status", "", "status"), button("call", "Signature", "what"),
    button("calls", "Calls", "number calls"), ...(second ? [button("weight", WEIGHTS[second].label, "number second")] : []),
    button("ranks", "By rank", "by-rank"), make("span", {class: "act"}));
  byId("table").classList.toggle("two-weights", second !== null);
}

function sortBy(key) {
  change({sort: {key, down: view.sort.key === key ? !view.sort.down : key !== "call"}});
}

function drawList() {
  const rows = foundRows();
  shown = shownLines(rows);
  keepChosen();
  byId("found").textContent = foundText(rows);
  drawHead();
  drawLines();
}

// What is chosen may be filtered out, its line folded or unfolded; a fold may have other rows.
function keepChosen() {
  if (view.chosen === null) return;
  const before = view.chosen;
  const rows = new Set(rowsOf(before));
  const again = shown.find(({line}) => sameLine(before, line)) ?? shown.find(({line}) => rowsOf(line).some((row) => rows.has(row)));
  view.chosen = again ? again.line : null;
  if (view.chosen === before) return;
  if (view.chosen === null) byId("details").classList.remove("open");
  drawDetails();
}

function choose(line, {open = false} = {}) {
  change({chosen: line});
  const at = placeOfChosen();
  if (at < 0 && line.fold && view.fold && !isFold(line)) unfold(line, true);
  bringToSight(placeOfChosen());
  if (open) openDetails();
}

function bringToSight(at) {
  if (at < 0) return;
  const scroller = byId("scroller");
  const top = at * lineHeight();
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + lineHeight() > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + lineHeight() - scroller.clientHeight;
}

function unfold(line, open) {
  const unfolded = new Set(view.unfolded);
  if (open) unfolded.add(line.fold);
  else unfolded.delete(line.fold);
  change({unfolded});
}

function walkList(event) {
  const page = Math.max(1, Math.floor(byId("scroller").clientHeight / lineHeight()) - 1);
  const at = placeOfChosen();
  const to = {ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: shown.length - 1}[event.key];
  if (to !== undefined && shown.length > 0) choose(shown[Math.min(shown.length - 1, Math.max(0, to))].line);
  else if (event.key === "Enter" && view.chosen) openDetails();
  else if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && view.chosen && view.chosen.fold) unfold(view.chosen, event.key === "ArrowRight");
  else if (event.key === "c" && !event.ctrlKey && !event.metaKey && view.chosen) copy(mainCommand(rowsOf(view.chosen)[0]).text);
  else return;
  event.preventDefault();
}

function drawSortChoice() {
  const keys = Object.keys(SORTS);
  const select = make("select", {"aria-label": "Sort by", change: () => change({sort: {key: select.value, down: select.value !== "call"}})},
    ...keys.map((key) => make("option", {value: key}, SORTS[key].label)));
  const [measure, calls] = ["weight", "calls"].map((key) => select.options[keys.indexOf(key)]);
  const mark = () => {
    measure.textContent = WEIGHTS[view.weight].label;
    calls.hidden = view.weight === "calls";  // the measure is the same
    select.value = calls.hidden && view.sort.key === "calls" ? "weight" : view.sort.key;
  };
  byId("sort").append(make("label", {}, "Sort by ", select));
  onChange(mark);
  mark();
}

function drawTable() {
  drawSortChoice();
  const scroller = byId("scroller");
  scroller.addEventListener("scroll", drawLines, {passive: true});
  scroller.addEventListener("keydown", walkList);
  new ResizeObserver(drawLines).observe(scroller);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeDetails(); });
  onChange((what) => {
    if (Object.keys(what).every((key) => key === "chosen")) drawLines();
    else {
      if (!("unfolded" in what)) scroller.scrollTop = 0;
      drawList();
    }
  });
  onChange((what) => { if ("chosen" in what || "unfolded" in what || "weight" in what) drawDetails(); });
  drawList();
  drawDetails();
}
