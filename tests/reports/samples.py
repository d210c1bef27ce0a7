"""Reports of every kind, written by the program that the tests are given: PROGRAM as the first argument."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SAMPLES = ("all", "empty", "passed", "hostile", "many", "endless", "within", "elsewhere")
HERE = pathlib.Path(__file__).resolve().parent


class SampleTest(unittest.TestCase):
    """`path(NAME, ENDING)` is a sample; `report(NAME)` is what report.json says of it."""

    program = ""

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        subprocess.run([cls.program, cls.folder], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def path(self, name, ending):
        return self.folder / f"{name}.{ending}"

    def text(self, name, ending):
        return self.path(name, ending).read_text(encoding="ascii")

    def report(self, name):
        return json.loads(self.text(name, "json"))


def main():
    SampleTest.program = sys.argv.pop(1)
    unittest.main(module="__main__")
