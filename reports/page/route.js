// What the address says: "#v=12" is verdicts[12] of report.json, "#claim=ID" a claim, "#ledger" a section.

function route() {
  const hash = location.hash.slice(1);
  const verdict = /^v=(\d+)$/.exec(hash);
  if (verdict && rows[Number(verdict[1])]) return { verdict: Number(verdict[1]) };
  if (hash.startsWith("claim=")) return { section: "ledger", claim: decode(hash.slice("claim=".length)) };
  return { section: hash };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const verdictAddress = (index) => `#v=${index}`;
const claimAddress = (id) => `#claim=${encodeURIComponent(id)}`;
