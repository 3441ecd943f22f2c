// The picture: stages, in them operators, in them signatures as large as their weight.
const MOST_LEAVES = 200;  // the rest of an operator's signatures share a leaf for each status
const HEAD = 20;
const LEAF_TEXT = {width: 64, height: 30};
const LEAST_HEADED = {width: 48, height: 2 * HEAD};  // a head leaves no room for tiles in a smaller stage or operator
const PAPER_WIDTH = 700;

function leavesOf(rows, largest) {
  const of = WEIGHTS[view.weight].of;
  const leaves = [];
  for (const [status, group] of groupedBy(rows.filter((row) => !largest.has(row)), (row) => row.status))
    leaves.push({rows: group, status, value: group.reduce((sum, row) => sum + of(row), 0)});
  for (const row of rows)
    if (largest.has(row)) leaves.push({rows: [row], status: row.status, value: of(row)});
  return leaves;
}

function treeOf() {
  const of = WEIGHTS[view.weight].of;
  const rows = ROWS.filter((row) => row.status !== "none" && of(row) > 0);
  const largest = new Set([...rows].sort(byWeight).slice(0, MOST_LEAVES));
  const stages = [...groupedBy(rows, (row) => row.stage)].map(([stage, inStage]) => ({
    stage,
    children: [...groupedBy(inStage, (row) => row.op)].map(([op, inOp]) => ({stage, op, children: leavesOf(inOp, largest)})),
  }));
  return d3.hierarchy({children: stages}).sum((node) => node.value || 0).sort((a, b) => b.value - a.value);
}

// In percent of `whole`: paper is as wide as it likes.
function place(element, node, whole, height = node.y1 - node.y0) {
  element.style.left = `${100 * node.x0 / whole.x1}%`;
  element.style.top = `${100 * node.y0 / whole.y1}%`;
  element.style.width = `${100 * (node.x1 - node.x0) / whole.x1}%`;
  element.style.height = `${100 * height / whole.y1}%`;
  return element;
}

// Its stage's head names it too.
const isOnlyOperator = (node) => node.depth === 2 && node.parent.children.length === 1;

const hasHead = (node) => node.depth > 0 && node.children && !isOnlyOperator(node) &&
  node.x1 - node.x0 >= LEAST_HEADED.width && node.y1 - node.y0 >= LEAST_HEADED.height;

function headOf(node, root) {
  const {stage, op} = node.data;
  const only = op === undefined && node.children.length === 1 ? ` · ${opName(node.children[0].data.op)}` : "";
  const name = op === undefined ? stageName(stage) + only : opName(op);
  const text = `${name} ${percent(node.value, root.value)}`;
  const button = make("button", {
    type: "button", tabindex: -1, class: op === undefined ? "tile stage" : "tile op",
    title: `${text}: show ${op === undefined ? "this stage" : "this operator"} in the table`,
    click: () => show(op === undefined ? {stage} : {stage, op}),
  }, text);
  return place(button, node, root, HEAD);
}

function leafOf(node, root) {
  const {rows, status} = node.data;
  const [row] = rows;
  const what = rows.length === 1 ? row.call : `${counted(rows.length, "smaller signature")} of ${opName(row.op)}`;
  const share = percent(node.value, root.value);
  const label = `${what}, stage ${stageName(row.stage)}: ${STATUSES[status].label}, ${WEIGHTS[view.weight].text(node.value)}, ${share}`;
  const fits = node.x1 - node.x0 > LEAF_TEXT.width && node.y1 - node.y0 > LEAF_TEXT.height;
  const button = make("button", {
    type: "button", tabindex: -1, class: `tile leaf ${status}${fits ? " told" : ""}`, title: label, "aria-label": label,
    click: () => {
      show({stage: row.stage, op: row.op, statuses: rows.length === 1 ? new Set(SHOWN_AT_FIRST) : new Set([status])});
      if (rows.length === 1) choose(row, {open: true});
    },
  }, ...(fits ? [make("b", {}, share), make("span", {}, ` ${what}`)] : []));
  return place(button, node, root);
}

function drawTreemap(width = byId("treemap").clientWidth) {
  const container = byId("treemap");
  const root = treeOf();
  d3.treemap().size([width, container.clientHeight]).round(true)
    .paddingInner(2).paddingTop((node) => hasHead(node) ? HEAD : 0)(root);
  const tiles = [];
  root.each((node) => {
    if (hasHead(node)) tiles.push(headOf(node, root));
    else if (!node.children && node.x1 > node.x0 && node.y1 > node.y0) tiles.push(leafOf(node, root));
  });
  if (tiles.length > 0) tiles.find((tile) => tile.classList.contains("leaf")).tabIndex = 0;
  container.replaceChildren(...tiles);
}

// One stop for the Tab key; from there arrows go from leaf to leaf.
function walkTreemap(event) {
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
  if (!step) return;
  event.preventDefault();
  const leaves = [...byId("treemap").querySelectorAll(".leaf")];
  const at = leaves.indexOf(document.activeElement);
  const next = leaves[(at + step + leaves.length) % leaves.length];
  for (const leaf of leaves) leaf.tabIndex = leaf === next ? 0 : -1;
  next.focus();
}

function drawUnknown() {
  const sums = totals(ROWS, view.weight);
  byId("unknown").textContent = sums.unknown === 0 ? "" :
    `Not in this picture: ${counted(sums.unknown, "signature")} with ${counted(sums.unknown_calls, "call")}, ` +
    `whose ${WEIGHTS[view.weight].label} are unknown.`;
}

function drawPicture() {
  const known = Object.keys(WEIGHTS).filter((weight) =>
    weight === "signatures" || weight === "calls" || ROWS.some((row) => WEIGHTS[weight].of(row) > 0));
  const mark = segments(byId("weight"), known.map((weight) => [weight, WEIGHTS[weight].label]), () => view.weight,
    (weight) => change({weight}));
  const redraw = () => {
    mark();
    byId("picture-measure").textContent = `, by ${WEIGHTS[view.weight].noun}`;
    drawTreemap();
    drawUnknown();
    drawBreakdown();
  };
  byId("legend").replaceChildren(...SHOWN_AT_FIRST
    .filter((status) => ROWS.some((row) => row.status === status) || (DATA.compared && status !== "open"))
    .map((status) => make("span", {title: STATUSES[status].says}, make("i", {class: `swatch ${status}`}),
      make("b", {}, STATUSES[status].label), ` ${STATUSES[status].says}`)));
  byId("treemap").addEventListener("keydown", walkTreemap);
  onChange((what) => { if ("weight" in what) redraw(); });
  redraw();
  let width = byId("treemap").clientWidth;
  new ResizeObserver(() => {
    if (byId("treemap").clientWidth === width) return;
    width = byId("treemap").clientWidth;
    drawTreemap();
  }).observe(byId("treemap"));
}
