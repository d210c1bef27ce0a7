"""scripts/gate judges recordings that exist, passes options on, and exits as `check` does.

The scripts run in a copy of the tree whose build folder holds a stand-in for `deltaproof`.
"""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from support import ROOT, SCRIPTS, run, write_program

STUB_NINJA = "rule none\n  command = true\nbuild all: phony\n"
# Says what it was asked; exits with 3 for kernels, with the number in $RECORDED for recordings.
STUB = 'printf "%s\\n" "$@"; [ "$3" = --kernel ] && exit ${KERNELS-3}; exit ${RECORDED-0}\n'


def judged():
    """The recordings that the gate judges, relative to the root."""
    return run([SCRIPTS / "gate", "--list"]).stdout.split()


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "a tree"
        shutil.copytree(SCRIPTS, self.root / "scripts")
        presets = self.root / "CMakePresets.json"
        presets.touch()
        os.utime(presets, (0, 0))  # older than the build folder, which is therefore up to date
        release = self.root / "build" / "release"
        write_program(release / "cli" / "deltaproof", STUB)
        (release / "build.ninja").write_text(STUB_NINJA, encoding="utf-8")

    def test_runs_the_kernels_with_the_options_given_and_then_judges_the_recordings(self):
        result = run([self.root / "scripts" / "gate", "--report", "some folder"], cwd="/")
        expected = ["check", "--strict", "--kernel", "all", "--report", "some folder",
                    "check", "--strict", *(str(self.root / name) for name in judged())]
        self.assertEqual(result.stdout.splitlines(), expected, result.stderr)

    def test_exits_as_the_first_check_that_did_not_pass(self):
        gate = [self.root / "scripts" / "gate"]
        for kernels, recorded, status in ((3, 1, 3), (0, 1, 1), (0, 0, 0)):
            with self.subTest(kernels=kernels, recorded=recorded):
                finished = run(gate, KERNELS=str(kernels), RECORDED=str(recorded))
                self.assertEqual(finished.returncode, status)

    def test_recordings_exist(self):
        self.assertGreaterEqual(len(judged()), 5)
        for name in judged():
            self.assertTrue((ROOT / name).is_file(), name)

    def test_the_readme_of_the_golden_data_marks_the_same_recordings(self):
        readme = (ROOT / "golden" / "README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|) ?\|$", readme, re.MULTILINE)
        marked = {f"golden/recorded/{name}.safetensors" for name, mark in rows if mark}
        self.assertEqual(marked, set(judged()))
        recorded = {path.stem for path in (ROOT / "golden" / "recorded").iterdir()}
        self.assertEqual({name for name, _ in rows}, recorded)


if __name__ == "__main__":
    unittest.main()
