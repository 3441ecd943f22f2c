// Command lines that do something about a signature, quoted for a shell.
function quoted(word) {
  return /^[A-Za-z0-9_@%+:,.\/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const words = (list) => list.map(quoted).join(" ");
const PROGRAM = "YOUR_PROGRAM";
const RECORDS = words(DATA.names.records);
const INPUTS = DATA.names.inputs.length ? ` --inputs ${words(DATA.names.inputs)}` : "";

// Stages stand in OPCOV_OPS and OPCOV_CAPTURE before a "=", entries are divided by ",": such a stage has to be left out.
const operatorOf = (row) => row.op.replace(".", "::");
const selector = (row) =>
  row.stage === "" || /[=,]/.test(row.stage) ? operatorOf(row) : `${row.stage}=${operatorOf(row)}`;

const assigned = (name, value) => `${name}=${quoted(value)}`;

function captureCommand(row) {
  return `OPCOV=1 ${assigned("OPCOV_OPS", selector(row))} ${assigned("OPCOV_CAPTURE", selector(row))} ${PROGRAM}`;
}

function captureAllCommand() {
  const operators = DATA.facts.operators.length === 1 ? ` ${assigned("OPCOV_OPS", DATA.facts.operators[0])}` : "";
  return `OPCOV=1${operators} ${assigned("OPCOV_CAPTURE", `missing:${DATA.names.report || "report.json"}`)} ${PROGRAM}`;
}

const replayCommand = (row) => `opcov replay ${row.digest.slice(0, 16)} --records ${RECORDS}`;
const explainCommand = (row) => `opcov explain ${RECORDS} ${row.digest.slice(0, 16)}${INPUTS}`;
const replaySnapshotCommand = (row) => `opcov replay ${quoted(row.input_names[0])}`;

// Where captureCommand() leaves snapshots, and where `opcov profile` lists what it made, unless told otherwise.
const CAPTURED = "opcov-records/snapshots";
const PROFILED = "opcov-profiles/inputs.jsonl";
const profileCommand = (row) => `opcov profile ${row.digest.slice(0, 16)} --records ${RECORDS}`;
const profileCapturedCommand = (row) => `${profileCommand(row)} --snapshots ${CAPTURED}`;
const reportAgainCommand = () =>
  `opcov report ${RECORDS} --inputs ${words([...DATA.names.inputs, PROFILED])} ` +
  `-o ${quoted(DATA.names.report || "report.json")} --html report.html --force`;

// What to do about the row first, and in words what that does.
function mainCommand(row) {
  if (row.status === "covered") return {text: replaySnapshotCommand(row), does: "replays the profiled input"};
  if (row.status === "none") return {text: explainCommand(row), does: "tells everything about it"};
  return {text: captureCommand(row), does: "captures its inputs in the next run"};
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages opened from disk may not have the clipboard's interface.
    const area = make("textarea", {class: "unseen", readonly: true});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`Copied: ${text}`);
  if (!button) return;
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}

function copyButton(text, does = null, attributes = {}) {
  const label = `Copy${does === null ? "" : ` the command that ${does}`}: ${text}`;
  return make("button", {
    type: "button", class: "copy", title: label, "aria-label": label,
    click: (event) => {
      event.stopPropagation();
      copy(text, event.currentTarget);
    },
    ...attributes,
  }, make("svg", {viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true"},
    make("rect", {class: "outline", x: 5.5, y: 5.5, width: 8, height: 8, rx: 1.5}),
    make("rect", {class: "outline", x: 2.5, y: 2.5, width: 8, height: 8, rx: 1.5})));
}

// Words of their own, so that a line ends at a blank alone; what is to be replaced is marked as such.
function commandWords(text) {
  return text.split(" ").flatMap((word, i) => [i > 0 ? " " : "",
    word === PROGRAM ? make("var", {title: "the command line that was recorded"}, word) : make("span", {}, word)]);
}

function command(text, attributes = {}) {
  return make("div", {class: "command", ...attributes}, make("code", {}, ...commandWords(text)), copyButton(text));
}
