// The claims of papers: what each says, what came out, and the smallest counterexample.

const outcomes = [
  { name: "refuted", sign: "✗" }, { name: "holds under a condition", sign: "±" }, { name: "not decidable", sign: "?" },
  { name: "holds", sign: "✓" },
];
const outcomeClass = (name) => name.replaceAll(" ", "-");
const outcomeBadge = (name) => el("span", { class: `badge ${outcomeClass(name)}` },
  el("span", { "aria-hidden": "true" }, `${outcomes.find((outcome) => outcome.name === name).sign} `), name);

const claimsShown = { query: "", outcome: "", paper: "" };

const claimText = (claim) => [claim.id, claim.statement, claim.place, claim.finding, claim.condition, claim.conditions, claim.voice]
  .join(" ").toLowerCase();

function counterexample({ counterexample: found }) {
  if (!found) return null;
  return el("div", { class: "counterexample" }, el("h4", {}, "Counterexample"),
    facts(found.inputs.map(({ name, value }) => [name, value])), el("p", {}, found.shows));
}

function claimBody(claim) {
  return el("div", {}, facts([
    ["Place", `${claim.place}${claim.pages ? `, p. ${claim.pages}` : ""}`],
    ["Whose words", claim.voice], ["Given", claim.conditions], ["Holds if", claim.condition], ["Checked by", claim.method],
    ["Cases", claim.cases > 0 ? countText(claim.cases) : ""],
  ]), counterexample(claim), some(claim.numbers, (numbers) => el("div", {}, el("h4", {}, "Numbers"),
    facts(numbers.map(({ name, value }) => [name, value])))), commandLine(claim.reproduce));
}

function claimItem(claim, open) {
  const details = el("details", { class: `claim ${outcomeClass(claim.outcome)}`, "data-claim": claim.id },
    el("summary", {}, outcomeBadge(claim.outcome), " ", el("strong", {}, claim.id), ` ${claim.statement}`, el("br"),
      el("span", { class: "quiet" }, claim.finding)));
  const fill = () => {
    if (details.children.length === 1) details.append(claimBody(claim));
  };
  details.addEventListener("toggle", () => details.open && fill());
  details.open = open;
  return details;
}

function wantedClaims() {
  return ledger.claims.filter((claim) => (!claimsShown.outcome || claim.outcome === claimsShown.outcome) &&
    (!claimsShown.paper || claim.paper.id === claimsShown.paper) &&
    (!claimsShown.query || matches(claimText(claim), claimsShown.query)));
}

const ledgerPlace = { list: null, count: null, buttons: [] };

function drawClaims(openId = "") {
  const claims = wantedClaims();
  const papers = [...new Set(claims.map((claim) => claim.paper.id))];
  ledgerPlace.list.replaceChildren(...papers.map((id) => {
    const those = claims.filter((claim) => claim.paper.id === id);
    const { title, version, date } = those[0].paper;
    return el("div", { class: "paper" }, el("h3", {}, title),
      el("p", { class: "quiet" }, [version, date].filter(Boolean).join(", ")),
      those.map((claim) => claimItem(claim, claim.id === openId)));
  }));
  ledgerPlace.count.textContent = claims.length === 0 ? "No claim is like that." :
    `${plural(claims.length, "claim", "claims")} shown.`;
  for (const button of ledgerPlace.buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.outcome === claimsShown.outcome));
  }
}

function changeClaims(what) {
  Object.assign(claimsShown, what);
  drawClaims();
}

// For an address "#claim=ID": without filters, so that it is there.
function openClaim(id) {
  Object.assign(claimsShown, { query: "", outcome: "", paper: "" });
  for (const input of document.querySelectorAll("#ledger input, #ledger select")) input.value = "";
  drawClaims(id);
  return [...ledgerPlace.list.querySelectorAll("details")].find((details) => details.dataset.claim === id);
}

function ledgerSection() {
  const papers = new Map(ledger.claims.map(({ paper }) => [paper.id, paper.title]));
  ledgerPlace.list = el("div");
  ledgerPlace.count = el("p", { role: "status", class: "found" });
  ledgerPlace.buttons = outcomes.map(({ name }) => {
    const count = ledger.claims.filter((claim) => claim.outcome === name).length;
    return count === 0 ? null : el("button", { type: "button", class: `count ${outcomeClass(name)}`,
      "data-outcome": name, "aria-pressed": "false",
      onclick: () => changeClaims({ outcome: claimsShown.outcome === name ? "" : name }) },
    el("strong", {}, countText(count)), " ", outcomeBadge(name));
  }).filter((button) => button !== null);
  const content = section("ledger", "Claims of papers",
    el("div", { class: "counts", role: "group", "aria-label": "Claims by outcome" }, ledgerPlace.buttons),
    el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
      searchBox("Search", (query) => changeClaims({ query: query.trim() })),
      select("Paper", [{ value: "", text: "all" }, ...[...papers].map(([value, text]) => ({ value, text }))], "",
        (paper) => changeClaims({ paper }))),
    ledgerPlace.count, ledgerPlace.list);
  drawClaims();
  return content;
}
