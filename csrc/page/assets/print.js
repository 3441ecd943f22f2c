// On paper there is no scrolling: the first lines of what the list shows stand there as a plain table.
const MOST_PRINTED = 200;

// Of a fold with rows of several statuses how many each has.
function statusText(line) {
  const counts = [...groupedBy(rowsOf(line), (row) => row.status)];
  return counts.map(([status, rows]) => `${counts.length > 1 ? `${grouped(rows.length)} ` : ""}${STATUSES[status].label}`).join(", ");
}

function printedTable() {
  const lines = shown.slice(0, MOST_PRINTED);
  const rest = shown.length - lines.length;
  return [
    make("table", {}, make("thead", {}, make("tr", {}, ...["Status", "Stage", "Signature", "Calls"].map((title) => make("th", {}, title)))),
      make("tbody", {}, ...lines.map(({line, member}) => make("tr", {},
        make("td", {}, statusText(line)),
        make("td", {}, stageName(rowsOf(line)[0].stage)),
        make("td", {class: member ? "member" : ""}, make("span", {class: "call"}, isFold(line) ? line.fold.call : line.call), make("br"),
          isFold(line) ? foldText(line) : becauseText(line)),
        make("td", {class: "number"}, grouped(weightOfLine(line, "calls"))))))),
    rest > 0 ? make("p", {class: "note"}, `and ${counted(rest, "more line")}: filter the list before printing`) : null,
  ].filter((part) => part !== null);
}

function preparePrinting() {
  addEventListener("beforeprint", () => {
    byId("printed").replaceChildren(...printedTable());
    drawTreemap(PAPER_WIDTH);
  });
  addEventListener("afterprint", () => {
    byId("printed").replaceChildren();
    drawTreemap();
  });
}
