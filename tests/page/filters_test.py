"""The table of verdicts is filtered, searched and sorted."""

import json
import unittest

import sample_report
from support import PageTest


class Filters(PageTest):
    def cases(self, page):
        return page.texts("#verdicts tbody tr td:nth-child(2)")

    def choose(self, page, label, value):
        page.run(f"""(() => {{
          const labels = [...document.querySelectorAll("#verdicts label")];
          const label = labels.find((label) => label.textContent.startsWith({json.dumps(label)}));
          const input = label.querySelector("select, input");
          input.value = {json.dumps(value)};
          input.dispatchEvent(new Event(input.matches("select") ? "change" : "input", {{ bubbles: true }}));
        }})()""")
        page.settle()

    def test_worst_first(self):
        page = self.opened(self.written(sample_report.failing()))
        self.assertEqual(self.cases(page),
                         ["not finite", "broken", "racing", "truncating", "slanted", "short", "gradients", "run"])

    def test_by_status_by_button_and_by_list(self):
        page = self.opened(self.written(sample_report.failing()))
        self.assertEqual(page.texts(".counts button")[0], "2 ✗ failed")
        page.run("document.querySelector('.counts .failed').click()")
        self.assertEqual(self.cases(page), ["not finite", "broken"])
        self.assertEqual(page.run("document.querySelector('.counts .failed').getAttribute('aria-pressed')"), "true")
        self.assertEqual(page.run("document.querySelectorAll('#verdicts select')[0].value"), "failed")
        page.run("document.querySelector('.counts .failed').click()")
        self.assertEqual(len(self.cases(page)), 8)
        self.choose(page, "Status", "skipped")
        self.assertEqual(self.cases(page), ["gradients"])
        self.assertEqual(page.text("#verdicts .found"), "1 verdict shown.")

    def test_by_kernel_property_and_both(self):
        page = self.opened(self.written(sample_report.many(1000)))
        self.choose(page, "Kernel", "kernel2")
        self.assertEqual(page.text("#verdicts .found"), "200 verdicts shown.")
        self.choose(page, "Property", "checked")
        wanted = sum(1 for i in range(1000) if i % 5 == 2 and i % 4 == 2)
        self.assertEqual(len(self.cases(page)), wanted)
        self.assertEqual(set(page.texts("#verdicts tbody td:nth-child(4)")), {"checked"})

    def test_search_wants_every_word_in_any_field(self):
        page = self.opened(self.written(sample_report.failing()))
        for query, found in (("BROKEN", ["broken"]), ("race chunk", ["racing"]), ("roundings declared", ["truncating"]),
                             ("not there at all", [])):
            self.choose(page, "Search", query)
            self.assertEqual(self.cases(page), found)
        self.choose(page, "Search", "")
        self.assertEqual(len(self.cases(page)), 8)
        self.choose(page, "Search", "not there at all")
        self.assertEqual(page.text("#verdicts .found"), "No verdict is like that.")

    def test_a_kernel_of_a_hostile_name_filters_too(self):
        run = sample_report.hostile()
        page = self.opened(self.written(run))
        self.choose(page, "Kernel", run["verdicts"][0]["kernel"])
        self.assertEqual(self.cases(page), [sample_report.HOSTILE])

    def test_sorted_by_a_column_and_back(self):
        page = self.opened(self.written(sample_report.failing()))
        heading = "document.querySelectorAll('#verdicts th')[%d]"
        page.run((heading % 1) + ".querySelector('button').click()")
        names = self.cases(page)
        self.assertEqual(names, sorted(names))
        self.assertEqual(page.run((heading % 1) + ".getAttribute('aria-sort')"), "ascending")
        page.run((heading % 1) + ".querySelector('button').click()")
        self.assertEqual(self.cases(page), names[::-1])
        page.run((heading % 4) + ".querySelector('button').click()")
        self.assertEqual(self.cases(page)[:3], ["not finite", "broken", "truncating"])  # inf is the largest

    def test_a_large_table_comes_in_parts(self):
        page = self.opened(self.written(sample_report.many(1000)))
        self.assertEqual(len(self.cases(page)), 200)
        self.assertEqual(page.text("#verdicts .found"), "200 of 1,000 verdicts shown.")
        self.assertEqual(page.texts("#verdicts tbody td:first-child")[:11], ["✗ failed"] * 10 + ["≠ nonconforming"])
        for wanted in (400, 600, 800, 1000):
            page.run("document.querySelector('.more').click()")
            self.assertEqual(len(self.cases(page)), wanted)
        self.assertTrue(page.run("document.querySelector('.more').hidden"))

    def test_claims_are_filtered(self):
        page = self.opened(self.written(claims=sample_report.ledger()))
        page.run("document.querySelector('#ledger .counts .refuted').click()")
        shown = page.run("[...document.querySelectorAll('.claim')].map(node => node.dataset.claim)")
        self.assertEqual(shown, ["kla.false"])

    def test_a_kill_matrix_of_one_family(self):
        page = self.opened(self.written(matrix=sample_report.kill_matrix()))
        page.run("""(() => { const list = document.querySelector('#kill-matrix select'); list.value = 'slow decay';
                     list.dispatchEvent(new Event('change')); })()""")
        self.assertEqual(page.texts(".matrix tbody tr:nth-child(3) > *"), ["gate_shift", "1/1", "1/1", "0/1"])


if __name__ == "__main__":
    unittest.main()
