// What the page shows: the JSON of three files, and how its numbers are read and written.

const readPart = (id) => JSON.parse(document.getElementById(id).textContent);
const report = readPart("report");
const killMatrix = readPart("kill-matrix");
const ledger = readPart("ledger");

// Worst first. The sign tells them apart without colours.
const statuses = [
  { name: "failed", sign: "✗", speaksAgainst: true },
  { name: "error", sign: "!", speaksAgainst: true },
  { name: "nonconforming", sign: "≠", speaksAgainst: true },
  { name: "suspect", sign: "?", speaksAgainst: true },
  { name: "uninformative", sign: "○", speaksAgainst: false },
  { name: "skipped", sign: "–", speaksAgainst: false },
  { name: "passed", sign: "✓", speaksAgainst: false },
];
const rankOf = new Map(statuses.map((status, rank) => [status.name, rank]));

// JSON has no infinity and no NaN: they are strings.
const special = { inf: Infinity, "-inf": -Infinity, nan: NaN };
const number = (value) => (typeof value === "string" ? special[value] : value);

// "0.0306", "1.13e+3": three digits unless told otherwise.
function numberText(value, digits = 3) {
  const x = number(value);
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e6) return String(Number(x.toPrecision(digits)));
  return x.toExponential(digits - 1).replace(/\.?0+e/, "e");
}
const countText = (count) => count.toLocaleString("en-US");
const plural = (count, one, many) => `${countText(count)} ${count === 1 ? one : many}`;

// "o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12"
function locationText(location) {
  if (!location) return "";
  const has = (axis) => location[axis] !== null && location[axis] !== undefined;
  const parts = [];
  if (has("sequence")) parts.push(`sequence ${location.sequence}`);
  if (has("token")) {
    const position = has("chunk_position") ? `, position ${location.chunk_position}` : "";
    parts.push(`token ${location.token}` + (has("chunk") ? ` (chunk ${location.chunk}${position})` : ""));
  } else if (has("chunk")) {
    parts.push(`chunk ${location.chunk}`);
  }
  for (const axis of ["head", "row", "column"]) if (has(axis)) parts.push(`${axis} ${location[axis]}`);
  return location.tensor + (parts.length ? `: ${parts.join(", ")}` : "");
}

const comparedSomething = (verdict) => verdict.compared > 0 && verdict.location !== null;
const ratioText = (verdict) =>
  comparedSomething(verdict) ? `${numberText(verdict.worst_ratio)} of ${verdict.bound}` : "";

// A verdict with what the table asks of it often. What is not finite is beyond everything.
const rows = (report ? report.verdicts : []).map((verdict, index) => {
  const ratio = comparedSomething(verdict) ? number(verdict.worst_ratio) : -1;
  return { index, verdict, rank: rankOf.get(verdict.status), ratio: Number.isNaN(ratio) ? Infinity : ratio };
});
const worstFirst = (x, y) => x.rank - y.rank || y.ratio - x.ratio || x.index - y.index;
