// What the page shows: the JSON of three files, and how its numbers are read and written.

const readPart = (id) => JSON.parse(document.getElementById(id).textContent);
const report = readPart("report");
const killMatrix = readPart("kill-matrix");
const ledger = readPart("ledger");

// Worst first. The sign tells them apart without colours. A suspect has kept every proved bound.
const statuses = [
  { name: "failed", sign: "✗", wrong: true, worthALook: true },
  { name: "error", sign: "!", wrong: true, worthALook: true },
  { name: "nonconforming", sign: "≠", wrong: true, worthALook: true },
  { name: "suspect", sign: "?", worthALook: true },
  { name: "uninformative", sign: "○", provesNothing: true },
  { name: "skipped", sign: "–", provesNothing: true },
  { name: "passed", sign: "✓" },
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
// Of a ratio to the limit 1: as many digits as it takes to tell it from 1, "1.00001".
function ratioNumber(value) {
  const x = number(value);
  let digits = 3;
  while (x !== 1 && Number(x.toPrecision(digits)) === 1 && digits < 17) ++digits;
  return numberText(x, digits);
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
// Failed with every value within its bound: what is wrong is something else, and the worst value not its place.
const failedElsewhere = (verdict) => verdict.status === "failed" && verdict.violations === 0;
const hasWorst = (verdict) => comparedSomething(verdict) && !failedElsewhere(verdict);
const ratioText = (verdict) => (hasWorst(verdict) ? `${ratioNumber(verdict.worst_ratio)} of ${verdict.bound}` : "");
const placeText = (verdict) => locationText(failedElsewhere(verdict) ? verdict.first_bad : verdict.location);

// Characters that are not seen, or that turn the text around them, by their numbers: a name must not look like another.
const visible = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
  if (character === "\n" || character === "\t") return character;
  return `\\u{${character.codePointAt(0).toString(16)}}`;
});

// A verdict with what the table asks of it often. What is not finite is beyond everything.
const rows = (report ? report.verdicts : []).map((verdict, index) => {
  const ratio = hasWorst(verdict) ? number(verdict.worst_ratio) : -1;
  return { index, verdict, rank: rankOf.get(verdict.status), ratio: Number.isNaN(ratio) ? Infinity : ratio };
});
const worstFirst = (x, y) => x.rank - y.rank || y.ratio - x.ratio || x.index - y.index;
