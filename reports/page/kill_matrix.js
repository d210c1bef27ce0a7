// Which rule sees which known defect: for each, in how many families of inputs it is killed, of those where the rule
// says something.

const applies = ([judged]) => judged > 0;

// [killed, of how many] in the cells of a row, for one rule; in one regime if it is named.
function shareOf(row, rule, regime) {
  const cells = row.cells.filter((cell) => !regime || cell.regime === regime);
  const counts = cells.map((cell) => cell.rules[rule]).filter(applies);
  return [counts.filter(([, killed]) => killed > 0).length, counts.length];
}

function shareCell([killed, of]) {
  if (of === 0) return el("td", { role: "cell", class: "none" }, "-");
  const level = killed === 0 ? 0 : killed === of ? 2 : 1;
  return el("td", { role: "cell", class: `share${level}` }, `${killed}/${of}`);
}

// Of all defects that should be killed: in some regime.
function totals(regime) {
  const defects = killMatrix.rows.filter((row) => !row.should_survive);
  return killMatrix.rules.map((_, rule) => {
    const shares = defects.map((row) => shareOf(row, rule, regime)).filter(([, of]) => of > 0);
    return [shares.filter(([killed]) => killed > 0).length, shares.length];
  });
}

function matrixTable(regime) {
  const heading = (text, more = {}) => el("th", { role: "columnheader", scope: "col", ...more }, text);
  const line = (name, title, shares, kind) => el("tr", { role: "row", class: kind },
    el("th", { role: "rowheader", scope: "row", title }, name), shares.map(shareCell));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Kill matrix" },
    el("table", { class: "matrix", role: "table" },
      el("caption", {}, regime ? `Inputs: ${regime}` : "killed in / families of inputs where the rule says something"),
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heading("defect"),
        killMatrix.rules.map(({ name, published }) => heading(published ? `${name} (published)` : name)))),
      el("tbody", { role: "rowgroup" }, line("defects killed", "in some family", totals(regime), "total"),
        killMatrix.rows.map((row) => line(row.id + (row.should_survive ? " (must survive)" : ""), row.sentence,
          killMatrix.rules.map((_, rule) => shareOf(row, rule, regime)), "")))));
}

function matrixSection() {
  const { rows: all } = killMatrix;
  const survivors = all.filter((row) => !row.should_survive && !row.killed);
  const alarms = all.filter((row) => row.should_survive && row.killed);
  const defects = all.filter((row) => !row.should_survive).length;
  const regimes = all.length > 0 ? all[0].cells.map((cell) => cell.regime) : [];
  const place = el("div", {}, matrixTable(""));
  const named = (title, those, text) => some(those.map((row) => el("li", {}, el("strong", {}, row.id), text(row))),
    (items) => el("div", { class: "block" }, el("h3", {}, title), el("ul", {}, items)));
  return section("kill-matrix", "Kill matrix",
    el("p", {}, `${countText(defects - survivors.length)} of ${plural(defects, "known defect", "known defects")} put ` +
      `into ${killMatrix.kernel} are killed by our rules; ${plural(alarms.length, "false alarm", "false alarms")}. ` +
      (Number.isSafeInteger(killMatrix.seed) ? `Seed ${killMatrix.seed}.` : "")),  // a script has 53 bits of 64
    named("Survive all our rules", survivors, (row) => `: ${row.survives_because}`),
    named("False alarms", alarms, () => " is killed, and should not be"),
    el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      select("Family of inputs",
        [{ value: "", text: "all" }, ...regimes.map((regime) => ({ value: regime, text: regime }))], "",
        (regime) => place.replaceChildren(matrixTable(regime)))), place);
}
