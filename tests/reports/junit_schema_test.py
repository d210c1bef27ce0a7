"""junit.xml against a schema, and as junitparser reads it, which common reporters of pull requests use."""

import io
import re

import junitparser
from lxml import etree

import samples

FAILURES = {"failed": "Failure", "nonconforming": "Failure", "error": "Error"}


def shown(text):
    """A pattern of a name of report.json with its bytes spelled out; which byte was no text is not known there."""
    parts = (r"\\x[0-9a-f]{2}" if c == "\ufffd" else re.escape(c) if " " <= c <= "~" else
             "".join(rf"\\x{b:02x}" for b in c.encode()) for c in text)
    return "".join(parts)


class JunitSchema(samples.SampleTest):
    def setUp(self):
        self.schema = etree.XMLSchema(etree.parse(str(samples.HERE / "junit.xsd")))

    def errors(self, text):
        self.schema.validate(etree.parse(io.BytesIO(text.encode())))
        return [str(error) for error in self.schema.error_log]

    def test_every_report_is_valid(self):
        for name in samples.SAMPLES:
            self.assertEqual(self.errors(self.text(name, "xml")), [], name)

    def test_what_a_reader_would_not_take_is_refused(self):
        good = self.text("all", "xml")
        for old, new in (
            (' name="case"', ""),
            (' tests="9"', ' tests="nine"'),
            (' failures="', ' unknown="1" failures="'),
            ("<failure ", "<failing "),
            (' type="failed"', ""),
            ("T03:04:05", " 03:04"),
            ("  </testsuite>", "    <properties/>\n  </testsuite>"),
            ("<testcase ", '<testcase time="0" '),
        ):
            broken = good.replace(old, new).replace("</failure>", "</failing>" if "failing" in new else "</failure>")
            self.assertTrue(broken != good, old)
            self.assertNotEqual(self.errors(broken), [], old)

    def test_two_cases_of_one_name_are_refused(self):
        lines = self.text("passed", "xml").splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if "<testcase" in line)
        self.assertNotEqual(self.errors("".join(lines[: at + 1] + lines[at:])), [])

    def test_what_is_not_xml_is_refused(self):
        with self.assertRaises(etree.XMLSyntaxError):
            self.errors(self.text("all", "xml").replace("</testcase>", "", 1))


class Junitparser(samples.SampleTest):
    def test_reads_counts_and_texts(self):
        for name in samples.SAMPLES:
            report = self.report(name)
            suites = junitparser.JUnitXml.fromfile(str(self.path(name, "xml")))
            (suite,) = list(suites)
            counts = report["summary"]
            self.assertEqual(suite.tests, len(report["verdicts"]))
            self.assertEqual(suite.failures, counts["failed"] + counts["nonconforming"])
            self.assertEqual(suite.errors, counts["error"])
            self.assertEqual(suite.skipped, counts["suspect"] + counts["uninformative"] + counts["skipped"])
            self.assertEqual({p.name for p in suite.properties()} >= {"deltaproof", "device"}, True)
            for verdict, case in zip(report["verdicts"], suite, strict=True):
                self.check(verdict, case)
            before = (suites.tests, suites.failures, suites.errors)
            suites.update_statistics()  # its own count of what it read
            self.assertEqual((suites.tests, suites.failures, suites.errors), before)

    def check(self, verdict, case):
        self.assertRegex(case.classname, f"^{shown(verdict['property'])}[.]{shown(verdict['kernel'])}$")
        self.assertRegex(case.name, "^" + shown(verdict["case"]))
        if verdict["status"] == "passed":
            self.assertEqual(case.result, [])
            return
        (result,) = case.result
        self.assertEqual(type(result).__name__, FAILURES.get(verdict["status"], "Skipped"))
        self.assertTrue(result.message.startswith(verdict["status"] + ": "), result.message)
        self.assertIn("reason     ", result.text)


if __name__ == "__main__":
    samples.main()
