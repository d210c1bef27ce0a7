// The answer in one sentence, and where to look first, worst first.

const worstShown = 5;

function countsOf(names) {
  return names.map(({ name }) => [name, rows.filter((row) => row.verdict.status === name).length])
    .filter(([, count]) => count > 0);
}

// "2 failed, 1 error"
const listOf = (counts) => counts.map(([name, count]) => `${countText(count)} ${name}`).join(", ");
const sumOf = (counts) => counts.reduce((sum, [, count]) => sum + count, 0);

// { sentence, sign, kind }: kind is a class, "bad", "unsure", "neutral" or "good". The order is that of the exit status
// and the words those of summary.md.
function overall() {
  if (!report) return { sentence: killMatrix ? "A kill matrix" : "A ledger of claims", sign: "", kind: "neutral" };
  const all = rows.length;
  if (all === 0) return { sentence: "No verdicts: nothing was checked.", sign: "!", kind: "bad" };
  const of = `of ${plural(all, "verdict", "verdicts")}`;
  const [wrong, unproved, suspect] = [({ wrong: is }) => is, ({ provesNothing }) => provesNothing,
    ({ name }) => name === "suspect"].map((kind) => countsOf(statuses.filter(kind)));
  if (wrong.length > 0) return wentWrong(wrong, [...suspect, ...unproved], of);
  if (unproved.length > 0) {
    const none = `${countText(sumOf(unproved))} ${of} ${sumOf(unproved) === 1 ? "proves" : "prove"} nothing`;
    const sentence = `Not proved: ${none}; none failed (${listOf([...suspect, ...unproved])})`;
    return { sentence, sign: "○", kind: "neutral" };
  }
  if (suspect.length > 0) {
    const sentence = `Suspect: ${countText(sumOf(suspect))} ${of}; every proved bound holds`;
    return { sentence, sign: "?", kind: "unsure" };
  }
  return { sentence: all === 1 ? "The verdict is passed" : `All ${countText(all)} verdicts passed`, sign: "✓",
    kind: "good" };
}

function wentWrong(wrong, others, of) {
  const [[name]] = wrong;
  const verbs = { failed: "failed", error: "ended in an error" };
  const verb = verbs[name] ?? `${sumOf(wrong) === 1 ? "is" : "are"} ${name}`;
  const what = wrong.length === 1 ? verb : `went wrong: ${listOf(wrong)}`;
  const rest = others.length > 0 ? `; ${listOf(others)}` : "";
  const sentence = `${countText(sumOf(wrong))} ${of} ${what}${rest}`;
  return { sentence, sign: statuses[rankOf.get(name)].sign, kind: "bad" };
}

function whereText(verdict) {
  if (hasWorst(verdict)) return `Worst: ${ratioText(verdict)} at ${locationText(verdict.location)}`;
  return failedElsewhere(verdict) && verdict.first_bad ? `First fault: ${placeText(verdict)}` : "";
}

function worstItem({ index, verdict }) {
  const where = whereText(verdict);
  return el("li", { class: verdict.status },
    el("p", {}, badge(verdict.status), " ",
      el("a", { href: verdictAddress(index) }, named(verdict.case || "(no name)")),
      el("span", { class: "quiet" }, " ", named(verdict.kernel), ", ", named(verdict.property))),
    el("p", { class: "reason" }, verdict.reason), where ? el("p", { class: "quiet" }, where) : null);
}

function worst() {
  const bad = rows.filter((row) => statuses[row.rank].worthALook).sort(worstFirst);
  if (bad.length === 0) return null;
  const more = bad.length - worstShown;
  return el("div", { id: "worst" }, el("h2", { class: "hidden" }, "Where to look first"),
    el("ol", { class: "worst" }, bad.slice(0, worstShown).map(worstItem)),
    more > 0 ? el("p", { class: "quiet" }, `and ${countText(more)} more, below`) : null);
}

function header(sections) {
  const { sentence, sign, kind } = overall();
  document.title = `${sign} ${sentence} - Deltaproof`.trim();
  const made = report ? report.environment : null;
  return [
    el("p", { class: "product" }, el("strong", {}, "Deltaproof"), made ? ` ${made.deltaproof}, ${made.date}` : ""),
    el("h1", { class: kind },
      sign ? el("span", { "aria-hidden": "true" }, `${sign} `) : null, sentence),
    sections.length > 1 ? el("nav", { "aria-label": "Sections" },
      sections.map(({ id, title }) => el("a", { href: `#${id}` }, title))) : null,
  ].filter((node) => node !== null);
}
