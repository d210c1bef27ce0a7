// Head against token: the largest ratio in each cell, in bands whose lightness alone tells them apart.

const bands = [
  { upTo: 0.01, text: "up to 0.01" }, { upTo: 0.1, text: "0.1" }, { upTo: 0.25, text: "0.25" },
  { upTo: 0.5, text: "0.5" }, { upTo: 0.75, text: "0.75" }, { upTo: 1, text: "1" },
];
const beyond = bands.length;
const bandOf = (ratio) => {
  const band = bands.findIndex(({ upTo }) => ratio <= upTo);
  return band < 0 ? beyond : band;
};

// Beyond the limit: hatched, so that it is another thing, and not one step more, in grey too.
function hatching(context) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  pen.fillStyle = colour("beyond");
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = colour("beyond-hatch");
  pen.lineWidth = 1.5;
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift, 6);
    pen.lineTo(shift + 6, 0);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

function bandLegend() {
  const swatch = (band, text) =>
    el("span", { class: "swatch" }, el("i", { class: `band${band}`, "aria-hidden": "true" }), text);
  return el("p", { class: "legend quiet" }, "error / allowed: ", bands.map(({ text }, i) => swatch(i, text)),
    swatch(beyond, "beyond 1"));
}

// Cells are floating bars, each as wide as its tokens: left alone, Chart.js takes the smallest gap for the width, and
// states lie apart.
function heatDatasets(profile, fills) {
  const middle = (cell) => (cell + 0.5) * profile.tokens_a_cell;
  return profile.heads.map((head, line) => {
    const cells = profile.ratio[line].map((value, cell) => ({ ratio: number(value), cell }))
      .filter(({ ratio }) => !Number.isNaN(ratio));
    return {
      label: `head ${head}`, grouped: false, barPercentage: 1, categoryPercentage: 1, borderWidth: 0,
      barThickness: ({ chart }) => chart.scales.x.width / cellsOf(profile), minBarLength: 1,
      data: cells.map(({ ratio, cell }) => ({ x: middle(cell), y: [line, line + 1], ratio, cell })),
      backgroundColor: cells.map(({ ratio }) => fills[bandOf(ratio)]),
    };
  });
}

function heatConfig(profile) {
  const hatched = hatching(document.createElement("canvas").getContext("2d"));
  const fills = [...bands.map((_, i) => colour(`band${i}`)), hatched];
  const heads = profile.heads.length;
  return {
    type: "bar",
    data: { datasets: heatDatasets(profile, fills) },
    options: chartOptions({
      x: axis(tokenAxis, { type: "linear", min: 0, max: cellsOf(profile) * profile.tokens_a_cell, offset: false,
        grid: { display: false } }),
      y: axis("head", { min: 0, max: heads, reverse: true, grid: { display: false }, afterBuildTicks: (scale) => {
        scale.ticks = profile.heads.map((_, line) => ({ value: line + 0.5 }));
      }, ticks: { callback: (value) => profile.heads[Math.floor(value)] } }),
    }, {
      interaction: { mode: "point", intersect: true },
      plugins: { tooltip: { callbacks: {
        title: ([item]) => tokensText(profile, item.raw.cell),
        label: (item) => `${item.dataset.label}: ${ratioNumber(item.raw.ratio)} of what is allowed`,
      } } },
    }),
  };
}

function heatSummary(profile) {
  let most = { ratio: -1, head: 0, cell: 0 }, outside = 0;
  profile.ratio.forEach((line, i) => line.forEach((value, cell) => {
    const ratio = number(value);
    if (ratio > 1) ++outside;
    if (ratio > most.ratio) most = { ratio, head: profile.heads[i], cell };
  }));
  if (most.ratio < 0) return "Nothing was compared.";
  return `Largest: ${ratioNumber(most.ratio)} in head ${most.head}, ${tokensText(profile, most.cell)}; ` +
    `${plural(outside, "cell is", "cells are")} beyond the limit 1.`;
}

function heatTable(profile) {
  const cells = [...Array(cellsOf(profile)).keys()];
  return dataTable("Largest ratio by head and token", ["head", ...cells.map((cell) => tokensText(profile, cell))],
    profile.heads.map((head, line) => [String(head), ...profile.ratio[line].map((ratio) => ratioNumber(ratio))]));
}

const heatMap = (profile) => chartFigure({
  kind: "heat", title: `Where in ${profile.tensor}: head and token`, summary: heatSummary(profile),
  config: () => heatConfig(profile), table: () => heatTable(profile), below: bandLegend(),
  height: Math.min(90 + 22 * profile.heads.length, 520),
});
