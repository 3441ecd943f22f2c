// As the other outputs of opcov write numbers.
const grouped = (number) => Math.round(number).toLocaleString("en-US");
const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

// 0.0 % says none and 100.0 % says all, never nearly so.
function percent(part, whole) {
  if (!whole) return "-";
  const share = 100 * part / whole;
  if (part > 0 && share < 0.05) return "<0.1 %";
  if (part < whole && share >= 99.95) return ">99.9 %";
  return `${share.toFixed(1)} %`;
}

// 1.63e15 -> "1.63 P"
function short(number) {
  const units = ["", " k", " M", " G", " T", " P", " E", " Z", " Y"];
  let unit = 0;
  while (Number(number.toPrecision(3)) >= 1000 && unit + 1 < units.length) {
    number /= 1000;
    ++unit;
  }
  return (unit === 0 ? grouped(number) : number.toPrecision(3)) + units[unit];
}

const stageName = (stage) => stage === "" ? "(no stage)" : stage;

// "aten.linear.default" -> "linear"
const opName = (op) => op.replace(/^aten\./, "").replace(/\.default$/, "");
