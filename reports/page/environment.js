// Where and with what it was made, and what a verdict rests on.

function environmentSection() {
  const { environment } = report;
  return section("environment", "Environment", facts([
    ["Deltaproof", environment.deltaproof], ["Date", environment.date], ["Device", environment.device],
    ["Host", environment.host], ["CPU", environment.cpu], ["Compiler", environment.compiler],
    ["Flags", environment.flags],
  ]));
}

function restsOnSection() {
  return section("rests-on", "What this rests on",
    el("p", {}, "What is taken to be so, and what would follow if it were not."),
    ledger.assumptions.map(({ what, value, source, if_wrong: ifWrong, supported_by: supported }) =>
      el("div", { class: "assumption" }, el("p", {}, el("strong", {}, what)),
        facts([["Value", value], ["Source", source], ["Supported by", supported], ["If wrong", ifWrong]]))));
}
