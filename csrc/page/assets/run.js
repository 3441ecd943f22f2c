// What the records say of the run, what the recorder could not see, and what a report cannot show.
const listed = (texts) => texts.length ? texts.join(", ") : "not stated";

function rangesText(runs) {
  return runs.map(([first, last]) => first === last ? String(first) : `${grouped(first)}-${grouped(last)}`).join(", ");
}

function ranksText() {
  const {ranks, world_size: world, rank_runs: runs} = DATA.facts;
  const missing = world > ranks ? `, of a world of ${grouped(world)}: the others made no recorded call, or their files are not here` : "";
  return `${grouped(ranks)} (${rangesText(runs)}${missing})`;
}

function facts() {
  const {facts} = DATA;
  return [
    ["Ranks", ranksText()],
    ["Launches", `${grouped(facts.launches)} of a rank at most, ${counted(facts.files, "record file")}`],
    ["Operators recorded", facts.operators.length ? facts.operators.join("; ").replaceAll(",", ", ") : "not stated"],
    ["Profiled inputs", DATA.compared ? grouped(facts.profiled_inputs) : "none given"],
    ["Blind spots", blindSpots().length ? `${blindSpots().length}, see below` : "none noticed"],
    ["torch", listed(facts.torch)],
    ["GPU", listed(facts.gpus)],
    ["Hosts", facts.hosts.length > 8 ? `${facts.hosts.length} or more` : listed(facts.hosts)],
    ["Recorder", facts.opcov.length ? `opcov ${facts.opcov.join(", ")}` : "not stated"],
    ["Settings", listed(facts.settings)],
  ];
}

function factsList(names) {
  return make("dl", {}, ...facts().filter(([name]) => !names || names.includes(name))
    .flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
}

// The short form beside the answer.
function runCard() {
  return make("div", {class: "card", id: "run-card"},
    make("h3", {}, "The run"),
    factsList(["Ranks", "Launches", "Operators recorded", "Profiled inputs", "torch", "GPU", "Blind spots"]),
    make("h3", {}, "Not shown"),
    make("p", {class: "note"}, "Covered means that an input of the same structure was profiled: not that values were equal, " +
      "that the same kernel ran, or that its timing is representative. ", make("a", {href: "#run"}, "All of it")));
}

function blindSpots() {
  const {notices, raised, unrecorded, no_clean_end: cut} = DATA.remarks;
  const spots = notices.map(({kind, count, text}) => `${kind} (${grouped(count)}): ${text}`);
  for (const [op, count] of Object.entries(raised))
    spots.push(`${opName(op)} raised an exception ${counted(count, "time")}; these are not calls`);
  if (unrecorded > 0) spots.push(`${counted(unrecorded, "call")} could not be described and are not counted`);
  if (cut.length > 0)
    spots.push(`no clean end (killed, or still running): ${cut.slice(0, 8).join(", ")}${cut.length > 8 ? ` and ${grouped(cut.length - 8)} more` : ""}`);
  if (DATA.facts.world_size > DATA.facts.ranks)
    spots.push(`records of ${grouped(DATA.facts.ranks)} of ${counted(DATA.facts.world_size, "rank")} alone`);
  return spots;
}

function blindSpotsLine() {
  const spots = blindSpots();
  if (spots.length === 0) return null;
  return make("p", {class: "warning"}, make("b", {}, spots.length === 1 ? "Noticed: " : `${spots.length} things noticed: `),
    spots[0], spots.length > 1 ? make("span", {}, " ... ", make("a", {href: "#run"}, "all")) : null);
}

function drawRun() {
  const spots = blindSpots();
  byId("run").append(
    factsList(null),
    make("h3", {}, "Blind spots noticed"),
    spots.length ? make("ul", {id: "spots"}, ...spots.map((spot) => make("li", {}, spot)))
      : make("p", {id: "spots"}, "The recorders noticed none."),
    make("h3", {}, "What was compared, and what is not shown"),
    make("p", {id: "scope"}, DATA.scope),
    make("p", {}, "FLOPs and bytes follow from the structure of a call. They say nothing of how long it took."));
}
