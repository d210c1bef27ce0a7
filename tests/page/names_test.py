"""Names that somebody chose: what a reader sees is what they are."""

import unittest

import sample_report
from support import PageTest

TURNED = "run\u202egnp.exe\u2066\u200b\u0007"
SEEN = "run\\u{202e}gnp.exe\\u{2066}\\u{200b}\\u{7}"
HEBREW = "\u05d0\u05d1\u05d2 12"
KERNEL = "fla/ops/gated_delta_rule/chunk_gated_delta_rule_fwd_kernel_h_blockdim64"


class Names(PageTest):
    def page_of(self, **window):
        verdict = sample_report.verdict("failed", TURNED, kernel=HEBREW, prop="checked", ratio=2.0, reason=TURNED,
                                        notes=[TURNED], terms=[{"name": TURNED, "value": 1.0}],
                                        profile=[sample_report.profile(tensor=TURNED, worst=2.0)],
                                        findings=[{"kind": TURNED, "message": TURNED, "file": TURNED, "line": 1}])
        return self.opened(self.written(sample_report.report([verdict])), **window)

    def test_what_is_not_seen_or_turns_text_is_written_out(self):
        page = self.page_of()
        for address in ("", "v=0"):
            page.go(address)
            page.run("document.querySelectorAll('details').forEach(node => { node.open = true; })")
            page.settle()
            text = page.run("document.body.innerText + document.title + [...document.querySelectorAll('#main *')]"
                            ".map(node => node.getAttribute('aria-label') + node.title).join()")
            for character in "\u202e\u2066\u200b\u0007":
                self.assertNotIn(character, text)
            self.assertIn(SEEN, text)
        labels = page.run("Chart.getChart(document.querySelector('[data-chart=terms] canvas')).data.labels")
        self.assertEqual(labels, [SEEN])

    def test_a_name_of_another_direction_turns_no_neighbour(self):
        """"HEBREW, checked" is drawn in that order, and the digits of the name stay in the name."""
        page = self.page_of()
        page.go("v=0")
        isolated = page.run("""[...document.querySelectorAll('#detail *')].filter((node) =>
            [...node.childNodes].some((child) => child.nodeType === 3 && child.data.includes("\u05d0")))
            .map((node) => getComputedStyle(node).unicodeBidi)""")
        self.assertGreater(len(isolated), 0)
        self.assertEqual(set(isolated), {"isolate"})
        for selector in ("a", "code", "td", "th", "li", "dd", "strong"):
            kind = page.run(f"""(() => {{ const node = document.body.appendChild(document.createElement("{selector}"));
                const seen = getComputedStyle(node).unicodeBidi; node.remove(); return seen; }})()""")
            self.assertIn(kind, ("isolate", "embed"), selector)

    def test_a_name_breaks_between_its_words(self):
        run = sample_report.report([sample_report.verdict("failed", KERNEL, kernel=KERNEL, ratio=2.0,
                                                          reason="a reason of many words that takes room " * 3)])
        for width in (360, 800, 1000, 1280):
            page = self.opened(self.written(run), width=width, height=900)
            broken = page.run("""[...document.querySelectorAll("bdi")].flatMap((name) => [...name.childNodes]
                .filter((part) => part.nodeType === 3).filter((part) => {
                  const range = document.createRange();
                  range.selectNodeContents(part);
                  return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
                }).map((part) => part.data))""")
            self.assertEqual(broken, [], width)
            self.assertEqual(page.text("#worst bdi"), KERNEL)  # nothing is put into it
            self.assertGreater(page.run("document.querySelectorAll('bdi wbr').length"), 0)


if __name__ == "__main__":
    unittest.main()
