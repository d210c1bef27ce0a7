// Elements. Text comes into the page by text nodes alone, so a name is never markup.

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (["aria-label", "title"].includes(name)) node.setAttribute(name, visible(value));
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined)
    .map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

// A name that somebody chose: what it holds does not turn its neighbours around, and its lines break between words.
const named = (text) => el("bdi", {}, visible(text).split(/(?<=[_\/.:,-])(?=[^_\/.:,-])/).flatMap((part, i) =>
  (i === 0 ? [part] : [el("wbr"), part])));

const section = (id, title, ...children) =>
  el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title`, tabindex: "-1" }, title),
    ...children);

const badge = (status) =>
  el("span", { class: `badge ${status}` },
    el("span", { "aria-hidden": "true" }, `${statuses[rankOf.get(status)].sign} `), status);

// Roles are written out: on a phone the cells are laid out as lists, and a browser would forget what they are.
function dataTable(caption, headings, lines) {
  const row = (cells, tag, role, scope) =>
    el("tr", { role: "row" }, cells.map((cell) => el(tag, { role, scope }, cell)));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { role: "table" }, el("caption", {}, caption),
      el("thead", { role: "rowgroup" }, row(headings, "th", "columnheader", "col")),
      el("tbody", { role: "rowgroup" }, lines.map((cells) => row(cells, "td", "cell")))));
}

// Name and value, one below the other; what is empty is left out.
const facts = (pairs) =>
  el("dl", { class: "facts" }, pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined)
    .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));

// What opens below is made only then: a table of a heat map has thousands of cells.
function toggle(label, make) {
  const details = el("details", { class: "toggle" }, el("summary", {}, label));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(make());
  });
  return details;
}

function select(label, options, value, change) {
  const input = el("select", { onchange: () => change(input.value) },
    options.map((option) => el("option", { value: option.value, selected: option.value === value }, option.text)));
  return el("label", {}, `${label} `, input);
}

function searchBox(label, change) {
  const input = el("input", { type: "search", spellcheck: "false", autocomplete: "off",
    oninput: () => change(input.value) });
  return el("label", { class: "search" }, `${label} `, input);
}

// Every word somewhere in the text.
function matches(text, query) {
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

// A line for a shell, with a button that copies it. A browser may refuse; then the line is selected, for the keyboard.
function commandLine(text) {
  const code = el("code", { tabindex: "0" }, text);
  const said = el("span", { role: "status", class: "said" });
  const selectText = () => getSelection().selectAllChildren(code);
  const copy = async () => {
    selectText();
    let copied = false;
    try {
      await navigator.clipboard.writeText(text);
      copied = true;
    } catch {
      copied = document.execCommand("copy");
    }
    said.textContent = copied ? "Copied" : "Selected: copy it with Ctrl+C";
  };
  return el("div", { class: "command" }, code, el("button", { type: "button", onclick: copy }, "Copy"), said);
}
