"""The threshold of scripts/coverage: a room below it, or without a line, fails by name."""

import os
import shlex
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from support import ROOT, SCRIPTS, run, write_program

ROOMS = ("reference", "kernels", "properties")


def record(path, counts):
    """One file of a tracefile: DA as lcov 1.16 writes it; lcov 2 adds a checksum, which is left alone."""
    lines = "".join(f"DA:{number},{count}\n" for number, count in enumerate(counts, start=1))
    return f"TN:\nSF:{path}\nFN:1,f\nFNDA:1,f\nFNF:1\nFNH:1\n{lines}LF:{len(counts)}\nLH:0\nend_of_record\n"


class Rooms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def judge(self, text, *words):
        tracefile = self.root / "coverage.info"
        tracefile.write_text(text, encoding="utf-8")
        return run([sys.executable, "-B", SCRIPTS / "coverage_rooms.py", tracefile, "--root", self.root, *words])

    def rooms(self, **counts):
        """A file in each room, all of whose lines are reached but where said otherwise."""
        return "".join(record(self.root / room / "a.cpp", counts.get(room, [1] * 10)) for room in ROOMS)

    def test_rooms_at_the_threshold_pass(self):
        result = self.judge(self.rooms(kernels=[7] * 9 + [0]))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "reference/   100.0 % of 10 lines\nkernels/     90.0 % of 10 lines\n"
                                        "properties/  100.0 % of 10 lines\n")

    def test_each_room_below_it_fails_by_name_with_its_lines(self):
        for room in ROOMS:
            with self.subTest(room=room):
                result = self.judge(self.rooms(**{room: [1, 0, 0] + [1] * 7}))
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{room}/ is below 90 %", result.stdout)
                self.assertIn(f"2 of 10 in {room}/a.cpp: 2-3\n", result.stdout)

    def test_a_share_is_not_rounded_up_to_the_threshold(self):
        result = self.judge(self.rooms(reference=[1] * 8999 + [0] * 1001))
        self.assertEqual(result.returncode, 1)

    def test_a_room_without_a_line_fails(self):
        for room in ROOMS:
            with self.subTest(room=room):
                text = "".join(record(self.root / other / "a.cpp", [1]) for other in ROOMS if other != room)
                result = self.judge(text)
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{room}/: no line of it", result.stdout)

    def test_a_folder_that_begins_like_a_room_is_not_in_it(self):
        text = self.rooms(kernels=[0] * 10) + record(self.root / "kernels_more" / "a.cpp", [1] * 1000)
        self.assertIn("kernels/     0.0 % of 10 lines", self.judge(text).stdout)

    def test_counts_of_one_file_in_several_records_are_one(self):
        text = self.rooms(kernels=[0] * 5 + [1] * 5) + record(self.root / "kernels" / "a.cpp", [1] * 5 + [0] * 5)
        result = self.judge(text)
        self.assertEqual(result.returncode, 0)
        self.assertIn("kernels/     100.0 % of 10 lines", result.stdout)

    def test_a_negative_count_is_not_reached(self):
        result = self.judge(self.rooms(kernels=[-1, -1] + [1] * 8))
        self.assertEqual(result.returncode, 1)

    def test_checksums_are_read_over(self):
        text = self.rooms().replace("DA:1,1\n", "DA:1,1,sBsHLzQzPMmJKPMkvgPCjw\n")
        self.assertEqual(self.judge(text).returncode, 0)

    def test_sources_that_were_not_compiled_are_named(self):
        (self.root / "kernels" / "cuda").mkdir(parents=True)
        (self.root / "kernels" / "cuda" / "device.cu").touch()
        self.assertIn("no line measured in kernels/cuda/device.cu\n", self.judge(self.rooms()).stdout)

    def test_another_threshold(self):
        text = self.rooms(kernels=[0] * 3 + [1] * 7)
        self.assertEqual(self.judge(text, "--fail-under", "70").returncode, 0)
        self.assertEqual(self.judge(text, "--fail-under", "70.5").returncode, 1)

    def test_what_is_no_tracefile_is_refused(self):
        for text in ("DA:1,1\n", "SF:a\nDA:1\n", "SF:a\nDA:x,1\n"):
            with self.subTest(text=text):
                result = self.judge(text)
                self.assertEqual(result.returncode, 2)
                self.assertIn("is not a tracefile of lcov", result.stderr)

    def test_a_missing_tracefile_is_refused(self):
        result = run([sys.executable, "-B", SCRIPTS / "coverage_rooms.py", self.root / "none.info"])
        self.assertEqual(result.returncode, 2)
        self.assertIn("none.info", result.stderr)


class Command(unittest.TestCase):
    def test_refuses_what_it_does_not_know(self):
        for words in (["--fail-under", "most"], ["--fail-under"], ["--quick", "-R", "x"], ["--built"]):
            with self.subTest(words=words):
                result = run([SCRIPTS / "coverage", *words])
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("scripts/coverage", result.stderr)


class Quick(unittest.TestCase):
    """run_quick of the script, with lists of its own and programs that are shell scripts."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        script = (SCRIPTS / "coverage").read_text(encoding="utf-8")
        self.functions = script[script.index("# run_logged STATUS"):script.index('find "$build" -name \'*.gcda\'')]
        (self.build / "tests").mkdir()
        write_program(self.build / "cli" / "deltaproof", 'exit "$1"')

    def quick(self, commands, programs=(), **environment):
        lists = "".join(f"quick_{name}=({' '.join(shlex.quote(word) for word in words)})\n"
                        for name, words in (("programs", programs), ("commands", commands)))
        text = f"set -euo pipefail\nroot={shlex.quote(str(ROOT))} build={shlex.quote(str(self.build))}\n{lists}"
        return run(["bash", "-c", text + self.functions + "run_quick"], **environment)

    def test_what_ends_as_it_should_passes(self):
        write_program(self.build / "tests" / "one" / "some_tests", 'test "$1" = "--gtest_filter=A.*:B.*"')
        result = self.quick(["0 0", "3 3", "0 0 FOLDER"] * 4, ["some_tests --gtest_filter=A.*:B.*"])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_what_ends_otherwise_fails(self):
        for commands in (["0 1"], ["3 0"], ["0 0"] * 8 + ["0 1"], ["0 1"] + ["0 0"] * 8):
            result = self.quick(commands)
            self.assertEqual(result.returncode, 1, commands)
            self.assertIn("status", result.stderr)

    def test_a_run_that_is_killed_with_its_shell_fails(self):
        write_program(self.build / "cli" / "deltaproof", 'kill -9 "$(ps -o ppid= -p "$PPID")" $PPID')
        self.assertEqual(self.quick(["0 0"]).returncode, 1)

    def test_without_a_place_for_its_files_it_fails(self):
        self.assertEqual(self.quick(["0 0"], TMPDIR="/nonexistent").returncode, 1)

    def test_a_program_that_is_not_there_fails_by_name(self):
        result = self.quick(["0 0"], ["no_such_tests"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("no program of tests no_such_tests", result.stderr)


class Summary(unittest.TestCase):
    """How the coverage ended is in ctest's summary, in a tree of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        tests = self.root / "tests" / "scripts"
        tests.mkdir(parents=True)
        shutil.copy(ROOT / "tests" / "scripts" / "coverage.cmake", tests)
        (self.root / "CTestTestfile.cmake").write_text('include("tests/scripts/coverage.cmake")\n', encoding="utf-8")
        (self.root / "build" / "coverage").mkdir(parents=True)
        self.rooms = self.root / "build" / "coverage" / "rooms.txt"

    def ctest(self, **environment):
        return run(["ctest", "--output-on-failure", "--no-tests=ignore"], cwd=self.root, **environment)

    def test_without_a_measurement_there_is_no_test(self):
        os.environ.pop("DELTAPROOF_COVERAGE_STATUS", None)  # of the run that this test is in
        self.assertIn("Total Tests: 0", run(["ctest", "--show-only"], cwd=self.root).stdout)

    def test_what_was_too_little_fails_with_its_text(self):
        self.rooms.write_text("kernels/ is below 90 %\n", encoding="utf-8")
        result = self.ctest(DELTAPROOF_COVERAGE_STATUS="1")
        self.assertEqual(result.returncode, 8)
        self.assertIn("kernels/ is below 90 %", result.stdout)

    def test_what_was_enough_passes(self):
        self.rooms.touch()
        result = self.ctest(DELTAPROOF_COVERAGE_STATUS="0")
        self.assertEqual(result.returncode, 0)
        self.assertIn("coverage.lines", result.stdout)

    def test_without_a_result_it_fails(self):
        self.assertEqual(self.ctest(DELTAPROOF_COVERAGE_STATUS="0").returncode, 8)


class ContinuousIntegration(unittest.TestCase):
    """.ci/run with scripts of its own in the place of ours."""

    def ci(self, coverage_status, test_status):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in (("coverage", f'echo "coverage $*"; exit {coverage_status}'),
                               ("test", f'echo "test $* $DELTAPROOF_COVERAGE_STATUS"; exit {test_status}')):
                write_program(root / "scripts" / name, text)
            (root / ".ci").mkdir()
            shutil.copy(ROOT / ".ci" / "run", root / ".ci")
            return run([root / ".ci" / "run", "-R", "oracle"])

    def test_passes_where_both_do_and_fails_where_either_fails(self):
        # The tests alone may pass: -R oracle leaves coverage.lines out.
        for coverage, tests, status in ((0, 0, 0), (1, 0, 1), (2, 0, 2), (0, 8, 8), (1, 8, 8)):
            result = self.ci(coverage, tests)
            self.assertEqual((result.returncode, result.stdout),
                             (status, f"coverage --quick\ntest -R oracle {coverage}\n"))


if __name__ == "__main__":
    unittest.main()
