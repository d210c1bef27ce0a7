"""Copies of the tree, built once and tested once unchanged; every mutant gets a fresh copy.

A build tree cannot be moved, since the compiler's command lines hold its path. So all copies are
worked on at one path, WORK/tree: each command runs in a mount namespace of its own, where the copy
lies there. Without such namespaces (unshare of util-linux) there is one job, and the copy itself
is put there.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

NOT_COPIED = shutil.ignore_patterns(".git", "build", ".cache", "__pycache__")
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDELTAPROOF_WERROR=OFF", "-DCMAKE_CXX_FLAGS=-w"]
NAMESPACES = [["unshare", "--mount", "--pid", "--fork", "--kill-child"],
              ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"]]
ENTER = 'mount --bind "$0" "$1" && cd "$1" && shift && exec "$@"'
# A mutant may ask for all the memory there is, or leave core files.
LIMITED = 'ulimit -c 0; ulimit -v 16000000; exec "$0" "$@"'
PASSED = re.compile(r"Test\s+#\d+: (.+?) \.{2,}.*Passed\s+([\d.]+) sec")
FAILED = re.compile(r"Test\s+#\d+: (.+?) \.{2,}.*\*\*\*(Failed|Timeout|Exception|Not Run)")
BUILD_LIMIT = 1800  # seconds


class OutOfTime(Exception):
    """The time for the whole sample is over."""


class WorkplaceError(Exception):
    """The unchanged tree cannot be built or tested."""


@dataclasses.dataclass
class Finished:
    """A command that has ended; `code` None: it ran past its limit."""
    code: int | None
    output: str


def fingerprint(root):
    """A hash over the paths and contents of a tree."""
    result = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        result.update(f"{path.relative_to(root)} {content}\n".encode())
    return result.hexdigest()[:16]


def exactly(names):
    """A regex of CMake's that matches these names alone."""
    return "^(" + "|".join(re.sub(r"([^\w/ -])", r"\\\1", name) for name in names) + ")$"


class Workplace:
    """WORK/base: the unchanged source and build; WORK/job-K: the copy that job K works on."""

    def __init__(self, work, cores, exclude="", deadline=None):
        self.work = pathlib.Path(work).resolve()
        self.base, self.tree = self.work / "base", self.work / "tree"
        self.cores, self.exclude, self.deadline = cores, exclude, deadline
        self.namespace = None
        self.facts = {}

    # The unchanged tree.

    def prepare(self, source, cmake_args=()):
        """Copy, build and test the unchanged tree, unless WORK/base holds it already."""
        self.work.mkdir(parents=True, exist_ok=True)
        ready = self.work / "base.json"
        copy = self.work / "source"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(source, copy, symlinks=True, ignore=NOT_COPIED)
        tree = fingerprint(copy)
        if ready.exists() and json.loads(ready.read_text())["tree"] == tree:
            self.facts = json.loads(ready.read_text())
        else:
            ready.unlink(missing_ok=True)
            shutil.rmtree(self.base, ignore_errors=True)
            shutil.rmtree(self.tree, ignore_errors=True)
            (self.tree / "tmp").mkdir(parents=True)
            copy.rename(self.tree / "source")
            self.facts = {"tree": tree, **self._build_and_test(cmake_args)}
            self.tree.rename(self.base)
            ready.write_text(json.dumps(self.facts))
        self.tree.mkdir(exist_ok=True)
        self.namespace = next((words for words in NAMESPACES if self._can_enter(words)), None)
        return self.facts

    def _build_and_test(self, cmake_args):
        begin = time.monotonic()
        for command in (["cmake", "-S", "source", "-B", "build", *CONFIGURE, *cmake_args],
                        ["ninja", "-C", "build", "-j", str(self.cores)]):
            done = self._run(command, self.tree, BUILD_LIMIT)
            if done.code != 0:
                raise WorkplaceError(done.output[-4000:])
        built = time.monotonic()
        done = self._run(self._ctest("build", self.cores, 600), self.tree, BUILD_LIMIT)
        passed = {name: float(seconds) for name, seconds in PASSED.findall(done.output)}
        if not passed:
            raise WorkplaceError(done.output[-4000:])
        return {"build_s": round(built - begin), "test_s": round(time.monotonic() - built),
                "tests": len(passed), "slowest_s": max(passed.values()),
                "failing": sorted(name for name, _ in FAILED.findall(done.output))}

    def _can_enter(self, words):
        """Whether a copy can be mounted at WORK/tree."""
        probe = self.work / "probe"
        shutil.rmtree(probe, ignore_errors=True)
        probe.mkdir()
        (probe / "seen").touch()
        try:
            done = subprocess.run([*words, "sh", "-c", ENTER, str(probe), str(self.tree), "test", "-e", "seen"],
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0

    # A mutant.

    def fresh_copy(self, job):
        """A copy of the unchanged tree for job K; the folder where it lies."""
        place = self.work / f"job-{job}" if self.namespace else self.tree
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run(["cp", "-a", str(self.base), str(place)], check=True)
        return place

    def discard(self, place):
        """Remove a copy; WORK/tree stays as the place to mount at."""
        shutil.rmtree(place, ignore_errors=True)
        self.tree.mkdir(exist_ok=True)

    def build(self, place, targets, cores):
        """Bring a copy's targets up to date (all of them: no targets)."""
        return self._run(["ninja", "-C", "build", "-j", str(cores), *targets], place, BUILD_LIMIT)

    def test(self, place, folder, cores, limit):
        """Run the tests of one folder of the build tree up to the first failure: (name, how) or None."""
        done = self._run([*self._ctest(folder, cores, limit), "--stop-on-failure"], place, None)
        failed = FAILED.findall(done.output)
        if done.code and not failed:
            raise WorkplaceError(done.output[-4000:])
        return failed[0] if failed else None

    def _ctest(self, folder, cores, limit):
        skipped = [self.exclude] if self.exclude else []
        if self.facts.get("failing"):
            skipped.append(exactly(self.facts["failing"]))
        return ["ctest", "--test-dir", folder, "-j", str(cores), "--timeout", str(limit), "--no-tests=error",
                *(["--exclude-regex", "|".join(skipped)] if skipped else [])]

    def _run(self, command, place, limit):
        """Run a command in a copy, seen at WORK/tree; everything it started ends with it."""
        command = ["sh", "-c", LIMITED, *command]
        if place != self.tree:
            command = [*self.namespace, "sh", "-c", ENTER, str(place), str(self.tree), *command]
        seconds = [left for left in (limit, self._seconds_left()) if left is not None]
        process = subprocess.Popen(command, cwd=place, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                                   env={**os.environ, "TMPDIR": str(self.tree / "tmp")})
        try:
            output, _ = process.communicate(timeout=min(seconds, default=None))
            return Finished(process.returncode, output)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            if self._seconds_left() == 0:
                raise OutOfTime from None
            return Finished(None, output)

    def _seconds_left(self):
        """Until the deadline; None without one."""
        return None if self.deadline is None else max(0, self.deadline - time.monotonic())
