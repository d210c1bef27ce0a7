"""scripts/build.sh works only when there is work, and shows CMake's output when it fails.

cmake and ninja are stand-ins that write down their calls.
"""

import os
import pathlib
import tempfile
import unittest

from support import SCRIPTS, run, write_program


class Build(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.calls = self.root / "calls"
        self.calls.touch()
        (self.root / "build" / "dev").mkdir(parents=True)
        self.presets = self.root / "CMakePresets.json"
        self.presets.touch()
        os.utime(self.presets, (0, 0))  # older than anything written from now on
        self.ninja_file = self.root / "build" / "dev" / "build.ninja"
        self.stand_in("cmake", f'echo "cmake $*" >>{self.calls}; touch {self.ninja_file}\n')

    def stand_in(self, name, body):
        write_program(self.root / "bin" / name, body)

    def call(self, function):
        script = f'set -euo pipefail; . "{SCRIPTS}/build.sh"; {function} "{self.root}" dev'
        return run(["bash", "-c", script], PATH=f"{self.root}/bin:/usr/bin:/bin")

    def test_configures_once(self):
        first = self.call("configure_preset")
        second = self.call("configure_preset")
        self.assertEqual((first.returncode, first.stdout), (0, "configuring: build/dev\n"))
        self.assertEqual((second.returncode, second.stdout), (0, ""))
        self.assertEqual(self.calls.read_text(), "cmake --preset dev\n")

    def test_configures_again_when_the_presets_changed(self):
        self.call("configure_preset")
        later = self.ninja_file.stat().st_mtime + 10
        os.utime(self.presets, (later, later))
        self.assertIn("configuring", self.call("configure_preset").stdout)

    def test_a_failed_configuration_shows_why_and_stops(self):
        self.stand_in("cmake", "echo Could NOT find Boost\nexit 1\n")
        result = self.call("configure_preset")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("Could NOT find Boost", result.stderr)

    def test_silent_when_there_is_nothing_to_build(self):
        self.stand_in("ninja", 'echo "ninja: no work to do."\n')
        result = self.call("build_preset")
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_shows_what_is_built_and_fails_with_the_compiler(self):
        self.stand_in("ninja", '[[ $* == *-n* ]] && exit; echo "[1/1] oracle.cpp"; exit 3\n')
        result = self.call("build_preset")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[1/1] oracle.cpp", result.stdout)


if __name__ == "__main__":
    unittest.main()
