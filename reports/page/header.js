// The answer in one sentence, and what went wrong, worst first.

const worstShown = 5;

function countsOf(names) {
  return names.map(({ name }) => [name, rows.filter((row) => row.verdict.status === name).length])
    .filter(([, count]) => count > 0);
}

// { sentence, sign, bad }
function overall() {
  if (!report) return { sentence: killMatrix ? "A kill matrix" : "A ledger of claims", sign: "", bad: false };
  const all = rows.length;
  if (all === 0) return { sentence: "No verdicts: nothing was checked.", sign: "!", bad: true };
  const against = countsOf(statuses.filter((status) => status.speaksAgainst));
  const bad = against.reduce((sum, [, count]) => sum + count, 0);
  const of = `of ${plural(all, "verdict", "verdicts")}`;
  if (bad > 0) {
    const list = against.map(([name, count]) => `${countText(count)} ${name}`).join(", ");
    const [[name]] = against;
    const verbs = { failed: "failed", error: "ended in an error" };
    const verb = verbs[name] ?? `${bad === 1 ? "is" : "are"} ${name}`;
    const sentence = `${countText(bad)} ${of} ` + (against.length === 1 ? verb : `went wrong: ${list}`);
    return { sentence, sign: statuses[rankOf.get(name)].sign, bad: true };
  }
  const others = countsOf(statuses.filter((status) => !status.speaksAgainst && status.name !== "passed"));
  const passed = all - others.reduce((sum, [, count]) => sum + count, 0);
  if (passed === all) {
    const sentence = all === 1 ? "The verdict is passed" : `All ${countText(all)} verdicts passed`;
    return { sentence, sign: "✓", bad: false };
  }
  const list = others.map(([name, count]) => `${countText(count)} ${name}`).join(", ");
  const sentence = `${countText(passed)} ${of} passed, none speaks against the run; ${list}`;
  return { sentence, sign: passed > 0 ? "✓" : "○", bad: false };
}

function worstItem({ index, verdict }) {
  const where = comparedSomething(verdict) ?
    `Worst: ${ratioText(verdict)} at ${locationText(verdict.location)}` : "";
  return el("li", { class: verdict.status },
    el("p", {}, badge(verdict.status), " ", el("a", { href: verdictAddress(index) }, verdict.case || "(no name)"),
      el("span", { class: "quiet" }, ` ${verdict.kernel}, ${verdict.property}`)),
    el("p", { class: "reason" }, verdict.reason), where ? el("p", { class: "quiet" }, where) : null);
}

function worst() {
  const bad = rows.filter((row) => statuses[row.rank].speaksAgainst).sort(worstFirst);
  if (bad.length === 0) return null;
  const more = bad.length - worstShown;
  return el("div", { id: "worst" }, el("h2", { class: "hidden" }, "What went wrong"),
    el("ol", { class: "worst" }, bad.slice(0, worstShown).map(worstItem)),
    more > 0 ? el("p", { class: "quiet" }, `and ${countText(more)} more, below`) : null);
}

function header(sections) {
  const { sentence, sign, bad } = overall();
  document.title = `${sign} ${sentence} - Deltaproof`.trim();
  const made = report ? report.environment : null;
  return [
    el("p", { class: "product" }, el("strong", {}, "Deltaproof"), made ? ` ${made.deltaproof}, ${made.date}` : ""),
    el("h1", { class: bad ? "bad" : "good" },
      sign ? el("span", { "aria-hidden": "true" }, `${sign} `) : null, sentence),
    sections.length > 1 ? el("nav", { "aria-label": "Sections" },
      sections.map(({ id, title }) => el("a", { href: `#${id}` }, title))) : null,
  ].filter((node) => node !== null);
}
