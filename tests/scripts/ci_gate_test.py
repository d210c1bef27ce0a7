"""scripts/ci_gate ends with the status that its table promises, and scripts/ci_build builds only what has changed.

`deltaproof`, cmake and ninja are stand-ins that end as the test says and write down their calls.
"""

import pathlib
import shutil
import tempfile
import unittest

from support import SCRIPTS, run, write_program

# Of check: writes a report unless its input is unreadable. Both end with the status that the test wants.
DELTAPROOF = """
echo "$@" >>"$CALLS"
if [[ $1 == check ]]; then
  [[ $CHECKED == 2 ]] || { mkdir -p "$3"; echo new >"$3/report.json"; }
  exit "$CHECKED"
fi
echo "a line of compare"
exit "$COMPARED"
"""


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.calls = self.folder / "calls"
        self.calls.touch()


class Gate(Folder):
    def gate(self, *options, checked=0, compared=0):
        write_program(self.folder / "deltaproof", DELTAPROOF)
        command = [SCRIPTS / "ci_gate", *options, "--report", "a report", "--", "--strict", "case.safetensors"]
        return run(command, cwd=self.folder, DELTAPROOF=str(self.folder / "deltaproof"), CALLS=str(self.calls),
                   CHECKED=str(checked), COMPARED=str(compared))

    def baseline(self):
        (self.folder / "old").mkdir(exist_ok=True)
        (self.folder / "old" / "report.json").write_text("old", encoding="ascii")
        return ["--baseline", "old"]

    def test_without_a_baseline_check_decides(self):
        for options in ([], ["--known-failures"], ["--baseline", "none"]):
            for checked in (0, 1, 2, 3, 139):
                self.assertEqual(self.gate(*options, checked=checked, compared=1).returncode, checked)
        self.assertNotIn("compare", self.calls.read_text(encoding="ascii"))

    def test_a_regression_makes_a_pass_a_failure(self):
        for checked, compared, wanted in ((0, 0, 0), (0, 1, 1), (0, 2, 0), (0, 3, 0), (1, 0, 1), (3, 0, 3), (3, 1, 3)):
            result = self.gate(*self.baseline(), checked=checked, compared=compared)
            self.assertEqual(result.returncode, wanted, (checked, compared, result.stderr))
            self.assertIn("a line of compare\n", result.stdout)
            self.assertEqual(result.stdout.splitlines()[-1],
                             f"gate: check ended with {checked}, compare with {compared}: status {wanted}")

    def test_with_known_failures_the_baseline_decides(self):
        for checked, compared, wanted in ((1, 0, 0), (1, 1, 1), (0, 1, 1), (3, 1, 1), (1, 2, 2), (1, 3, 3), (2, 0, 2)):
            result = self.gate("--known-failures", *self.baseline(), checked=checked, compared=compared)
            self.assertEqual(result.returncode, wanted, (checked, compared, result.stderr))
        self.assertIn("compare --strict old a report\n", self.calls.read_text(encoding="ascii"))

    def test_what_an_earlier_run_left_does_not_stand_for_this_one(self):
        report = self.folder / "a report"
        report.mkdir()
        names = ("report.json", "junit.xml", "summary.md", "findings.sarif", "index.html", "comparison.txt")
        for name in (*names, "kill_matrix.json"):
            (report / name).write_text("stale", encoding="ascii")
        result = self.gate("--known-failures", *self.baseline(), checked=2)
        self.assertEqual(result.returncode, 2)
        self.assertEqual([path.name for path in report.iterdir()], ["kill_matrix.json"])  # none of this command's

    def test_arguments_reach_check_as_they_are(self):
        self.gate()
        self.assertEqual(self.calls.read_text(encoding="ascii"), "check --report a report --strict case.safetensors\n")
        self.assertFalse((self.folder / "a report" / "comparison.txt").exists())

    def test_refuses_what_it_cannot_run(self):
        for words in ([], ["--report"], ["--report", "r"], ["--report", "r", "--"], ["--fast"], ["x", "--", "y"],
                      ["--report", "", "--", "y"], ["--report", "--baseline", "--", "y"],
                      ["--report", "r", "--baseline", "--", "y"], ["--report", "-r", "--", "y"],
                      ["--report", "r", "--baseline"]):
            result = run([SCRIPTS / "ci_gate", *words])
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn("see --help", result.stderr)


class Build(Folder):
    """In a tree of its own, under git, whose build is a stand-in."""

    def setUp(self):
        super().setUp()
        self.root = self.folder / "a tree"
        shutil.copytree(SCRIPTS, self.root / "scripts")
        (self.root / "scripts" / "packages.sh").write_text("deltaproof_packages() { :; }\n", encoding="ascii")
        (self.root / "CMakePresets.json").write_text("{}\n", encoding="ascii")
        write_program(self.folder / "bin" / "ninja", 'echo "ninja" >>"$CALLS"\n')
        # With --install it makes the command where it is told to, and breaks off if it is told to.
        write_program(self.folder / "bin" / "cmake", 'echo "cmake" >>"$CALLS"\n[[ $1 == --install ]] || exit 0\n'
                      'mkdir -p "$4/bin"\ninstall /dev/null "$4/bin/deltaproof"\n[[ -z ${BREAK_OFF-} ]]\n')
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
            self.git(*words)

    def git(self, *words):
        result = run(["git", "-C", self.root, "-c", "user.name=x", "-c", "user.email=x@example.org", *words])
        self.assertEqual(result.returncode, 0, result.stderr)

    def build(self, folder="installed", **environment):
        return run([self.root / "scripts" / "ci_build", folder], cwd=self.folder, CALLS=str(self.calls),
                   PATH=f"{self.folder}/bin:/usr/bin:/bin", **environment)

    def tree(self):
        return run([self.root / "scripts" / "ci_build", "--tree"]).stdout

    def test_builds_once_for_a_state_of_the_sources(self):
        self.assertIn("built: installed/bin/deltaproof", self.build().stdout)
        calls = self.calls.read_text(encoding="ascii")
        self.assertIn("cmake", calls)
        result = self.build()
        self.assertEqual(result.stdout, "built before: installed/bin/deltaproof\n", result.stderr)
        self.assertEqual(self.calls.read_text(encoding="ascii"), calls)

    def test_builds_again_when_anything_has_changed(self):
        self.build()
        trees = [self.tree()]
        (self.root / "CMakePresets.json").write_text('{"a": 1}\n', encoding="ascii")
        trees.append(self.tree())
        self.assertIn("built: ", self.build().stdout)
        self.git("commit", "-q", "-a", "-m", "second")
        trees.append(self.tree())
        self.assertIn("built: ", self.build().stdout)
        self.assertEqual(len(set(trees)), 3)

    def test_without_git_it_always_builds(self):
        shutil.rmtree(self.root / ".git")
        for _ in range(2):
            self.assertIn("built: ", self.build().stdout)

    def test_an_installation_that_broke_off_is_done_again(self):
        for _ in range(2):
            result = self.build(BREAK_OFF="1")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertTrue((self.folder / "installed" / "bin" / "deltaproof").exists())
        (self.folder / "installed" / "of the broken one").touch()
        self.assertIn("built: installed/bin/deltaproof", self.build().stdout)
        self.assertEqual({path.name for path in (self.folder / "installed").iterdir()}, {"bin", "built-from"})

    def test_does_not_replace_what_it_did_not_make(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "work").touch()
        result = self.build("mine")
        self.assertEqual(result.returncode, 2)
        self.assertIn("mine holds something else", result.stderr)
        self.assertTrue((self.folder / "mine" / "work").exists())
        self.assertEqual(self.build("").returncode, 2)


if __name__ == "__main__":
    unittest.main()
