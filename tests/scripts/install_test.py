"""The install target gives a command that runs and a CMake package that a program can use.

usage: install_test.py CMAKE BUILD_FOLDER
"""

import pathlib
import sys
import tempfile
import unittest

from support import ROOT, run

CMAKE, BUILD = sys.argv[1:3]
CONSUMER = ROOT / "tests" / "scripts" / "consumer"


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        cls.succeed([CMAKE, "--install", BUILD, "--prefix", cls.prefix])

    @classmethod
    def succeed(cls, command):
        result = run(command)
        if result.returncode:
            raise AssertionError(f"{command}:\n{result.stdout}{result.stderr}")
        return result.stdout

    def test_a_program_finds_the_package_and_prints_the_rules_that_the_command_lists(self):
        build = pathlib.Path(self.folder.name) / "consumer"
        self.succeed([CMAKE, "-G", "Ninja", "-S", CONSUMER, "-B", build,
                      f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release"])
        self.succeed([CMAKE, "--build", build])
        names = self.succeed([build / "consumer"]).split()
        listed = self.succeed([self.prefix / "bin" / "deltaproof", "list", "rules"]).splitlines()
        self.assertIn("gated_delta", names)
        self.assertEqual(names, [line.split()[0] for line in listed])

    def test_the_installed_command_finds_the_kernels_it_runs(self):
        checked = self.succeed([self.prefix / "bin" / "deltaproof", "check", "--kernel", "triangular_solve",
                                "--only", "0"])
        self.assertRegex(checked, r"\n[1-9][0-9]* passed, 0 failed(, 0 [a-z]+)+\n$")

    def test_licence_and_notices_are_installed(self):
        for name in ("LICENSE", "NOTICE"):
            copy = self.prefix / "share" / "doc" / "deltaproof" / name
            self.assertEqual(copy.read_bytes(), (ROOT / name).read_bytes())

    def test_no_installed_file_names_the_build_or_source_folder(self):
        for path in self.prefix.rglob("*.cmake"):
            text = path.read_text(encoding="utf-8")
            for folder in (str(ROOT), BUILD):
                self.assertNotIn(folder, text, path.name)

    def test_every_header_is_installed_with_the_headers_it_includes(self):
        include = self.prefix / "include" / "deltaproof"
        headers = [*include.rglob("*.hpp")]
        self.assertTrue(headers)
        for header in headers:
            for line in header.read_text(encoding="utf-8").splitlines():
                if line.startswith('#include "'):
                    self.assertTrue((include / line.split('"')[1]).is_file(), f"{header}: {line}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
