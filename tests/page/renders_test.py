"""A page shows what its folder holds, first of all the answer."""

import re
import unittest

import sample_report
from support import PageTest


class Renders(PageTest):
    def test_a_failing_run_says_first_what_failed_and_why(self):
        page = self.opened(self.written(sample_report.failing()))
        self.assertEqual(page.text("h1"), "✗ 4 of 8 verdicts went wrong: 2 failed, 1 error, 1 nonconforming; "
                         "1 suspect, 1 uninformative, 1 skipped")
        self.assertIn("4 of 8 verdicts went wrong", page.run("document.title"))
        items = page.texts("#worst li")
        self.assertEqual([item.split("\n")[0].split()[1] for item in items],
                         ["failed", "failed", "error", "nonconforming", "suspect"])
        self.assertIn("not finite", items[0])  # beyond everything
        self.assertIn("1 of 49408 values are further from the right answer than LOC allows", items[1])
        self.assertIn("108 of LOC at o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12", items[1])
        # Within what a window shows at once.
        second = "document.querySelector('#worst li:nth-child(2)').getBoundingClientRect().bottom"
        self.assertLess(page.run(second), 500)

    def test_one_kind_of_failure_is_a_plain_sentence(self):
        run = sample_report.report([sample_report.verdict(status) for status in ("passed", "failed", "failed")])
        self.assertEqual(self.opened(self.written(run)).text("h1"), "✗ 2 of 3 verdicts failed")

    def test_the_headline_says_what_the_exit_status_says(self):
        """What proves nothing is not passed, what is suspect has not failed: signs, words and colours of their own."""
        colours = {}
        for status, sentence, colour in (
                ("passed", "✓ All 2 verdicts passed", "passed"),
                ("skipped", "○ Not proved: 1 of 2 verdicts proves nothing; none failed (1 skipped)", "neutral"),
                ("uninformative", "○ Not proved: 1 of 2 verdicts proves nothing; none failed (1 uninformative)",
                 "neutral"),
                ("suspect", "? Suspect: 1 of 2 verdicts; every proved bound holds", "suspect"),
                ("failed", "✗ 1 of 2 verdicts failed", "failed")):
            page = self.opened(self.written(sample_report.report([sample_report.verdict(),
                                                                  sample_report.verdict(status)])))
            self.assertEqual(page.text("h1"), sentence)
            seen = page.run("getComputedStyle(document.querySelector('h1')).color")
            self.assertEqual(colours.setdefault(colour, seen), seen)
        self.assertEqual(len(set(colours.values())), 4)
        run = sample_report.report([sample_report.verdict(each) for each in ("suspect", "skipped")])
        self.assertEqual(self.opened(self.written(run)).text("h1"),
                         "○ Not proved: 1 of 2 verdicts proves nothing; none failed (1 suspect, 1 skipped)")

    def test_a_passing_run(self):
        page = self.opened(self.written(sample_report.passing()))
        self.assertEqual(page.text("h1"), "✓ All 6 verdicts passed")
        self.assertIsNone(page.text("#worst"))
        self.assertEqual(len(page.texts("#verdicts tbody tr")), 6)
        self.assertEqual([text for text in page.texts("section h2")], ["Verdicts", "Environment"])

    def test_a_run_that_was_only_skipped_does_not_look_passed(self):
        page = self.opened(self.written(sample_report.report([sample_report.verdict("skipped")])))
        self.assertEqual(page.text("h1"), "○ Not proved: 1 of 1 verdict proves nothing; none failed (1 skipped)")

    def test_an_empty_report_is_no_success(self):
        page = self.opened(self.written(sample_report.report([])))
        self.assertEqual(page.text("h1"), "! No verdicts: nothing was checked.")
        self.assertIsNone(page.text("#verdicts"))

    def test_a_kill_matrix_alone(self):
        page = self.opened(self.written(matrix=sample_report.kill_matrix()))
        self.assertEqual(page.text("h1"), "A kill matrix")
        self.assertEqual(page.texts("section h2"), ["Kill matrix"])
        self.assertIn("2 of 3 known defects put into chunk are killed by our rules; 0 false alarms",
                      page.text("#kill-matrix"))
        self.assertIn("hidden_one: nothing sees hidden_one", page.text("#kill-matrix"))
        self.assertEqual(page.texts(".matrix tbody tr:nth-child(3) > *"), ["gate_shift", "2/2", "2/2", "0/2"])
        self.assertEqual(page.texts(".matrix .total > *"), ["defects killed", "2/3", "2/3", "0/3"])

    def test_a_ledger_alone(self):
        page = self.opened(self.written(claims=sample_report.ledger()))
        self.assertEqual(page.text("h1"), "A ledger of claims")
        self.assertEqual(page.texts("section h2"), ["Claims of papers", "What this rests on"])
        page.run("document.querySelector('[data-claim=\"kla.false\"] summary').click()")
        page.settle()
        text = page.text("[data-claim='kla.false']")
        for part in ("refuted", "it should be 1 and is 2", "3/2", "deltaproof audit --claim kla.false",
                     "Section 3, Eq. (5), p. 4"):
            self.assertIn(part, text)
        self.assertIn("bounds of decays would be too small", page.text("#rests-on"))

    def test_all_three_together(self):
        page = self.opened(self.written(sample_report.failing(), sample_report.kill_matrix(), sample_report.ledger()))
        self.assertEqual(page.texts("nav a"),
                         ["Verdicts", "Kill matrix", "Claims", "What this rests on", "Environment"])

    def test_names_are_text(self):
        path = self.written(sample_report.hostile())
        markup = path.read_text(encoding="utf-8")
        data = re.search(r'id="report">(.*?)</script>', markup, re.S).group(1)
        self.assertNotIn("<", data)
        page = self.opened(path)
        self.assertEqual(page.text("#worst a"), sample_report.HOSTILE)
        page.go("v=0")
        self.assertIn(sample_report.HOSTILE, page.text("#detail h2"))
        self.assertIn("</script><script>alert(3)</script><!-- {{script}}", page.text("#detail .reason"))
        self.assertIn("&lt;b&gt; <b>bold</b>", page.text("#detail"))
        made = "document.querySelectorAll('#detail b, #detail img, #detail svg, #detail script').length"
        self.assertEqual(page.run(made), 0)
        self.assertEqual(page.run("document.scripts.length"), 5)
        page.go("v=1")
        self.assertIn("javascript:alert(5)", page.text("#detail h2"))
        self.assertEqual(self.browser.events(page.session, "Page.javascriptDialogOpening"), [])

    def test_the_licence_of_chart_js_is_kept(self):
        markup = self.written(sample_report.passing()).read_text(encoding="utf-8")
        self.assertRegex(markup, r"Chart\.js v3\.[\d.]+")
        self.assertIn("Released under the MIT License", markup)
        self.assertIn("The above copyright notice and this permission notice shall be included", markup)


if __name__ == "__main__":
    unittest.main()
