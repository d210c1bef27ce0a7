// Puts the page together and follows the address.

const sections = [
  { id: "verdicts", title: "Verdicts", there: report && rows.length > 0, make: verdictSection },
  { id: "kill-matrix", title: "Kill matrix", there: killMatrix, make: matrixSection },
  { id: "ledger", title: "Claims", there: ledger && ledger.claims.length > 0, make: ledgerSection },
  { id: "rests-on", title: "What this rests on", there: ledger?.assumptions?.length > 0, make: restsOnSection },
  { id: "environment", title: "Environment", there: report, make: environmentSection },
].filter(({ there }) => there);

const main = document.getElementById("main");
const overview = el("div", { id: "overview" });
let opened = { verdict: null, scroll: 0 };

function showVerdict(index) {
  if (opened.verdict === null) opened.scroll = scrollY;
  opened.verdict = index;
  destroyCharts();
  overview.hidden = true;
  document.getElementById("detail")?.remove();
  main.append(detail(index));
  drawCharts();
  scrollTo(0, 0);
  document.querySelector("#detail h2").focus({ preventScroll: true });
}

function showOverview({ section: id, claim }) {
  destroyCharts();
  document.getElementById("detail")?.remove();
  overview.hidden = false;
  const from = opened.verdict;
  opened.verdict = null;
  if (claim) return openClaim(claim)?.scrollIntoView();
  if (from !== null) {  // back to where the table was
    scrollTo(0, opened.scroll);
    const link = overview.querySelector(`a[href="${verdictAddress(from)}"]`);
    return link?.focus({ preventScroll: true });
  }
  const target = id ? document.getElementById(`${id}-title`) : null;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

function follow() {
  const to = route();
  if (to.verdict !== undefined) showVerdict(to.verdict);
  else showOverview(to);
}

document.getElementById("header").append(...header(sections));
overview.append(...[worst(), ...sections.map(({ make }) => make())].filter((node) => node !== null));
main.replaceChildren(overview);
addEventListener("hashchange", follow);
// Colours of charts are drawn: another scheme needs them drawn anew.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (opened.verdict !== null) showVerdict(opened.verdict);
});
follow();
