// The table of verdicts: filtered, sorted, and shown 200 rows at a time, since a page of 10,000 rows is slow.

const rowsAtATime = 200;

const columns = [
  { name: "Status", text: (row) => badge(row.verdict.status), compare: worstFirst },
  { name: "Case", text: (row) => el("a", { href: verdictAddress(row.index) }, named(row.verdict.case || "(no name)")),
    compare: byText((row) => row.verdict.case) },
  { name: "Kernel", text: (row) => named(row.verdict.kernel), compare: byText((row) => row.verdict.kernel) },
  { name: "Property", text: (row) => named(row.verdict.property), compare: byText((row) => row.verdict.property) },
  { name: "Worst ratio", text: (row) => ratioText(row.verdict),
    compare: (x, y) => y.ratio - x.ratio || x.index - y.index },
  { name: "Where", text: (row) => placeText(row.verdict), compare: byText((row) => placeText(row.verdict)) },
  { name: "Reason", text: (row) => row.verdict.reason, compare: byText((row) => row.verdict.reason) },
];

function byText(text) {
  return (x, y) => text(x).localeCompare(text(y), "en", { numeric: true }) || x.index - y.index;
}

const shown = { query: "", status: "", kernel: "", property: "", column: 0, reversed: false, most: rowsAtATime };

function haystack(row) {
  const { verdict } = row;
  row.haystack ??= [verdict.case, verdict.path, verdict.kernel, verdict.property, verdict.status, verdict.bound,
    verdict.reason, locationText(verdict.location), ...verdict.notes].join(" ").toLowerCase();
  return row.haystack;
}

function wantedRows() {
  const wanted = rows.filter(({ verdict }) => (!shown.status || verdict.status === shown.status) &&
    (!shown.kernel || verdict.kernel === shown.kernel) && (!shown.property || verdict.property === shown.property));
  const found = shown.query ? wanted.filter((row) => matches(haystack(row), shown.query)) : wanted;
  found.sort(columns[shown.column].compare);
  return shown.reversed ? found.reverse() : found;
}

const table = { body: null, count: null, more: null, headings: [], buttons: [], status: null };

function drawTable() {
  const found = wantedRows();
  const visible = found.slice(0, shown.most);
  table.body.replaceChildren(...visible.map((row) => el("tr", { role: "row", class: row.verdict.status },
    columns.map((column) => el("td", { role: "cell", "data-label": column.name }, column.text(row))))));
  const part = visible.length < found.length ? `${countText(visible.length)} of ` : "";
  table.count.textContent = found.length === 0 ? "No verdict is like that." :
    `${part}${plural(found.length, "verdict", "verdicts")} shown.`;
  table.more.hidden = visible.length === found.length;
  table.headings.forEach((heading, i) => heading.setAttribute("aria-sort",
    i !== shown.column ? "none" : shown.reversed ? "descending" : "ascending"));
  for (const button of table.buttons) {
    button.setAttribute("aria-pressed", String(button.dataset.status === shown.status));
  }
}

function change(what) {
  Object.assign(shown, { most: rowsAtATime }, what);
  table.status.value = shown.status;
  drawTable();
}

function sortBy(column) {
  change({ column, reversed: shown.column === column && !shown.reversed });
}

// Counts by status; each filters.
function statusButtons() {
  table.buttons = statuses.map(({ name }) => {
    const count = rows.filter((row) => row.verdict.status === name).length;
    return count === 0 ? null : el("button", { type: "button", class: `count ${name}`, "data-status": name,
      "aria-pressed": "false", onclick: () => change({ status: shown.status === name ? "" : name }) },
    el("strong", {}, countText(count)), " ", badge(name));
  }).filter((button) => button !== null);
  return el("div", { class: "counts", role: "group", "aria-label": "Verdicts by status" }, table.buttons);
}

function filters() {
  const values = (key) => [...new Set(rows.map((row) => row.verdict[key]))].sort();
  const options = (all, names) => [{ value: "", text: all }, ...names.map((name) => ({ value: name, text: name }))];
  const status = select("Status", options("all", values("status")), "", (value) => change({ status: value }));
  table.status = status.querySelector("select");
  return el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    searchBox("Search", (query) => change({ query: query.trim() })), status,
    select("Kernel", options("all", values("kernel")), "", (kernel) => change({ kernel })),
    select("Property", options("all", values("property")), "", (property) => change({ property })));
}

// A click anywhere in a row opens it, unless text is being selected or the link was meant.
function openRow(event) {
  const link = event.target.closest("tr")?.querySelector("a");
  if (link && !event.target.closest("a") && getSelection().isCollapsed) link.click();
}

function verdictSection() {
  table.headings = columns.map((column, i) => el("th", { role: "columnheader", scope: "col" },
    el("button", { type: "button", onclick: () => sortBy(i) }, column.name)));
  table.body = el("tbody", { role: "rowgroup", onclick: openRow });
  table.count = el("p", { role: "status", class: "found" });
  table.more = el("button", { type: "button", class: "more", onclick: () => {
    shown.most += rowsAtATime;
    drawTable();
  } }, `Show ${rowsAtATime} more`);
  const content = section("verdicts", "Verdicts", statusButtons(), filters(), table.count,
    el("table", { class: "verdicts", role: "table", "aria-label": "Verdicts" },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, table.headings)), table.body), table.more);
  drawTable();
  return content;
}
