"""scripts/packages.sh asks for what is missing, and for nothing otherwise.

dpkg-query, apt-get and sudo are stand-ins that answer as the test says and write down their calls.
"""

import pathlib
import tempfile
import unittest

from support import SCRIPTS, run, write_program

DEBIAN_12 = 'ID=debian\nVERSION_ID="12"\n'
UBUNTU_24_04 = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n'
FEDORA = "ID=fedora\nVERSION_ID=40\n"


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.stand_in("apt-get", f'echo "$@" >>{self.calls}\n')
        self.stand_in("sudo", 'exec "$@"\n')

    def stand_in(self, name, body):
        write_program(self.folder / "bin" / name, body)

    def run_packages(self, system, missing=(), kinds="build test"):
        """Source the script on a system where the packages `missing` are not installed."""
        answers = "".join(f"[[ $name == {name} ]] && exit 1\n" for name in missing)
        self.stand_in("dpkg-query", f'name="${{!#}}"\n{answers}echo installed\n')
        os_release = self.folder / "os-release"
        os_release.write_text(system, encoding="utf-8")
        script = f'set -euo pipefail; . "{SCRIPTS}/packages.sh"; deltaproof_packages {kinds}'
        path = f"{self.folder}/bin:/usr/local/bin:/usr/bin:/bin"
        return run(["bash", "-c", script], PATH=path, DELTAPROOF_OS_RELEASE=str(os_release))

    def test_silent_and_without_apt_when_nothing_is_missing(self):
        for system in (DEBIAN_12, UBUNTU_24_04):
            result = self.run_packages(system)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.calls.read_text(), "")

    def test_says_and_installs_what_is_missing(self):
        result = self.run_packages(DEBIAN_12, missing=["libmpfi-dev", "libgtest-dev"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "installing: libmpfi-dev libgtest-dev\n")
        update, install = self.calls.read_text().splitlines()
        self.assertIn("update", update)
        self.assertTrue(install.endswith(" libmpfi-dev libgtest-dev"), install)
        self.assertIn(" --no-remove ", install)

    def test_asks_only_for_the_work_at_hand(self):
        result = self.run_packages(DEBIAN_12, missing=["libgtest-dev"], kinds="build")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(self.calls.read_text(), "")

    def test_boost_is_named_as_the_system_names_it(self):
        for system, boost in ((DEBIAN_12, "libboost1.81-dev"), (UBUNTU_24_04, "libboost-dev")):
            result = self.run_packages(system, missing=["libboost1.81-dev", "libboost-dev"])
            self.assertEqual(result.stdout, f"installing: {boost}\n")

    def test_the_fuzzers_runtime_is_that_of_the_systems_clang(self):
        for system, runtime in ((DEBIAN_12, "libclang-rt-14-dev"), (UBUNTU_24_04, "libclang-rt-18-dev")):
            result = self.run_packages(system, missing=["libclang-rt-14-dev", "libclang-rt-18-dev"])
            self.assertEqual(result.stdout, f"installing: {runtime}\n")

    def test_a_browser_is_wanted_where_it_is_a_package(self):
        for system, browser in ((DEBIAN_12, ["chromium chromium"]), (UBUNTU_24_04, [])):
            (self.folder / "os-release").write_text(system, encoding="utf-8")
            result = run(["bash", "-c", f'set -euo pipefail; . "{SCRIPTS}/packages.sh"; tools_for test'],
                         DELTAPROOF_OS_RELEASE=str(self.folder / "os-release"))
            self.assertEqual([line for line in result.stdout.splitlines() if "chrom" in line], browser)

    def test_a_failure_of_apt_is_a_failure_with_its_message(self):
        self.stand_in("apt-get", "echo no route to the mirror >&2\nexit 100\n")
        result = self.run_packages(DEBIAN_12, missing=["libmpfi-dev"])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no route to the mirror", result.stderr)
        self.assertIn("could not install: libmpfi-dev", result.stderr)

    def test_another_system_is_told_what_is_needed_and_goes_on(self):
        result = self.run_packages(FEDORA, missing=["libmpfi-dev"])
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertIn("MPFI", result.stderr)
        self.assertEqual(self.calls.read_text(), "")


if __name__ == "__main__":
    unittest.main()
