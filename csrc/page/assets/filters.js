// Search, statuses, stage, operator and folding, and what is filtered by at the moment.
function choice(label, values, name, chosen, choose) {
  const select = make("select", {"aria-label": label, change: (event) => choose(event.target.value === "" ? null : values[event.target.value - 1])},
    make("option", {value: ""}, label), ...values.map((value, i) => make("option", {value: i + 1}, name(value))));
  const mark = () => { select.value = chosen() === null ? "" : String(values.indexOf(chosen()) + 1); };
  mark();
  return {select, mark};
}

const isAlone = (status) => view.statuses.size === 1 && view.statuses.has(status);

// A click shows the rows of one status alone, another click all again. Counts are of what passes the other filters.
function statusChips() {
  const chips = STATUS_ORDER.filter((status) => ROWS.some((row) => row.status === status)).map((status) => make("button", {
    type: "button", class: `chip ${status}`, "data-status": status, title: `Show these alone: ${STATUSES[status].says}`,
    click: () => change({statuses: new Set(isAlone(status) ? SHOWN_AT_FIRST : [status])}),
  }));
  const mark = () => {
    const counts = d3.rollup(foundOfAnyStatus(), (rows) => rows.length, (row) => row.status);
    for (const chip of chips) {
      const {status} = chip.dataset;
      chip.setAttribute("aria-pressed", String(isAlone(status)));
      chip.replaceChildren(make("span", {class: `mark ${status}`}, STATUSES[status].mark),
        ` ${STATUSES[status].label} ${grouped(counts.get(status) ?? 0)}`);
    }
  };
  return {chips, mark};
}

function drawActiveFilters() {
  const active = activeFilters();
  byId("active").hidden = active.length === 0;
  byId("active").replaceChildren("Filtered by: ", ...active.flatMap(({text, without}) => [make("button", {
    type: "button", class: "chip", "aria-label": `Do not filter by ${text}`, click: () => change(without)}, `${text} ×`), " "]),
    clearButton({id: "clear"}));
}

const clearButton = (attributes = {}) =>
  make("button", {type: "button", class: "link", click: () => change(unfiltered()), ...attributes}, "Clear all");

function drawFilters() {
  const search = make("input", {type: "search", id: "search", placeholder: "Search: shape, dtype, operator, digest, file ...",
                                "aria-label": "Search signatures", input: () => change({search: search.value})});
  const stage = choice("All stages", [...new Set(ROWS.map((row) => row.stage))], stageName, () => view.stage, (value) => change({stage: value}));
  const op = choice("All operators", [...new Set(ROWS.map((row) => row.op))].sort(), opName, () => view.op, (value) => change({op: value}));
  const {chips, mark} = statusChips();
  const fold = make("input", {type: "checkbox", id: "fold", change: () => change({fold: fold.checked})});
  byId("filters").append(search, stage.select, op.select, ...chips,
    DATA.folds.length ? make("label", {title: "Signatures that differ in one dynamic size alone are one line"}, fold, " fold sizes") : "");
  const redraw = () => {
    if (search.value !== view.search) search.value = view.search;
    stage.mark();
    op.mark();
    mark();
    fold.checked = view.fold;
    drawActiveFilters();
  };
  onChange(redraw);
  redraw();
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
}
