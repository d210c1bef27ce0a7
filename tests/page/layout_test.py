"""At phone width, in the dark, in grey, on paper, for a screen reader."""

import unittest

import checks
import sample_report
from support import PageTest

PHONE = {"width": 360, "height": 740, "mobile": True}
EVERYTHING = (sample_report.failing, sample_report.kill_matrix, sample_report.ledger)


class Layout(PageTest):
    def everything(self):
        return self.written(*(make() for make in EVERYTHING))

    def assert_fits(self, page, width):
        self.assertEqual(checks.overflow(page, width), [])

    def test_nothing_is_wider_than_a_phone(self):
        page = self.opened(self.everything(), **PHONE)
        self.assert_fits(page, 360)
        page.run("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        page.settle()
        self.assert_fits(page, 360)
        for index in range(8):
            page.go(f"v={index}")
            self.assert_fits(page, 360)
        page.go("v=1")
        page.run("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        page.settle()
        self.assert_fits(page, 360)
        self.assertEqual(checks.blank_canvases(page), [])

    def test_long_names_without_a_space_fit(self):
        run = sample_report.report([sample_report.verdict(
            "failed", "n" * 300, "k" * 300, "p" * 200, reason="r" * 500, notes=["x" * 400],
            terms=[{"name": "t" * 60, "value": 1.0}])])
        for width in (360, 800, 1280):
            page = self.opened(self.written(run), width=width, height=740)
            self.assert_fits(page, width)
            page.go("v=0")
            self.assert_fits(page, width)

    def test_text_can_be_read_in_both_schemes(self):
        for dark in (False, True):
            page = self.opened(self.everything(), dark=dark)
            self.assertEqual(page.run("getComputedStyle(document.body).backgroundColor"),
                             "rgb(20, 23, 27)" if dark else "rgb(255, 255, 255)")
            page.run("document.querySelectorAll('details').forEach(node => { node.open = true; })")
            page.settle()
            self.assertEqual(checks.poor_contrast(page), [])
            page.go("v=1")
            self.assertEqual(checks.poor_contrast(page), [])

    def test_charts_follow_the_scheme(self):
        page = self.opened(self.everything(), "#v=1")
        ink = "Chart.getChart(document.querySelector('canvas')).options.scales.x.ticks.color"
        light = page.run(ink)
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        page.settle()
        self.assertNotEqual(page.run(ink), light)
        text = "getComputedStyle(document.documentElement).getPropertyValue('--text').trim()"
        self.assertEqual(page.run(ink), page.run(text))

    def test_without_colours_every_status_is_still_told(self):
        page = self.opened(self.everything())
        page.call("Emulation.setEmulatedVisionDeficiency", type="achromatopsia")
        page.settle()
        cells = page.texts("#verdicts tbody td:first-child")
        self.assertEqual(len(set(cells)), 7)
        self.assertEqual({cell.split()[1] for cell in cells},
                         {"failed", "error", "nonconforming", "suspect", "uninformative", "skipped", "passed"})
        self.assertEqual(len({cell.split()[0] for cell in cells}), 7)  # signs

    def test_bands_of_the_heat_map_differ_in_lightness(self):
        for dark in (False, True):
            page = self.opened(self.everything(), dark=dark)
            lightness = page.run("""[0, 1, 2, 3, 4, 5].map((band) => {
              const text = getComputedStyle(document.documentElement).getPropertyValue(`--band${band}`).trim();
              const [r, g, b] = [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255)
                .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
              return 116 * Math.cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b) - 16;
            })""")
            steps = [y - x for x, y in zip(lightness, lightness[1:])]
            # One way, and no two neighbours alike: towards the limit further from the background.
            self.assertTrue(all(step > 5 for step in steps) if dark else all(step < -5 for step in steps), lightness)

    def test_everything_has_a_name(self):
        page = self.opened(self.everything())
        self.assertEqual(checks.unnamed_controls(page), [])
        page.go("v=1")
        self.assertEqual(checks.unnamed_controls(page), [])
        self.assertEqual(page.run("document.documentElement.lang"), "en")

    def test_on_paper_there_are_no_controls(self):
        page = self.opened(self.everything())
        page.call("Emulation.setEmulatedMedia", media="print")
        page.settle()
        visible = "[...document.querySelectorAll('.filters, nav')].filter(node => node.checkVisibility()).length"
        self.assertEqual(page.run(visible), 0)
        self.assertEqual(len(page.texts("#verdicts tbody tr")), 8)


if __name__ == "__main__":
    unittest.main()
