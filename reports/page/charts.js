// Charts by Chart.js: the look they share, the figure around each, and the line that marks a limit.

const liveCharts = [];
const waiting = [];  // charts whose figures are not in the page yet

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// A dashed line at the value `at` of an axis.
const limitLine = {
  id: "limitLine",
  afterDatasetsDraw(chart, _, { axis, at, label }) {
    const scale = chart.scales[axis];
    if (at === undefined || at < scale.min || at > scale.max) return;
    const { ctx, chartArea: area } = chart;
    const place = scale.getPixelForValue(at);
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour("text");
    ctx.lineWidth = 1.5;
    ctx.setLineDash([6, 4]);
    ctx.beginPath();
    ctx.moveTo(axis === "x" ? place : area.left, axis === "x" ? area.top : place);
    ctx.lineTo(axis === "x" ? place : area.right, axis === "x" ? area.bottom : place);
    ctx.stroke();
    ctx.font = "12px sans-serif";
    ctx.textAlign = axis === "x" && place > area.right - 40 ? "right" : "left";
    ctx.textBaseline = "bottom";
    if (axis === "x") ctx.fillText(label, place + (ctx.textAlign === "left" ? 4 : -4), area.top + 14);
    else ctx.fillText(label, area.left + 4, place > area.top + 16 ? place - 2 : place + 16);
    ctx.restore();
  },
};

// "inf" above each bar of such a value, where there is room: its length says nothing.
const infiniteBars = {
  id: "infiniteBars",
  afterDatasetsDraw(chart, _, { ratios }) {
    const { ctx } = chart;
    ctx.save();
    ctx.fillStyle = colour("text");
    ctx.font = "12px sans-serif";
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    let free = -Infinity;
    chart.getDatasetMeta(0).data.forEach(({ x, y }, i) => {
      if (ratios[i] !== Infinity || x < free) return;
      ctx.fillText("inf", x, y - 2);
      free = x + 20;
    });
    ctx.restore();
  },
};

const axis = (title, more = {}) => ({
  title: { display: true, text: title, color: colour("text") },
  ticks: { color: colour("text"), maxRotation: 0, autoSkipPadding: 12, ...more.ticks },
  grid: { color: colour("line") },
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "ticks")),
});

// Powers of ten alone, in short.
const isPowerOfTen = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
const logAxis = (title, more = {}) => axis(title, {
  type: "logarithmic",
  ticks: { callback: (value) => (isPowerOfTen(value) ? numberText(value) : "") },
  ...more,
});

function chartOptions(scales, more = {}) {
  return {
    animation: false, responsive: true, maintainAspectRatio: false, scales,
    interaction: { mode: "nearest", intersect: false, axis: "x" },
    ...more,
    plugins: { legend: { display: false, labels: { color: colour("text"), usePointStyle: true } }, ...more.plugins },
  };
}

// title: what it shows; summary: what there is to see, in words; config: makes Chart.js's; table: makes a table of the
// same.
function chartFigure({ kind, title, summary, config, table: makeTable, height = 240, below = null }) {
  const canvas = el("canvas", { role: "img", "aria-label": `${title}. ${summary}` });
  const box = el("div", { class: "canvas" }, canvas);
  box.style.height = `${height}px`;
  waiting.push(() => liveCharts.push(new Chart(canvas, config())));
  return el("figure", { class: "chart", "data-chart": kind },
    el("figcaption", {}, el("strong", {}, title), el("span", { class: "quiet" }, ` ${summary}`)), box, below,
    toggle("The numbers as a table", makeTable));
}

// To be called when the figures are in the page: a chart takes its size from there.
function drawCharts() {
  for (const draw of waiting.splice(0)) draw();
}

function destroyCharts() {
  for (const chart of liveCharts.splice(0)) chart.destroy();
  waiting.length = 0;
}
