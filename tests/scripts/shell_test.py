"""All shell scripts parse, and the commands explain themselves."""

import shutil
import tempfile
import unittest
from pathlib import Path

from support import ROOT, SCRIPTS, run

COMMANDS = ["build_times", "ci_build", "ci_gate", "fuzz", "gate", "tables", "test", "coverage"]


def shell_scripts():
    """Every shell script of the repository that we run."""
    return [*sorted(SCRIPTS.glob("*.sh")), *(SCRIPTS / name for name in COMMANDS),
            ROOT / ".ci" / "run"]


class ShellScripts(unittest.TestCase):
    def test_all_parse(self):
        for script in shell_scripts():
            with self.subTest(script=script.name):
                result = run(["bash", "-n", script])
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_no_command_is_missing_from_the_list(self):
        commands = {path.name for path in SCRIPTS.iterdir() if path.is_file() and not path.suffix}
        self.assertEqual(commands, set(COMMANDS))

    def test_commands_stop_at_the_first_failure(self):
        for script in [*(SCRIPTS / name for name in COMMANDS), ROOT / ".ci" / "run"]:
            with self.subTest(script=script.name):
                self.assertIn("\nset -euo pipefail\n", script.read_text(encoding="utf-8"))

    def test_help_runs_from_any_directory_and_does_nothing_else(self):
        for name in COMMANDS:
            with self.subTest(command=name), tempfile.TemporaryDirectory() as elsewhere:
                result = run([SCRIPTS / name, "--help"], cwd=elsewhere)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertTrue(result.stdout.startswith(f"usage: scripts/{name} "))

    def test_test_refuses_an_unknown_preset(self):
        result = run([SCRIPTS / "test", "--preset", "fast"])
        self.assertEqual(result.returncode, 2)
        self.assertIn("'fast'", result.stderr)

    def test_fuzz_refuses_what_it_does_not_know(self):
        for arguments in (["nothing"], ["--time", "soon"], ["solve", "--runs"]):
            with self.subTest(arguments=arguments):
                result = run([SCRIPTS / "fuzz", *arguments])
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(arguments[0] if arguments[0] != "solve" else "--runs", result.stderr)

    def test_fuzz_lists_the_targets_that_have_seeds(self):
        listed = run([SCRIPTS / "fuzz", "--list"]).stdout.split()
        self.assertEqual(listed, sorted(path.name for path in (ROOT / "fuzz" / "corpus").iterdir()))

    def test_fuzz_says_when_a_target_does_not_run(self):
        """In a tree of its own, whose build is a program that ends in this way."""
        for status in (0, 1):
            with self.subTest(status=status), tempfile.TemporaryDirectory() as folder:
                root = Path(folder)
                programs = root / "build" / "dev" / "fuzz-build" / "fuzz"
                for path in (root / "scripts", root / "fuzz" / "corpus" / "solve", programs):
                    path.mkdir(parents=True)
                shutil.copy(SCRIPTS / "fuzz", root / "scripts")
                (root / "scripts" / "packages.sh").write_text("deltaproof_packages() { :; }\n", encoding="utf-8")
                (root / "scripts" / "build.sh").write_text(
                    "configure_preset() { :; }\nbuild_preset() { :; }\n", encoding="utf-8")
                program = programs / "deltaproof_fuzz_solve"
                program.write_text(f"#!/bin/sh\necho no such library >&2\nexit {status}\n", encoding="utf-8")
                program.chmod(0o755)
                result = run([root / "scripts" / "fuzz", "solve"])
                self.assertEqual(result.returncode, status)
                self.assertEqual("no such library" in result.stderr, status != 0)


if __name__ == "__main__":
    unittest.main()
