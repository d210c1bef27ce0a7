"""The checks find what they look for: each is shown a page with that fault."""

import http.server
import os
import re
import threading
import unittest
from unittest import mock

import browser
import checks
import sample_report
from support import PageTest

FRAME = ("<!DOCTYPE html><html lang='en'><meta charset='utf-8'>{head}"
         "<body style='background: white; color: black'>{body}</body></html>")


class Controls(PageTest):
    def shown(self, body, head="", **window):
        path = self.folder / f"{self.id()}.html"
        path.write_text(FRAME.format(body=body, head=head), encoding="utf-8")
        page = browser.Page(self.browser, **window)
        self.addCleanup(page.close)
        page.open(path).settle()
        return page

    def test_a_page_without_fault(self):
        page = self.shown("<p>text</p><button>name</button>", width=360)
        self.assertEqual(checks.console_faults(page) + checks.requests_made(page) + checks.overflow(page, 360) +
                         checks.poor_contrast(page) + checks.unnamed_controls(page) + checks.blank_canvases(page), [])

    def test_errors_in_the_console(self):
        for body in ("<script>console.error('wrong')</script>", "<script>throw new Error('wrong')</script>",
                     "<script>Promise.reject(new Error('wrong'))</script>"):
            faults = checks.console_faults(self.shown(body))
            self.assertEqual(len(faults), 1, body)
            self.assertIn("wrong", faults[0])

    def test_a_violation_of_the_policy(self):
        policy = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        faults = checks.console_faults(self.shown("<script>document.title = 'ran'</script>", policy))
        self.assertEqual(len(faults), 1)
        self.assertIn("Content Security Policy", faults[0])

    def test_requests(self):
        for body in ("<img src='http://127.0.0.1:9/picture.png'>", "<link rel='stylesheet' href='other.css'>",
                     "<script>fetch('http://127.0.0.1:9/').catch(() => 0)</script>",
                     "<script>navigator.sendBeacon('http://127.0.0.1:9/', 'x')</script>"):
            self.assertEqual(len(checks.requests_made(self.shown(body))), 1, body)

    def test_overflow(self):
        faults = checks.overflow(self.shown("<div style='width: 500px'>wide</div>", width=360), 360)
        self.assertIn("wide", str(faults))
        self.assertNotEqual(checks.overflow(self.shown(f"<p>{'x' * 200}</p>", width=360), 360), [])

    def test_contrast(self):
        for style in ("color: #999", "color: white", "background: black"):
            self.assertEqual(len(checks.poor_contrast(self.shown(f"<p style='{style}'>pale</p>"))), 1, style)

    def test_a_chart_that_was_not_drawn(self):
        page = self.shown("<canvas aria-label='empty'></canvas><canvas aria-label='drawn' id='b'></canvas>"
                          "<script>b.getContext('2d').fillRect(5, 5, 50, 50)</script>")
        self.assertEqual([fault.split(":")[0] for fault in checks.blank_canvases(page)], ["empty"])

    def test_a_series_that_was_not_drawn(self):
        page = self.opened(self.written(sample_report.failing()), "#v=1")
        for kind in ("error", "heat", "histogram", "position", "terms"):
            page.run(f"""(() => {{
              const chart = Chart.getChart(document.querySelector('[data-chart={kind}] canvas'));
              for (const series of chart.data.datasets) series.data = series.data.map(() => null);
              chart.update();
            }})()""")
        page.settle()
        # One curve for the error and one for what is allowed; four heads; and one series in each of the others.
        self.assertEqual(len(checks.undrawn_series(page)), 2 + 4 + 1 + 1 + 1)
        self.assertEqual(checks.blank_canvases(page), [])  # which is why this check is needed

    def test_a_control_without_a_name(self):
        page = self.shown("<button></button><input><canvas></canvas><a href='#'>x</a>")
        self.assertEqual(len(checks.unnamed_controls(page)), 3)

    def test_a_browser_that_is_missing_is_a_failure_that_says_what_to_install(self):
        with mock.patch.dict(os.environ, DELTAPROOF_BROWSER="no-such-browser"):
            with self.assertRaisesRegex(AssertionError, "apt install chromium"):
                browser.find_browser()


class Policy(PageTest):
    """The page's own policy is what keeps it quiet: a page that was tampered with runs nothing and asks nobody."""

    def tampered(self, old, new):
        path = self.written(sample_report.failing())
        markup = path.read_text(encoding="utf-8")
        self.assertEqual(markup.count(old), 1)
        path.write_text(markup.replace(old, new), encoding="utf-8")
        page = browser.Page(self.browser)
        self.addCleanup(page.close)
        page.open(path).settle()
        return page

    def test_a_script_that_was_put_in_does_not_run(self):
        page = self.tampered("</footer>", "</footer><script>document.title = 'ran'</script>")
        self.assertNotEqual(page.run("document.title"), "ran")
        self.assertTrue(any("Content Security Policy" in fault for fault in checks.console_faults(page)))

    def test_nor_a_handler_in_markup(self):
        page = self.tampered("</footer>", "</footer><img src='data:,' onerror=\"document.title = 'ran'\">")
        self.assertNotEqual(page.run("document.title"), "ran")

    def test_nothing_leaves_the_page(self):
        arrived = []

        class Server(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                arrived.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}"
            page = self.tampered("</footer>", f"</footer><img src='{address}/image'>")
            page.run(f"fetch('{address}/fetch').catch(() => 0)")
            self.assertEqual(arrived, [])
            # The same where no policy stands.
            path = self.folder / "free.html"
            path.write_text(FRAME.format(head="", body=f"<img src='{address}/image'>"), encoding="utf-8")
            free = browser.Page(self.browser)
            self.addCleanup(free.close)
            free.open(path).settle()
            self.assertEqual(arrived, ["/image"])
            server.shutdown()

    def test_a_changed_script_does_not_run(self):
        page = self.tampered("const worstShown = 5;", "const worstShown = 6;")
        self.assertEqual(page.text("h1"), None)

    def test_the_policy_is_strict(self):
        markup = self.written(sample_report.passing()).read_text(encoding="utf-8")
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', markup).group(1)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)


if __name__ == "__main__":
    unittest.main()
