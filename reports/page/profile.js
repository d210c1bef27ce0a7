// The charts of one tensor's profile.

const cellsOf = (profile) => profile.error.length;

// A profile counts through all sequences, where a verdict's place counts in its own.
const tokenAxis = "running token (sequences one after another)";

// "running token 70", "running tokens 70 to 71"
function tokensText(profile, cell) {
  const first = cell * profile.tokens_a_cell;
  const last = Math.min(first + profile.tokens_a_cell, profile.tokens) - 1;
  return last > first ? `running tokens ${first} to ${last}` : `running token ${first}`;
}

// The largest ratio of each cell. Of many heads some have no row; error and allowed are of all, but rounded apart from
// each other, so that they tell only of such a head, and none without a row has a larger ratio than those that have.
function cellRatios(profile) {
  const shown = profile.error.map((_, cell) => Math.max(-1, ...profile.ratio.map((line) => number(line[cell]))
    .filter((ratio) => !Number.isNaN(ratio))));
  const most = Math.max(...shown);
  return shown.map((ratio, cell) => {
    const [error, allowed] = [profile.error, profile.allowed].map((values) => number(values[cell]));
    const quotient = error === 0 ? 0 : error / allowed;
    if (quotient > 1.003 * ratio) return Math.min(quotient, most);
    return ratio < 0 ? NaN : ratio;
  });
}
const isInfinite = (value) => number(value) === Infinity;

// A logarithm has no zero, and what is not finite has no place: such points are left out of the curve.
const drawable = (value) => {
  const x = number(value);
  return x > 0 && Number.isFinite(x) ? x : null;
};

function errorSummary(profile) {
  const outside = cellRatios(profile).filter((ratio) => ratio > 1).length;
  const zero = profile.error.filter((error) => number(error) === 0).length;
  const unbounded = profile.error.filter(isInfinite).length;
  const group = profile.tokens_a_cell === 1 ? "" : ` ${profile.tokens_a_cell} tokens a point.`;
  return (outside === 0 ? "Within what is allowed everywhere." :
    `Beyond what is allowed at ${plural(outside, "point", "points")} of ${cellsOf(profile)}.`) + group +
    (zero ? ` ${plural(zero, "point has", "points have")} no error and no mark.` : "") +
    (unbounded ? ` ${plural(unbounded, "point is", "points are")} not finite: a cross at the upper edge.` : "") +
    " Tokens are counted through all sequences, one after another.";
}

// Whole decades around all points, so that the axis has at least two numbers.
function decades(profile) {
  const values = [...profile.error, ...profile.allowed].map(drawable).filter((value) => value !== null);
  if (values.length === 0) return { min: 0.1, max: 1 };
  const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  return { min: 10 ** Math.floor(least), max: 10 ** Math.ceil(most) };
}

function errorConfig(profile) {
  const points = (values) =>
    values.map((value, cell) => ({ x: cell * profile.tokens_a_cell, y: drawable(value), cell }));
  const outside = cellRatios(profile).map((ratio) => ratio > 1);
  const range = decades(profile);
  const unbounded = profile.error
    .map((error, cell) => ({ error, x: cell * profile.tokens_a_cell, y: range.max, cell }))
    .filter(({ error }) => isInfinite(error));
  const cross = { pointStyle: "crossRot", pointRadius: 7, pointBorderWidth: 3, pointBorderColor: colour("beyond") };
  // States are few: points without neighbours, between which there is no line.
  const sparse = profile.allowed.filter((value) => drawable(value) !== null).length < cellsOf(profile) / 2;
  return {
    type: "line",
    data: { datasets: [
      { label: "error", data: points(profile.error), borderColor: colour("series"), backgroundColor: colour("series"),
        borderWidth: 1.5, showLine: true, pointStyle: outside.map((is) => (is ? "crossRot" : "circle")),
        pointRadius: outside.map((is) => (is ? 7 : sparse ? 4 : 2)),
        pointBorderColor: outside.map((is) => colour(is ? "beyond" : "series")),
        pointBorderWidth: outside.map((is) => (is ? 3 : 1)) },
      { label: "allowed", data: points(profile.allowed), borderColor: colour("text"), backgroundColor: colour("text"),
        borderWidth: 1.5, borderDash: [6, 4], pointRadius: sparse ? 8 : 0, pointStyle: "line", pointBorderWidth: 2 },
      ...(unbounded.length === 0 ? [] : [{ label: "not finite", data: unbounded, showLine: false, clip: false,
        borderColor: colour("beyond"), backgroundColor: colour("beyond"), ...cross }]),
    ] },
    options: chartOptions({
      x: axis(tokenAxis, { type: "linear", min: 0, max: profile.tokens }), y: logAxis("error", range),
    }, {
      plugins: {
        legend: { display: true, labels: { color: colour("text"), usePointStyle: true } },
        tooltip: { callbacks: {
          title: ([item]) => tokensText(profile, item.raw.cell),
          label: (item) => (item.raw.error ? `error ${numberText(item.raw.error)}` :
            `${item.dataset.label} ${numberText(item.raw.y)}`),
        } },
      },
    }),
  };
}

const errorChart = (profile) => chartFigure({
  kind: "error", title: `Error of ${profile.tensor} against what is allowed, over tokens`,
  summary: errorSummary(profile), config: () => errorConfig(profile),
  table: () => dataTable("Error and what is allowed, where their ratio is largest",
    ["tokens", "error", "allowed", "ratio"], cellRatios(profile).map((ratio, cell) => [tokensText(profile, cell),
      numberText(profile.error[cell], 4), numberText(profile.allowed[cell], 4), ratioNumber(ratio)])),
});

// Bucket i of a histogram holds [from, to); the first and the last hold what lies outside, too.
const bucketFrom = (profile, i) => 10 ** (profile.histogram_from + i * profile.histogram_step);
function bucketText(profile, i) {
  if (i === 0) return `below ${numberText(bucketFrom(profile, 1))}`;
  if (i === profile.histogram.length - 1) return `${numberText(bucketFrom(profile, i))} and more`;
  return `${numberText(bucketFrom(profile, i))} to ${numberText(bucketFrom(profile, i + 1))}`;
}
const isBeyond = (profile, i) => profile.histogram_from + i * profile.histogram_step > -1e-9;

function histogramSummary(profile) {
  const all = profile.histogram.reduce((sum, count) => sum + count, 0);
  const outside = profile.histogram.reduce((sum, count, i) => sum + (isBeyond(profile, i) ? count : 0), 0);
  const fullest = profile.histogram.indexOf(Math.max(...profile.histogram));
  return `${plural(all, "value", "values")} compared, ${countText(outside)} at the limit 1 or beyond; ` +
    `the most common ratios are ${bucketText(profile, fullest)}.`;
}

function histogramConfig(profile) {
  const { histogram, histogram_from: from, histogram_step: step } = profile;
  return {
    type: "bar",
    data: { datasets: [{ label: "values", barPercentage: 0.95, categoryPercentage: 1,
      data: histogram.map((count, i) => ({ x: from + (i + 0.5) * step, y: count > 0 ? count : null, bucket: i })),
      backgroundColor: histogram.map((_, i) => colour(isBeyond(profile, i) ? "beyond" : "series")) }] },
    options: chartOptions({
      x: axis("log10 of error / allowed",
        { type: "linear", min: from, max: from + histogram.length * step, offset: false }),
      y: logAxis("values", { min: 0.7 }),
    }, { plugins: { limitLine: { axis: "x", at: 0, label: "limit" }, tooltip: { callbacks: {
      title: ([item]) => `ratio ${bucketText(profile, item.raw.bucket)}`,
      label: (item) => plural(item.raw.y, "value", "values"),
    } } } }),
    plugins: [limitLine],
  };
}

const histogramChart = (profile) => chartFigure({
  kind: "histogram", title: `How large the errors of ${profile.tensor} are, in units of what is allowed`,
  summary: histogramSummary(profile), config: () => histogramConfig(profile),
  table: () => dataTable("Values by ratio", ["ratio", "values"],
    profile.histogram.map((count, i) => [bucketText(profile, i), countText(count)])),
});

function positionConfig(profile) {
  const ratios = profile.position.map(number);
  const most = Math.max(...ratios.filter(Number.isFinite), 0);
  const infinite = ratios.includes(Infinity);
  const top = 10 * Math.max(most, 1);
  const make = most > 2 || infinite ? logAxis : axis;  // one large value would flatten the others
  const hatched = hatching(document.createElement("canvas").getContext("2d"));
  return {
    type: "bar",
    data: { labels: ratios.map((_, i) => i), datasets: [{ label: "ratio", barPercentage: 0.95, categoryPercentage: 1,
      data: ratios.map((ratio) => (ratio === Infinity ? top : Number.isNaN(ratio) ? null : ratio)),
      backgroundColor: ratios.map((ratio) =>
        (ratio === Infinity ? hatched : colour(ratio > 1 ? "beyond" : "series"))) }] },
    options: chartOptions({ x: axis("position in chunk"),
      y: make("error / allowed", infinite ? { max: 4 * top } : {}) }, {
      plugins: { infiniteBars: { ratios }, limitLine: { axis: "y", at: 1, label: "limit" }, tooltip: { callbacks: {
        title: ([item]) => `position ${item.label}`, label: (item) => ratioNumber(ratios[item.dataIndex]),
      } } } }),
    plugins: [limitLine, infiniteBars],
  };
}

function positionSummary(profile) {
  const ratios = profile.position.map((ratio) => (Number.isNaN(number(ratio)) ? -1 : number(ratio)));
  const most = Math.max(...ratios);
  return most < 0 ? "Nothing was compared." : `Largest: ${ratioNumber(most)} at position ${ratios.indexOf(most)}.`;
}

const positionChart = (profile) => chartFigure({
  kind: "position", title: "Largest ratio by position in chunk", summary: positionSummary(profile),
  config: () => positionConfig(profile),
  table: () => dataTable("Largest ratio by position in chunk", ["position", "ratio"],
    profile.position.map((ratio, i) => [String(i), ratioNumber(ratio)])),
});

const profileCharts = (profile) => [
  errorChart(profile), heatMap(profile), histogramChart(profile),
  profile.position.some((ratio) => !Number.isNaN(number(ratio))) ? positionChart(profile) : null,
];
