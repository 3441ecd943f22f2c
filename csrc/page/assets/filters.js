// Search, statuses, stage, operator and folding, and what is filtered at the moment.
function choice(label, values, name, chosen, choose) {
  const select = make("select", {"aria-label": label, change: (event) => choose(event.target.value === "" ? null : values[event.target.value - 1])},
    make("option", {value: ""}, label), ...values.map((value, i) => make("option", {value: i + 1}, name(value))));
  const mark = () => { select.value = chosen() === null ? "" : String(values.indexOf(chosen()) + 1); };
  mark();
  return {select, mark};
}

function statusChips() {
  const counts = d3.rollup(ROWS, (rows) => rows.length, (row) => row.status);
  const chips = STATUS_ORDER.filter((status) => counts.has(status)).map((status) => make("button", {
    type: "button", class: `chip ${status}`, "data-status": status, title: STATUSES[status].says,
    click: () => {
      const statuses = new Set(view.statuses);
      if (!statuses.delete(status)) statuses.add(status);
      change({statuses});
    },
  }, make("span", {class: `mark ${status}`}, STATUSES[status].mark), ` ${STATUSES[status].label} ${grouped(counts.get(status))}`));
  const mark = () => { for (const chip of chips) chip.setAttribute("aria-pressed", String(view.statuses.has(chip.dataset.status))); };
  mark();
  return {chips, mark};
}

function drawFilters() {
  const search = make("input", {type: "search", id: "search", placeholder: "Search: shape, dtype, operator, digest, file ...",
                                "aria-label": "Search signatures", input: () => change({search: search.value})});
  const stage = choice("All stages", [...new Set(ROWS.map((row) => row.stage))], stageName, () => view.stage, (value) => change({stage: value}));
  const op = choice("All operators", [...new Set(ROWS.map((row) => row.op))].sort(), opName, () => view.op, (value) => change({op: value}));
  const {chips, mark} = statusChips();
  const fold = make("input", {type: "checkbox", id: "fold", change: () => change({fold: fold.checked})});
  const rows = make("button", {type: "button", class: "chip", id: "rows-filter", "aria-pressed": "true", click: () => change({rows: null})});
  const clear = make("button", {type: "button", class: "link", id: "clear", click: () => {
    change({search: "", statuses: new Set(SHOWN_AT_FIRST), stage: null, op: null, rows: null});
  }}, "Clear");
  byId("filters").append(search, stage.select, op.select, ...chips, rows,
    DATA.folds.length ? make("label", {title: "Signatures that differ in one dynamic size alone are one line"}, fold, " fold sizes") : "", clear);
  const redraw = () => {
    if (search.value !== view.search) search.value = view.search;
    stage.mark();
    op.mark();
    mark();
    fold.checked = view.fold;
    rows.hidden = view.rows === null;
    rows.textContent = view.rows === null ? "" : `${view.rows.label} ×`;
    clear.hidden = !isFiltered();
  };
  onChange(redraw);
  redraw();
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    search.focus();
  });
}
