// Everything about the chosen line, and the commands that do something about it.
const MOST_LISTED = 12;

function list(texts, count) {
  const more = count - texts.length;
  return make("ul", {}, ...texts.map((text) => make("li", {}, text)),
    more > 0 ? make("li", {}, `and ${grouped(more)} more`) : null);
}

function ranksList(row) {
  const runs = row.ranks.runs.slice(0, MOST_LISTED).map(([first, last, calls]) =>
    `${first === last ? `rank ${first}` : `ranks ${first}-${last}, ${row.ranks.means ? "on average" : "each"}`}: ${grouped(calls)}`);
  return list(runs, row.ranks.runs.length);
}

function whyPart(row) {
  if (row.status === "covered")
    return [make("h4", {}, `Covered by ${counted(row.inputs_count, "profiled input")}`), list(row.input_names, row.inputs_count)];
  if (row.status === "none") return [make("p", {}, "Every call gave its input back unchanged: no kernel ran, there is nothing to profile.")];
  if (row.status === "open") return [make("p", {}, "No profiled inputs were given to compare with.")];
  if (!row.nearest) return [make("h4", {}, "Nothing near"), make("p", {}, "No profiled input is of this operator.")];
  const {name, differences, differences_count: count} = row.nearest;
  return [make("h4", {}, row.status === "near" ? "Near miss" : "Nothing near"), make("p", {}, "The nearest profiled input: ", make("span", {class: "path"}, name)),
          list(differences, count)];
}

function commandsPart(row) {
  if (row.status === "none") return [make("h4", {}, "Everything about it"), command(explainCommand(row))];
  const parts = [];
  if (row.status === "covered") {
    parts.push(make("h4", {}, "Replay the profiled input"), command(replaySnapshotCommand(row)));
  } else {
    parts.push(make("h4", {}, "Profile it with inputs made of its structure"), command(profileCommand(row)),
      make("h4", {}, "Capture its inputs in the next run"), command(captureCommand(row)));
  }
  parts.push(make("h4", {}, "Replay from made inputs"), command(replayCommand(row)));
  parts.push(make("h4", {}, "Everything about it"), command(explainCommand(row)));
  return parts;
}

function factsPart(line) {
  const rows = rowsOf(line);
  const facts = [["Stage", stageName(rows[0].stage)], ["Operator", rows[0].op]];
  for (const weight of ["calls", "flops", "bytes"]) {
    const amount = weightOfLine(line, weight);
    facts.push([WEIGHTS[weight].label, amount === null ? "unknown" :
      `${weight === "calls" ? grouped(amount) : WEIGHTS[weight].text(amount)}${rows[0].status === "none" ? "" : `, ${percent(amount, totalsOnce(weight).all)} of all`}`]);
  }
  return make("dl", {}, ...facts.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
}

const placeLines = ({title, frames, remark}) =>
  [title, ...frames.map((frame) => DATA.texts.frames[frame]), remark && `(${remark})`].filter((line) => line !== "");

// Where in the program's code first calls were made, by recordings that noted it; each place is copied as a whole.
function placesPart(row) {
  const places = (row.where || []).flatMap((place, i, all) => {
    const lines = placeLines(place);
    return [make("h4", {}, `Where it was first called${all.length > 1 ? `: ${counted(place.first_calls, "first call")}` : ""}`),
            make("div", {class: "command place"}, make("code", {}, ...lines.map((line) => make("div", {}, line))), copyButton(lines.join("\n")))];
  });
  return row.more_places ? [...places, make("p", {}, "And first calls elsewhere.")] : places;
}

function rowDetails(row) {
  return [make("p", {class: "call"}, row.call), factsPart(row), ...whyPart(row), ...commandsPart(row), ...placesPart(row),
          make("h4", {}, "Calls by rank"), rankBars([row], 200, 32), ranksList(row),
          make("h4", {}, "Digest"), command(row.digest)];
}

function foldDetails(line) {
  const largest = largestOf(line.rows);
  return [make("p", {class: "call"}, line.fold.call), make("p", {}, foldText(line)), histogram(line), factsPart(line),
          make("button", {type: "button", class: "link", click: () => unfold(line, !view.unfolded.has(line.fold))},
            view.unfolded.has(line.fold) ? "Fold" : "Show each size"),
          ...(largest ? [make("p", {}, "Its largest without a profile has N = ",
            make("button", {type: "button", class: "link", click: () => choose(largest)}, grouped(line.fold.size_of.get(largest))), ":"),
            ...commandsPart(largest)] : []),
          make("h4", {}, "Calls by rank"), rankBars(line.rows, 200, 32)];
}

function drawDetails() {
  const panel = byId("details");
  const line = view.chosen;
  if (line === null) {
    panel.replaceChildren(make("p", {class: "note"}, "Choose a signature to see all of it."));
    return;
  }
  const close = make("button", {type: "button", class: "close", "aria-label": "Close", click: closeDetails}, "×");
  panel.replaceChildren(close, ...(isFold(line) ? foldDetails(line) : rowDetails(line)));
  panel.scrollTop = 0;
}

// On a narrow screen the details lie over the list until they are closed.
function openDetails() {
  byId("details").classList.add("open");
  if (getComputedStyle(byId("details")).position === "fixed") byId("details").focus();
}

function closeDetails() {
  byId("details").classList.remove("open");
  byId("scroller").focus({preventScroll: true});
}
