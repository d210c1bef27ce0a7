"""scripts/gpu_results.py makes the page from complete runs, and refuses incomplete ones."""

import json
import pathlib
import tempfile
import unittest

from support import SCRIPTS, run


def verdict(kernel, case, compared, violations):
    return {"property": "against_host", "kernel": kernel, "case": case, "compared": compared, "violations": violations,
            "ran": {"compiler": "nvcc 13", "flags": "-fmad=false", "source_hash": "abc"}}


class GpuResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "r").mkdir()
        self.report([verdict("chunk", "typical-0 delta BF16 T4", 1000, 0), verdict("chunk", "typical-1 kla BF16 T4", 500, 2),
                     verdict("cache_read", "usual-0 rmsnorm F16 T23 K16", 30, 0), verdict("triangular_solve", "x", 7, 0)])
        for tool in ("memcheck", "initcheck", "synccheck"):
            self.write(f"{tool}.txt", "2 passed, 0 failed\n========= ERROR SUMMARY: 0 errors\n")
        self.write("racecheck.txt", "2 passed, 0 failed\n========= RACECHECK SUMMARY: 0 hazards displayed\n")
        self.write("device_math.txt", "what  compared  differing  s\nexp2f   4294967296   0   4.99\nall   4294967296   0   5.0\n")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def report(self, verdicts):
        environment = {"date": "2026-01-02T", "device": "GPU", "cpu": "CPU", "compiler": "gcc"}
        report = {"verdicts": verdicts, "environment": environment, "summary": {"passed": 3, "failed": 0}}
        self.write("r/report.json", json.dumps(report))

    def page(self):
        return run([SCRIPTS / "gpu_results.py", self.folder])

    def test_sums_by_kernel_and_type(self):
        page = self.page()
        self.assertEqual(page.returncode, 0, page.stderr)
        self.assertIn("| chunk | BF16 | 2 | 1,500 | 2 |", page.stdout)
        self.assertIn("| cache_read | F16 | 1 | 30 | 0 |", page.stdout)
        self.assertIn("| triangular_solve | F32 | 1 | 7 | 0 |", page.stdout)
        self.assertIn("| all |  | 4 | 1,537 | 2 |", page.stdout)
        self.assertIn("| exp2f | 4,294,967,296 | 0 |", page.stdout)
        self.assertIn("| racecheck | RACECHECK SUMMARY: 0 hazards displayed | 2 passed, 0 failed |", page.stdout)

    def test_refuses_runs_that_did_not_end_or_compare(self):
        self.write("memcheck.txt", "2 passed, 0 failed\n")
        self.assertIn("memcheck.txt has no summary", self.page().stderr)
        self.write("memcheck.txt", "2 passed, 0 failed\n========= ERROR SUMMARY: 0 errors\n")
        self.write("device_math.txt", "exp2f   4294967296   0   4.99\n")
        self.assertIn("device_math.txt has no last row", self.page().stderr)
        self.report([])
        self.assertEqual(self.page().returncode, 1)


if __name__ == "__main__":
    unittest.main()
