#!/usr/bin/env python3
"""faults.py: a fault changes one place, and what does not fit its source is an error that names both."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("faults.py")
FAULT = """[twice]
text: adds twice
unit: a.cu
caught: LOC
file: a.cuh
- x += 1;
-   y = x;
+ x += 2;
+   y = x;
"""


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "kernels").mkdir()
        self.file, self.page = self.root / "faults.txt", self.root / "page.md"
        self.file.write_text(FAULT)
        self.source("  x += 1;\n  y = x;\n  x += 1;\n")

    def source(self, text):
        (self.root / "kernels" / "a.cuh").write_text(text)

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments, self.file], capture_output=True, text=True,
                              env={**os.environ, "DELTAPROOF_KERNELS": str(self.root / "kernels")})

    def apply(self):
        return self.run_script("apply", self.root / "out")

    def expect_error(self, result, *words):
        self.assertEqual(result.returncode, 1, result.stdout)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_changes_its_place_alone(self):
        self.assertEqual(self.apply().returncode, 0)
        self.assertEqual((self.root / "out/twice/kernels/a.cuh").read_text(), "  x += 2;\n  y = x;\n  x += 1;\n")

    def test_text_that_is_missing_is_an_error(self):
        self.source("  x += 3;\n  y = x;\n")
        self.expect_error(self.apply(), "twice", "occurs 0 times", "a.cuh")
        self.assertFalse((self.root / "out").exists())

    def test_text_that_occurs_twice_is_an_error(self):
        self.source("  x += 1;\n  y = x;\n  x += 1;\n  y = x;\n")
        self.expect_error(self.apply(), "twice", "occurs 2 times", "a.cuh")

    def test_edits_of_one_file_follow_each_other(self):
        self.file.write_text(FAULT + "file: a.cuh\n- += 1;\n+ += 4;\n")
        self.assertEqual(self.apply().returncode, 0)
        self.assertEqual((self.root / "out/twice/kernels/a.cuh").read_text(), "  x += 2;\n  y = x;\n  x += 4;\n")

    def test_chunk_is_compiled_for_one_size(self):
        source = Path(__file__).resolve().parents[3] / "kernels/chunk.cuh"
        lines = [line for line in source.read_text().splitlines(True) if "launch_chunk_of<E, " in line]
        (self.root / "kernels" / "chunk.cuh").write_text("".join(lines))
        for line, sizes in (("", "32"), ("chunk: 64\n", "64"), ("chunk: all\n", None)):
            self.file.write_text(FAULT.replace("unit: a.cu\n", "unit: chunk_f16.cu\n" + line))
            self.assertEqual(self.apply().returncode, 0)
            changed = self.root / "out/twice/kernels/chunk.cuh"
            self.assertEqual(changed.read_text() if changed.exists() else None,
                             sizes and f"  launch_chunk_of<E, {sizes}>(call);\n")
            changed.unlink(missing_ok=True)

    def test_list_names_what_is_changed(self):
        self.assertEqual(self.run_script("list").stdout, "twice;a.cu;a.cuh\n")

    def test_no_such_source_is_an_error(self):
        (self.root / "kernels" / "a.cuh").unlink()
        self.expect_error(self.apply(), "a.cuh")

    def test_malformed_faults_are_errors(self):
        self.file.write_text(FAULT + FAULT)
        self.expect_error(self.run_script("list"), "second fault twice")
        self.file.write_text(FAULT.replace("unit: a.cu\n", ""))
        self.expect_error(self.run_script("list"), "twice: no unit")
        self.file.write_text(FAULT.replace("- x", "* x"))
        self.expect_error(self.run_script("list"), "is no line of a fault")
        self.file.write_text("[none]\ntext: a\nunit: a.cu\ncaught: LOC\nfile: a.cuh\n+ x\n")
        self.expect_error(self.run_script("list"), "none: no old text")

    def test_a_page_with_another_table_is_an_error(self):
        table = self.run_script("table").stdout
        self.assertIn("| `twice` | adds twice | a.cuh | LOC |", table)
        self.page.write_text("# Page\n\n" + table)
        self.assertEqual(self.run_script("check", self.page).returncode, 0)
        self.page.write_text("# Page\n\n" + table.replace("LOC", "PIN"))
        self.expect_error(self.run_script("check", self.page), "page.md")


if __name__ == "__main__":
    unittest.main()
