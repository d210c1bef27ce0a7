"""What every page must be. Each returns a list of faults, empty if there is none; control_test.py shows that each finds
some."""


def console_faults(page):
    """Errors and warnings that the browser logged, violations of the policy among them, and exceptions."""
    events = page.browser.events
    faults = [entry["entry"]["text"] for entry in events(page.session, "Log.entryAdded")
              if entry["entry"]["level"] in ("error", "warning")]
    faults += [str(call["args"]) for call in events(page.session, "Runtime.consoleAPICalled")
               if call["type"] in ("error", "warning", "assert")]
    faults += [str(thrown["exceptionDetails"]) for thrown in events(page.session, "Runtime.exceptionThrown")]
    return faults


def requests_made(page):
    """What the page asked for, itself and data in its own text aside."""
    asked = [event["request"]["url"] for event in page.browser.events(page.session, "Network.requestWillBeSent")]
    itself = page.run("location.href.split('#')[0]")
    return [url for url in asked if url.split("#")[0] != itself and not url.startswith("data:")]


def overflow(page, width):
    """What makes the page wider than the window."""
    if page.run("document.documentElement.scrollWidth") <= width:
        return []
    return page.run("""(() => {
      const inside = (node) => node.closest(".scroll") && !node.matches(".scroll");
      const wide = [...document.querySelectorAll("body *")].filter((node) =>
        !inside(node) && node.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
      return ["the page is " + document.documentElement.scrollWidth + " wide",
        ...wide.slice(-5).map((node) => `${node.tagName}.${node.className}: ${node.textContent.slice(0, 60)}`)];
    })()""")


# The browser complains of a canvas that is read often, so a copy is read.
PIXELS = """const pixels = (canvas, left = 0, top = 0, width = canvas.width, height = canvas.height) => {
      const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      pen.drawImage(canvas, 0, 0);
      return pen.getImageData(left, top, width, height).data;
    };"""


def blank_canvases(page):
    """Charts that show nothing: one colour, or next to nothing of another."""
    return page.run("(() => {" + PIXELS + """return [...document.querySelectorAll("canvas")].map((canvas) => {
      const name = canvas.getAttribute("aria-label");
      if (!canvas.width || !canvas.height) return `${name}: no size`;
      const data = new Uint32Array(pixels(canvas).buffer);
      const painted = data.reduce((sum, pixel) => sum + (pixel !== data[0]), 0);
      return painted > 0.005 * data.length ? null : `${name}: ${painted} of ${data.length} pixels`;
    }).filter((fault) => fault !== null); })()""")


def undrawn_series(page):
    """Series of charts whose colour is nowhere between the axes: a chart without data is not blank, it has axes."""
    return page.run("(() => {" + PIXELS + """return [...document.querySelectorAll("canvas")].flatMap((canvas) => {
      const chart = Chart.getChart(canvas), { left, top, width, height } = chart.chartArea;
      const data = pixels(canvas, left, top, width, height);
      const drawn = (text) => {
        const wanted = [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
        for (let at = 0; at < data.length; at += 4) {
          const distance = wanted.reduce((sum, part, i) => sum + Math.abs(part - data[at + i]), 0);
          if (data[at + 3] > 200 && distance < 60) return true;
        }
        return false;
      };
      return chart.data.datasets.filter(({ backgroundColor }) =>
        ![backgroundColor].flat().filter((one) => typeof one === "string").some(drawn))
        .map(({ label }) => `${canvas.getAttribute("aria-label")}: ${label}`);
    }); })()""")


def poor_contrast(page, least=4.5):
    """Text whose colour is too near to what is behind it (WCAG 2, 1.4.3)."""
    return page.run("""((least) => {
      const parse = (text) => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
      const luminance = ([r, g, b]) => [r, g, b].map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
      const behind = (node) => {
        for (let at = node; at; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor);
          if (colour.length === 3 || colour[3] > 0.99) return colour;
        }
        return parse(getComputedStyle(document.documentElement).backgroundColor);
      };
      const faults = new Set();
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const node = text.parentElement;
        if (!text.data.trim() || !node.checkVisibility() || node.closest("script, style, noscript")) continue;
        const [x, y] = [luminance(parse(getComputedStyle(node).color)), luminance(behind(node))];
        const contrast = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
        const what = `${node.tagName}.${node.className}: ${text.data.slice(0, 40)}`;
        if (contrast < least) faults.add(`${contrast.toFixed(2)} ${what}`);
      }
      return [...faults];
    })(%s)""" % least)


def unnamed_controls(page):
    """Controls and pictures without a name for those who do not see them."""
    return page.run("""(() => {
      const name = (node) => node.textContent.trim() || node.getAttribute("aria-label") ||
        node.labels?.[0]?.textContent.trim();
      return [...document.querySelectorAll("a, button, input, select, canvas")]
        .filter((node) => node.checkVisibility() && !name(node)).map((node) => node.outerHTML.slice(0, 80));
    })()""")
