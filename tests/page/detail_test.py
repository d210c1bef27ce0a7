"""A verdict's page: the numbers are the report's, every chart is drawn, the line can be copied, and the address leads
there."""

import unittest

import checks
import sample_report
from support import PageTest

CHARTS_OF_O = ["error", "heat", "histogram", "position"]


class Detail(PageTest):
    def charts(self, page):
        return page.run("[...document.querySelectorAll('#detail figure')].map(node => node.dataset.chart)")

    def table_of(self, page, kind):
        """The table below a chart, by rows."""
        page.run(f"document.querySelector('#detail figure[data-chart={kind}] summary').click()")
        page.settle()
        return page.run(f"""[...document.querySelectorAll('#detail figure[data-chart={kind}] tr')].map(row =>
            [...row.children].map(cell => cell.textContent))""")

    def test_the_numbers_of_a_failure(self):
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        text = page.text("#detail")
        for part in ("✗ failed broken", "1 of 49408 values are further from the right answer than LOC allows",
                     "108 of LOC", "o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12", "0.0152587891",
                     "-0.0153230342", "0.0306", "0.000284", "1 of 49,408 values",
                     "deltaproof check runs/broken.safetensors", "it looks like a flipped sign",
                     "the built-in fla-chunk", "25.1 % known to the bit", "1 of 49,408 differ (hopper)",
                     "0 of 41,216 values are beyond 7.19 sigma", "eta was not used", "ab" * 32):
            self.assertIn(part, text)

    def test_every_chart_is_drawn(self):
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        self.assertEqual(self.charts(page), CHARTS_OF_O + ["error", "heat", "histogram", "terms"])
        self.assertEqual(checks.blank_canvases(page) + checks.undrawn_series(page), [])
        for canvas in page.run("[...document.querySelectorAll('canvas')].map(node => node.getAttribute('aria-label'))"):
            self.assertGreater(len(canvas), 40)  # it says what there is to see

    def test_charts_say_the_same_in_a_table(self):
        profile = sample_report.profile(worst=108.0)
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        self.assertIn("Largest: 108 in head 1, running token 70; 1 cell is beyond the limit 1.",
                      page.text("[data-chart=heat] figcaption"))
        heat = self.table_of(page, "heat")
        self.assertEqual((len(heat), len(heat[0])), (1 + 4, 1 + 128))
        self.assertEqual(heat[2][71], "108")
        error = self.table_of(page, "error")
        self.assertEqual(error[71][0], "running token 70")
        self.assertAlmostEqual(float(error[71][1]), profile["error"][70], delta=0.01 * profile["error"][70])
        self.assertEqual(error[71][3], "108")
        histogram = self.table_of(page, "histogram")
        self.assertEqual([row[1].replace(",", "") for row in histogram[1:]],
                         [str(count) for count in profile["histogram"]])
        self.assertEqual(histogram[17][0], "1 to 3.16")
        self.assertEqual(self.table_of(page, "position")[7], ["6", "108"])
        self.assertEqual(self.table_of(page, "terms")[1], ["b v, b k e^G", "7.12e-5"])

    def test_what_chart_js_was_given(self):
        """The picture itself: what is beyond the limit is marked in each chart."""
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        chart = "Chart.getChart(document.querySelector('[data-chart=%s] canvas'))"
        marks = ".data.datasets[0].pointStyle.map((style, i) => style === 'crossRot' ? i : -1).filter(i => i >= 0)"
        self.assertEqual(page.run((chart % "error") + marks), [70])
        self.assertEqual(page.run((chart % "error") + ".options.scales.y.type"), "logarithmic")
        self.assertTrue(page.run((chart % "heat") + ".data.datasets[1].backgroundColor[70] instanceof CanvasPattern"))
        self.assertFalse(page.run((chart % "heat") + ".data.datasets[0].backgroundColor[70] instanceof CanvasPattern"))
        self.assertEqual(page.run((chart % "histogram") + ".options.plugins.limitLine.at"), 0)

    def test_cells_fill_the_heat_map(self):
        """Every cell shows the colour of its own band, in its own place."""
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        wrong = page.run("""(() => {
          const canvas = document.querySelector('[data-chart=heat] canvas'), chart = Chart.getChart(canvas);
          const { x, y } = chart.scales, wrong = [];
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          const at = (left, top) => data.slice(4 * (Math.floor(top) * canvas.width + Math.floor(left)));
          const hex = ([r, g, b]) => '#' + [r, g, b].map(part => part.toString(16).padStart(2, '0')).join('');
          chart.data.datasets.forEach((line, head) => line.data.forEach((cell, i) => {
            const wanted = line.backgroundColor[i];
            const seen = hex(at(x.getPixelForValue(cell.cell + 0.5), y.getPixelForValue(head + 0.5)));
            if (typeof wanted === 'string' && wanted !== seen) wrong.push([head, i, wanted, seen]);
          }));
          return wrong;
        })()""")
        self.assertEqual(wrong, [])

    def test_just_beyond_the_limit_is_beyond(self):
        profile = sample_report.profile(worst=1.5)
        run = sample_report.report([sample_report.verdict("failed", ratio=1.5, profile=[profile])])
        page = self.opened(self.written(run), "#v=0")
        self.assertIn("1 at the limit 1 or beyond", page.text("[data-chart=histogram] figcaption"))
        colours = page.run("Chart.getChart(document.querySelector('[data-chart=histogram] canvas'))"
                           ".data.datasets[0].backgroundColor")
        self.assertEqual(len(set(colours[:16])), 1)
        self.assertEqual(len(set(colours[16:])), 1)
        self.assertNotEqual(colours[15], colours[16])
        self.assertIn("1 cell is beyond the limit 1", page.text("[data-chart=heat] figcaption"))
        self.assertIn("Beyond what is allowed at 1 point", page.text("[data-chart=error] figcaption"))

    def test_what_is_not_finite(self):
        page = self.opened(self.written(sample_report.failing()), "#v=2")
        self.assertIn("inf of LOC", page.text("#detail"))
        self.assertIn("nan", page.text("#detail"))
        self.assertIn("Largest: inf in head 1, running token 70", page.text("[data-chart=heat] figcaption"))
        self.assertIn("1 point is not finite: a cross at the upper edge", page.text("[data-chart=error] figcaption"))
        self.assertEqual(checks.blank_canvases(page), [])

    def test_nothing_compared_in_a_cell_is_no_zero(self):
        profile = sample_report.profile()
        profile["ratio"] = [["nan"] * 128 for _ in range(4)]
        profile["ratio"][2][5] = 0.25
        profile["error"][9] = 0
        page = self.opened(self.written(sample_report.report([sample_report.verdict(profile=[profile])])), "#v=0")
        self.assertIn("Largest: 0.25 in head 2, running token 5", page.text("[data-chart=heat] figcaption"))
        self.assertIn("1 point has no error and no mark", page.text("[data-chart=error] figcaption"))
        self.assertEqual(self.table_of(page, "heat")[1][1], "nan")

    def test_findings_have_file_and_line(self):
        page = self.opened(self.written(sample_report.failing()), "#v=7")
        self.assertIn("race: two threads write o[3] kernels/built_in/chunk.cu:120", page.text("#detail .findings"))
        self.assertIn("Compared\nnothing", page.text("#detail"))

    def test_what_was_not_asked_says_how_to_ask(self):
        run = sample_report.report([sample_report.verdict("failed", "it's", ratio=3.0)])
        page = self.opened(self.written(run), "#v=0")
        self.assertIn("deltaproof explain 'runs/it'\\''s.safetensors'", page.text("#detail"))

    def test_a_profile_that_was_left_out_is_said(self):
        passed = [sample_report.verdict(name=f"run{i}", ratio=0.5 - i / 1000, profile=[sample_report.profile()])
                  for i in range(51)]
        page = self.opened(self.written(sample_report.report(passed)), "#v=49")
        self.assertNotIn("left out", page.text("#detail"))
        page.go("v=50")
        self.assertIn("left out to keep this page small", page.text("#detail"))
        self.assertIn("deltaproof check runs/run50.safetensors --report DIR", page.text("#detail"))
        self.assertEqual(self.charts(page), ["terms"])

    def test_a_profile_that_was_not_kept_is_said_where_others_were(self):
        bare = sample_report.verdict(name="bare")
        pictured = sample_report.verdict(name="pictured", profile=[sample_report.profile()])
        for verdicts, said in (([bare, pictured], True), ([bare], False)):
            page = self.opened(self.written(sample_report.report(verdicts)), "#v=0")
            self.assertEqual("No picture of where its errors lie was kept" in page.text("#detail"), said)

    def test_a_note_on_the_explanation_is_enough(self):
        note = "not explained: four were; deltaproof explain runs/x.safetensors --arithmetic generic does"
        run = sample_report.report([sample_report.verdict("failed", "x", ratio=3.0, notes=[note])])
        page = self.opened(self.written(run), "#v=0")
        self.assertEqual(page.text("#detail").count("deltaproof explain"), 1)

    def test_the_address_leads_there_and_back(self):
        page = self.opened(self.written(sample_report.failing()))
        page.run("document.querySelector('#verdicts tbody tr:nth-child(2) a').click()")
        page.settle()
        self.assertEqual(page.run("location.hash"), "#v=1")
        self.assertIn("broken", page.text("#detail h2"))
        self.assertFalse(page.run("document.querySelector('#verdicts').checkVisibility()"))
        page.run("history.back()")
        page.settle()
        self.assertIsNone(page.text("#detail"))
        self.assertEqual(len(page.texts("#verdicts tbody tr")), 8)
        page.run("history.forward()")
        page.settle()
        self.assertIn("broken", page.text("#detail h2"))
        page.run("[...document.querySelectorAll('.detail-nav a')].find(link => link.textContent === 'Next').click()")
        page.settle()
        self.assertIn("racing", page.text("#detail h2"))  # as the table goes on
        page.go("v=99999")  # there is none: the overview
        self.assertIsNone(page.text("#detail"))
        page.go("v=%3Cimg%3E")
        self.assertIsNone(page.text("#detail"))

    def test_a_click_in_a_row_opens_it(self):
        page = self.opened(self.written(sample_report.failing()))
        page.run("document.querySelector('#verdicts tbody tr:nth-child(3) td:nth-child(7)').click()")
        page.settle()
        self.assertIn("racing", page.text("#detail h2"))

    def test_charts_do_not_pile_up(self):
        page = self.opened(self.written(sample_report.failing()))
        for index in (1, 2, 1, 0):
            page.go(f"v={index}")
        self.assertEqual(page.run("Object.keys(Chart.instances).length"), len(self.charts(page)))
        page.go("verdicts")
        self.assertEqual(page.run("Object.keys(Chart.instances).length"), 0)

    def test_keys_alone_suffice(self):
        page = self.opened(self.written(sample_report.failing()))
        for _ in range(60):
            page.press("Tab")
            if page.run("document.activeElement.textContent") == "broken":
                break
        self.assertEqual(page.run("document.activeElement.textContent"), "broken")
        page.press("Enter", text="\r")
        page.settle()
        self.assertIn("broken", page.text("#detail h2"))
        self.assertEqual(page.run("document.activeElement.tagName"), "H2")  # a screen reader goes on from here

    def test_the_line_is_copied_or_selected(self):
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        button = "document.querySelector('#detail .command button')"
        page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        page.run(button + ".click()")
        page.settle()
        self.assertEqual(page.run("window.copied"), "deltaproof check runs/broken.safetensors")
        self.assertEqual(page.text("#detail .said"), "Copied")
        page.run("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false; 0")
        page.run(button + ".click()")
        page.settle()
        self.assertEqual(page.run("getSelection().toString()"), "deltaproof check runs/broken.safetensors")
        self.assertEqual(page.text("#detail .said"), "Selected: copy it with Ctrl+C")

    def test_a_claim_has_an_address(self):
        page = self.opened(self.written(sample_report.failing(), claims=sample_report.ledger()), "#claim=kla.false")
        self.assertTrue(page.run("document.querySelector('[data-claim=\"kla.false\"]').open"))
        self.assertIn("it should be 1 and is 2", page.text("[data-claim='kla.false']"))


if __name__ == "__main__":
    unittest.main()
