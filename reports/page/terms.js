// The terms of a bound at the worst value, largest first.

function termsConfig(terms) {
  return {
    type: "bar",
    data: { labels: terms.map(({ name }) => visible(name)), datasets: [{ label: "allowed",
      data: terms.map(({ value }) => drawable(value)), backgroundColor: colour("series") }] },
    options: chartOptions({
      x: axis("allowed", { ticks: { callback: (value) => numberText(value) } }),
      y: axis("", { title: { display: false }, ticks: { autoSkip: false } }),
    }, {
      indexAxis: "y",
      interaction: { mode: "nearest", intersect: false, axis: "y" },
      plugins: { tooltip: { callbacks: { label: (item) => numberText(item.raw) } } },
    }),
  };
}

function termsChart(verdict) {
  const terms = verdict.terms.map(({ name, value }) => ({ name, value: number(value) }));
  terms.sort((x, y) => y.value - x.value);
  const largest = terms.slice(0, 2).map(({ name, value }) => `${name} ${numberText(value)}`).join(", ");
  return chartFigure({
    kind: "terms", title: `Terms of the bound at the ${failedElsewhere(verdict) ? "largest ratio" : "worst value"}`,
    summary: `What correct rounding may do there: ${largest}${terms.length > 2 ? " .." : ""}; ` +
      "they do not say which one erred.",
    height: 70 + 26 * terms.length, config: () => termsConfig(terms),
    table: () => dataTable("Terms of the bound", ["term", "value"],
      terms.map(({ name, value }) => [name, numberText(value, 6)])),
  });
}
