"""Pictures say what the verdict says: beyond is beyond, and every mark is in its place."""

import math
import unittest

import checks
import sample_report
from support import PageTest

BARELY = 1.0000113


def chart(kind):
    return f"Chart.getChart(document.querySelector('[data-chart={kind}] canvas'))"


class Pictures(PageTest):
    def page_of(self, *profiles, status="failed", **more):
        run = sample_report.report([sample_report.verdict(status, profile=list(profiles), **more)])
        return self.opened(self.written(run), "#v=0")

    def caption(self, page, kind):
        return page.text(f"[data-chart={kind}] figcaption")

    def test_just_beyond_what_is_allowed_is_beyond_everywhere(self):
        """Error and allowed are the same number when rounded; the ratio tells them apart."""
        profile = sample_report.profile(worst=BARELY)
        profile["error"][70] = profile["allowed"][70]
        page = self.page_of(profile, ratio=BARELY)
        self.assertIn("Beyond what is allowed at 1 point of 128", self.caption(page, "error"))
        self.assertIn("Largest: 1.00001 in head 1", self.caption(page, "heat"))
        self.assertIn("1 cell is beyond the limit 1", self.caption(page, "heat"))
        self.assertIn("Largest: 1.00001 at position 6", self.caption(page, "position"))
        self.assertIn("1.00001 of LOC", page.text("#detail"))
        self.assertEqual(page.run(chart("error") + ".data.datasets[0].pointStyle[70]"), "crossRot")
        page.go("")
        self.assertIn("Worst: 1.00001 of LOC", page.text("#worst"))
        self.assertIn("1.00001 of LOC", page.text("#verdicts tbody"))

    def test_rounding_alone_puts_nothing_beyond(self):
        """Errors are rounded up and what is allowed down."""
        profile = sample_report.profile(worst=1.0)
        profile["error"][70] = 1.001 * profile["allowed"][70]
        page = self.page_of(profile, status="passed", ratio=1.0)
        self.assertIn("Within what is allowed everywhere", self.caption(page, "error"))

    def test_a_head_without_a_row_is_beyond_where_it_is(self):
        """Of many heads some have no row: there error and allowed are what is known."""
        profile = sample_report.profile(worst=108.0)
        profile["error"][9] = 3 * profile["allowed"][9]
        self.assertIn("Beyond what is allowed at 2 points", self.caption(self.page_of(profile), "error"))

    def test_what_is_not_finite_is_marked_at_the_upper_edge(self):
        page = self.page_of(sample_report.profile(worst=math.inf), ratio="inf")
        series = chart("error") + ".data.datasets[2]"
        self.assertEqual(page.run(series + ".label"), "not finite")
        self.assertEqual(page.run(series + ".data.map(({ cell }) => cell)"), [70])
        self.assertEqual(page.run(series + ".data[0].y"), page.run(chart("error") + ".scales.y.max"))
        tip = ".options.plugins.tooltip.callbacks.label({ dataset: %s, raw: %s.data[0] })" % (series, series)
        self.assertEqual(page.run(chart("error") + tip), "error inf")
        self.assertEqual(checks.undrawn_series(page), [])
        finite = self.page_of(sample_report.profile(worst=0.6))
        self.assertEqual(finite.run(chart("error") + ".data.datasets.length"), 2)

    def test_a_picture_of_nothing_finite_has_its_marks(self):
        profile = sample_report.profile(worst=math.inf)
        profile["error"] = ["inf"] * 128
        profile["allowed"] = ["nan"] * 128
        page = self.page_of(profile, ratio="inf")
        self.assertEqual(page.run(chart("error") + ".data.datasets[2].data.length"), 128)
        self.assertEqual(checks.console_faults(page), [])

    def test_a_bar_that_is_not_finite_says_so(self):
        page = self.page_of(sample_report.profile(worst=math.inf), ratio="inf")
        position = chart("position")
        self.assertTrue(page.run(position + ".data.datasets[0].backgroundColor[6] instanceof CanvasPattern"))
        self.assertEqual(page.run(position + ".options.plugins.tooltip.callbacks.label({ dataIndex: 6 })"), "inf")
        words = page.run("(() => { const words = [], chart = " + position + """, { ctx } = chart, write = ctx.fillText;
            ctx.fillText = (text, x) => words.push([text, Math.round(x)]);
            chart.draw();
            ctx.fillText = write;
            const bar = Math.round(chart.getDatasetMeta(0).data[6].x);
            return words.filter(([text]) => text === "inf").map(([, x]) => x - bar); })()""")
        self.assertEqual(words, [0])

    def test_states_are_drawn_where_they_are(self):
        """Few and far between: each bar is as wide as its tokens."""
        profile = sample_report.profile("states", heads=1, tokens=300, tokens_a_cell=4, at=(0, 0))
        kept = [64 // 4, 128 // 4, 148 // 4, 212 // 4, 276 // 4, 296 // 4]
        profile["ratio"] = [[ratio if cell in kept else "nan" for cell, ratio in enumerate(profile["ratio"][0])]]
        page = self.page_of(profile)
        for width in (1280, 700):
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            page.settle()
            off = page.run("(() => { const chart = " + chart("heat") + """, { x } = chart.scales;
                return chart.getDatasetMeta(0).data.map((bar, i) => {
                  const { cell } = chart.data.datasets[0].data[i], [from, to] = [4 * cell, 4 * cell + 4];
                  return Math.max(Math.abs(bar.x - bar.width / 2 - x.getPixelForValue(from)),
                    Math.abs(bar.x + bar.width / 2 - x.getPixelForValue(to)));
                }); })()""")
            self.assertEqual(len(off), len(kept))
            self.assertLess(max(off), 0.5)

    def test_tokens_are_counted_through_all_sequences(self):
        page = self.page_of(sample_report.profile(worst=2.0), ratio=2.0)
        for kind in ("error", "heat"):
            self.assertEqual(page.run(chart(kind) + ".options.scales.x.title.text"),
                             "running token (sequences one after another)")
            title = page.run(chart(kind) + ".options.plugins.tooltip.callbacks.title([{ raw: { cell: 70 } }])")
            self.assertEqual(title, "running token 70")
        self.assertIn("counted through all sequences, one after another", self.caption(page, "error"))
        self.assertIn("running token 70", self.caption(page, "heat"))

    def test_the_fullest_bucket_is_the_most_common_and_no_more(self):
        self.assertIn("the most common ratios are 0.0316 to 0.1",
                      self.caption(self.page_of(sample_report.profile()), "histogram"))

    def test_a_failure_within_every_bound_has_a_first_fault_and_no_worst(self):
        fault = dict(sample_report.place(), tensor="final_state", token=130)
        page = self.page_of(ratio=0.623, violations=0, first_bad=fault, reason="two states differ")
        self.assertIn("First fault\nfinal_state: sequence 0, token 130", page.text("#detail"))
        self.assertIn("49,408 values, none beyond LOC; the largest ratio is 0.623", page.text("#detail"))
        self.assertNotIn("Worst", page.text("#detail .pair"))
        self.assertIn("Terms of the bound at the largest ratio", page.text("#detail"))
        page.go("")
        self.assertIn("First fault: final_state: sequence 0, token 130", page.text("#worst"))
        self.assertNotIn("Worst", page.text("#worst"))
        row = page.texts("#verdicts tbody td")
        self.assertEqual(row[4], "")
        self.assertIn("final_state: sequence 0, token 130", row[5])


if __name__ == "__main__":
    unittest.main()
