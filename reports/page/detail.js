// One verdict: why, where, pictures, what else was found, and the line that gives it again.

function neighbours(index) {
  const order = wantedRows().map((row) => row.index);
  const place = order.indexOf(index);
  if (place < 0) return { before: null, after: null };
  return { before: order[place - 1] ?? null, after: order[place + 1] ?? null };
}

function detailNavigation(index) {
  const { before, after } = neighbours(index);
  const link = (to, text) => (to === null ? null : el("a", { href: verdictAddress(to) }, text));
  return el("nav", { class: "detail-nav", "aria-label": "Verdicts" },
    el("a", { href: "#verdicts", class: "back" }, "← All verdicts"), link(before, "Previous"), link(after, "Next"));
}

function firstBadText({ first_bad: first, location: worst }) {
  return first && locationText(first) === locationText(worst) ? "the same" : locationText(first);
}

function worstFacts(verdict) {
  if (failedElsewhere(verdict)) {
    const largest = comparedSomething(verdict) ? `; the largest ratio is ${ratioNumber(verdict.worst_ratio)}` : "";
    return facts([["First fault", locationText(verdict.first_bad)],
      ["Compared", `${plural(verdict.compared, "value", "values")}, none beyond ${verdict.bound}${largest}`]]);
  }
  if (!comparedSomething(verdict)) return facts([["Compared", "nothing"], ["Bound", verdict.bound]]);
  return facts([
    ["Worst ratio", `${ratioText(verdict)} (1 is the limit)`],
    ["Where", locationText(verdict.location)],
    ["Value", numberText(verdict.value, 9)],
    ["Expected", numberText(verdict.expected, 9)],
    ["Error", numberText(verdict.error)],
    ["Allowed", numberText(verdict.bound_value)],
    ["First out of bound", firstBadText(verdict)],
    ["Out of bound", `${countText(verdict.violations)} of ${plural(verdict.compared, "value", "values")}`],
  ]);
}

const block = (title, ...content) => el("section", { class: "block" }, el("h3", {}, title), ...content);
const list = (texts) => el("ul", {}, texts.map((text) => el("li", {}, text)));
const some = (texts, make) => (texts.length > 0 ? make(texts) : null);

function findingsBlock(verdict) {
  return some(verdict.findings || [], (findings) => block("In the source", el("ul", { class: "findings" },
    findings.map(({ kind, message, file, line }) => el("li", {}, el("strong", {}, kind), ": ", named(message), " ",
      file ? el("code", {}, line > 0 ? `${file}:${line}` : file) : null)))));
}

function explainedBlock(verdict) {
  const explained = verdict.explained || [];
  if (explained.length > 0) {  // long, and so in a box that scrolls: pictures follow
    const box = { class: "explained", tabindex: "0", role: "region", "aria-label": "Explanation" };
    return block("Explanation", el("pre", box, explained.join("\n")));
  }
  const concerns = ["failed", "nonconforming"].includes(verdict.status) && verdict.property === "accuracy";
  if (!concerns || !verdict.path || verdict.notes.some((note) => note.includes("deltaproof explain"))) return null;
  return block("Explanation", el("p", {}, "Which stage went wrong, and what a known fault would do, says"),
    commandLine(`deltaproof explain ${shellWord(verdict.path)}`));
}

// As the command quotes it. A name of other bytes than printable ASCII is in no report as it was.
function shellWord(text) {
  return /^[\w@%+=:,.\/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function shareText(part, whole) {
  return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : "none";
}

function conformityBlock({ conformity }) {
  if (!conformity) return null;
  const { pin, bits } = conformity;
  return block("Declared order of roundings", facts([
    ["Declared", conformity.declaration],
    ["Layout that autotuning chose", conformity.layout],
    [pin ? pin.bound : "PIN", pin && `${countText(pin.violations)} of ${countText(pin.compared)} outside, ` +
      `${shareText(pin.unambiguous, pin.compared)} known to the bit` +
      (pin.unknown ? `, of ${countText(pin.unknown)} nothing is known` : "")],
    ["First outside", pin && locationText(pin.first_bad)],
    ["Bits", bits && `${countText(bits.unequal)} of ${countText(bits.compared)} differ (${bits.tensor_core})`],
    ["First other bit", bits && locationText(bits.first)],
    ["Would fit", conformity.would_fit.join("; ")],
    ["Not worked out", conformity.missing.join("; ")],
  ]));
}

function structureText({ statistic, tensor, group, index, value, expected, limit }) {
  const where = `${statistic} of ${tensor}, ${group}${index === null ? "" : ` ${index}`}: ${numberText(value)}`;
  return statistic === "slope" ? `${where} (a correct kernel: ${numberText(expected)}, within ${numberText(limit)})` :
    `${where} (limit ${numberText(limit)})`;
}

function advisoryBlock({ advisory }) {
  if (!advisory) return null;
  if (advisory.off) return block("Do the errors look like chance?", el("p", {}, `Not asked: ${advisory.off}`));
  const { sigma, structures } = advisory;
  return block("Do the errors look like chance?", facts([
    ["Beyond the limit", `${countText(sigma.outside)} of ${countText(sigma.compared)} values are beyond ` +
      `${numberText(sigma.limit)} sigma; largest ${numberText(sigma.largest)}`],
    ["Largest at", sigma.outside > 0 ? locationText(sigma.worst) : ""],
    ["Patterns", `${countText(structures.length)} of ${countText(advisory.statistics)} statistics alarm`],
    ["Left out", advisory.units_off > 0 ?
      `${advisory.units_off} of ${advisory.units + advisory.units_off} chunks: ${advisory.why_units_off}` : ""],
  ]), some(structures.slice(0, 5).map(structureText), list),
  structures.length > 5 ? toggle(`All ${structures.length}`, () => list(structures.map(structureText))) : null);
}

function probesBlock({ probes }) {
  if (probes.length === 0) return null;
  const accepted = probes.filter((probe) => probe.accepted);
  const text = ({ tensor, head, wrong_answer: wrong, places, first }) => `${wrong} in ${tensor}` +
    (head === null ? "" : `, head ${head}`) +
    (places > 0 ? ` (${plural(places, "place", "places")}, the first at ${locationText(first)})` : "");
  const tried = plural(probes.length, "wrong answer", "wrong answers");
  const made = el("p", {}, `${countText(accepted.length)} of ${tried} that were tried would have been accepted.`);
  return block("Could the check have failed?", made, some(accepted.slice(0, 10).map(text), list),
    accepted.length > 10 ? toggle(`All ${accepted.length}`, () => list(accepted.map(text))) : null);
}

function ranBlock({ ran, path, arithmetic, outputs_hash: hash }) {
  return block("What was judged", facts([
    ["File", path], ["Declared arithmetic", arithmetic], ["Outputs (SHA-256)", hash],
    ["Ran on", ran && ran.device], ["Driver", ran && ran.driver], ["Tensor core followed", ran && ran.tensor_core],
    ["Compiler", ran && `${ran.compiler} ${ran.flags}`.trim()], ["Launch", ran && ran.launch],
    ["Source (SHA-256)", ran && ran.source_hash],
  ]));
}

const anyProfile = rows.some(({ verdict }) => verdict.profile && verdict.profile.length > 0);

// Why there is no picture where there might be one, or "".
function withoutPicture(verdict) {
  if (verdict.profile_left_out) {
    return "The picture of where its errors lie was left out to keep this page small. report.json has it; a page of " +
      "this case alone shows it:";
  }
  const mightBe = anyProfile && verdict.property === "accuracy" && comparedSomething(verdict);
  if (!mightBe || (verdict.profile && verdict.profile.length > 0)) return "";
  return "No picture of where its errors lie was kept: a report keeps those of its first failures and of what is " +
    "nearest to its bound. A report of this case alone may show it:";
}

function picturesBlock(verdict) {
  const terms = verdict.terms.length > 0 ? termsChart(verdict) : null;
  const figures = [...(verdict.profile || []).flatMap(profileCharts), terms].filter((figure) => figure !== null);
  const why = withoutPicture(verdict);
  const missing = why ? el("p", { class: "quiet" }, why) : null;
  if (figures.length === 0 && !missing) return null;
  const again = missing && verdict.reproduce ? commandLine(`${verdict.reproduce} --report DIR`) : null;
  return block("Pictures", missing, again,
    el("div", { class: "charts" }, figures));
}

function detail(index) {
  const { verdict } = rows[index];
  return el("article", { id: "detail", class: verdict.status }, detailNavigation(index),
    el("h2", { tabindex: "-1" }, badge(verdict.status), " ", named(verdict.case || "(no name)")),
    el("p", { class: "quiet" }, named(verdict.kernel), ", ", named(verdict.property)),
    verdict.reason ? el("p", { class: "reason" }, verdict.reason) : null,
    verdict.reproduce ? block("Reproduce", commandLine(verdict.reproduce)) : null,
    findingsBlock(verdict),
    el("div", { class: "pair" },
      block(failedElsewhere(verdict) ? "What failed" : "Worst value", worstFacts(verdict)), explainedBlock(verdict)),
    picturesBlock(verdict), conformityBlock(verdict), advisoryBlock(verdict), probesBlock(verdict),
    some(verdict.notes, (notes) => block("Notes", list(notes))), ranBlock(verdict));
}
