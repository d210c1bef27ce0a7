"""The workflow for GitHub, the job for GitLab and docs/ci.md: they parse, and what they run exists and does it.

The services themselves are not asked. DELTAPROOF is the first argument.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github" / "workflows" / "gate.yml"
GITLAB = ROOT / ".gitlab-ci.yml"
PAGE = ROOT / "docs" / "ci.md"
RECORDED = ROOT / "golden" / "recorded"
DELTAPROOF = ""

PINNED = re.compile(r"[\w.-]+/[\w./-]+@v\d+")
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


class UniqueKeys(yaml.SafeLoader):
    """YAML in which a key that stands twice is an error: PyYAML takes the last one, the services do not."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise yaml.YAMLError(f"a key stands twice among {keys}")
        return super().construct_mapping(node, deep)


def load(text):
    return yaml.load(text, UniqueKeys)


def github_steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def problems(workflow):
    """What is wrong with a workflow's steps, as far as that shows without GitHub."""
    found = []
    names = [step.get("id") for step in github_steps(workflow) if step.get("id")]
    judged = False
    for step in github_steps(workflow):
        name = step.get("name", step.get("uses"))
        if ("uses" in step) == ("run" in step):
            found.append(f"{name}: needs one of uses and run")
        if "uses" in step and not PINNED.fullmatch(step["uses"]):
            found.append(f"{name}: not pinned to a major version")
        if "run" in step and not parses(step["run"]):
            found.append(f"{name}: no shell script")
        if "run" in step and EXPRESSION.search(step["run"]):
            found.append(f"{name}: an expression in a script; give it by env")
        for used in re.findall(r"steps\.(\w+)\.", str(step)):
            if used not in names:
                found.append(f"{name}: no step {used}")
        if judged and not re.match(r"(always|success)\(\)", str(step.get("if", ""))):
            found.append(f"{name}: does not say whether it runs when the gate is red")
        judged = judged or "scripts/ci_gate" in step.get("run", "")
    return found if judged else [*found, "nothing is judged"]


def parses(script):
    text = EXPRESSION.sub("x", script)
    return subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=False).returncode == 0


def options_of(command):
    shown = subprocess.run([DELTAPROOF, command, "--help"], text=True, capture_output=True, check=False)
    return set(re.findall(r"--[a-z][a-z-]*", shown.stdout)) if shown.returncode == 0 else None


def unknown_in(line):
    """The words of a `deltaproof` line that the command does not know."""
    words = shlex.split(line)[1:]
    if words[0].startswith("--"):
        return [word for word in words if word not in ("--help", "--version")]
    options = options_of(words[0])
    if options is None:
        return [words[0]]
    return [word for word in words[1:] if word.startswith("--") and word.split("=")[0] not in options]


def lines_of_page():
    """`deltaproof ..` and `scripts/..` lines of the page: blocks, and code within sentences."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^ {4,}((?:\w+=\S+ )?(?:deltaproof|scripts/\w+) .*)$", text, re.M)
    return blocks + re.findall(r"`((?:deltaproof|scripts/\w+) [^`]+)`", text)


class Workflows(unittest.TestCase):
    def setUp(self):
        self.github = load(GITHUB.read_text(encoding="utf-8"))
        self.gitlab = load(GITLAB.read_text(encoding="utf-8"))

    def test_github_is_well_formed(self):
        self.assertEqual(problems(self.github), [])
        self.assertIn("pull_request", self.github[True])  # `on` is a truth value to YAML 1.1
        for job in self.github["jobs"].values():
            self.assertLessEqual({"runs-on", "timeout-minutes", "steps"}, set(job))

    def test_github_has_no_more_rights_than_it_uses(self):
        self.assertEqual(self.github["permissions"], {"contents": "read", "checks": "write", "pull-requests": "write",
                                                      "issues": "read", "security-events": "write"})

    def test_github_gives_rights_to_its_own_branches_alone(self):
        for step in github_steps(self.github):
            if step.get("uses", "").startswith(("EnricoMi/", "github/codeql-action/")):
                # Not `fork`: a pull request may come from a repository that this one is a fork of, or from none.
                self.assertTrue(step["if"].endswith(
                    " && (github.event_name != 'pull_request' || "
                    "github.event.pull_request.head.repo.full_name == github.repository)"), step["if"])
                self.assertIs(step["continue-on-error"], True)  # the verdict is that of the step that judges

    def test_github_keeps_a_red_report_only_where_failures_are_known(self):
        keeping = [step["if"] for step in github_steps(self.github) if step.get("name", "").startswith("Keep ")][2:]
        self.assertEqual(keeping, ["always() && (success() || env.KNOWN_FAILURES != '') && "
                                   "github.ref == 'refs/heads/main' && hashFiles('report/report.json') != ''"] * 2)

    def test_what_is_wrong_is_seen_here(self):
        text = GITHUB.read_text(encoding="utf-8")
        for old, new in (("checkout@v4", "checkout@main"), ("upload-artifact@v4", "upload-artifact"),
                         ("steps.sources.", "steps.source."), ("if: always()\n", "if: failure()\n"),
                         ("scripts/ci_gate", "scripts/gate"), ("; then cat", "; cat"),
                         ('>>"$GITHUB_OUTPUT"', '>>"${{ github.output }}"')):
            self.assertIn(old, text)
            self.assertNotEqual(problems(load(text.replace(old, new))), [], old)
        with self.assertRaises(yaml.YAMLError):
            load(text.replace("        id: sources\n", "        id: sources\n        id: sources\n"))
        with self.assertRaises(yaml.YAMLError):
            load(text.replace("    steps:", "   steps:"))

    def test_gitlab_is_well_formed(self):
        (job,) = self.gitlab.values()
        self.assertLessEqual(set(job), {"image", "timeout", "variables", "rules", "cache", "before_script", "script",
                                        "after_script", "artifacts"})
        for line in job["before_script"] + job["script"] + job["after_script"]:
            self.assertIsInstance(line, str)
            self.assertTrue(parses(line), line)
        self.assertEqual(job["artifacts"]["when"], "always")
        self.assertEqual(job["artifacts"]["reports"], {"junit": "report/junit.xml"})

    def test_both_judge_the_same(self):
        (job,) = self.gitlab.values()
        for name in ("SOURCE", "CHECK", "KNOWN_FAILURES"):
            self.assertEqual(job["variables"][name], self.github["env"][name])
        gates = [line for step in github_steps(self.github) for line in step.get("run", "").splitlines()
                 if "ci_gate" in line]
        self.assertEqual(gates, [line for line in job["script"] if "ci_gate" in line])

    def test_every_script_is_there(self):
        text = "".join(path.read_text(encoding="utf-8") for path in (GITHUB, GITLAB, PAGE))
        names = set(re.findall(r"scripts/(\w+)(?![\w.])", text))
        self.assertGreaterEqual(names, {"ci_build", "ci_gate"})
        for name in names - {"ci_gate_test"}:
            self.assertTrue(os.access(ROOT / "scripts" / name, os.X_OK), name)


class Commands(unittest.TestCase):
    def test_every_option_is_known(self):
        lines = lines_of_page()
        self.assertGreater(len(lines), 8)
        lines += [f"deltaproof check {load(GITHUB.read_text(encoding='utf-8'))['env']['CHECK']}"]
        for line in lines:
            if line.startswith("deltaproof "):
                self.assertEqual(unknown_in(line), [], line)
            elif " -- " in line:
                self.assertEqual(unknown_in("deltaproof check " + line.split(" -- ")[1]), [], line)

    def test_unknown_ones_are_seen_here(self):
        self.assertEqual(unknown_in("deltaproof frobnicate x"), ["frobnicate"])
        self.assertEqual(unknown_in("deltaproof check --strikt x"), ["--strikt"])

    def test_the_page_shows_the_lines_to_change(self):
        page = PAGE.read_text(encoding="utf-8")
        for path in (GITHUB, GITLAB):
            changes = re.findall(r"^ +(SOURCE|CHECK): .*# change: .*for example (.*)$", path.read_text(encoding="utf-8"),
                                 re.M)
            self.assertEqual([name for name, _ in changes], ["SOURCE", "CHECK"])
            for name, example in changes:
                self.assertIn(f"       {name}: {example}\n", page)


class Job(unittest.TestCase):
    """The scripts of GitHub's steps, from the gate on, as its shell runs them; the build is the one at hand."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "recordings").mkdir()
        self.steps = [step for step in github_steps(load(GITHUB.read_text(encoding="utf-8"))) if "run" in step]
        self.summary = self.folder / "summary"

    def step(self, name, check="--strict recordings/*.safetensors", known_failures=""):
        (script,) = [step["run"] for step in self.steps if step["name"] == name]
        return self.shell(script, SOURCE=str(ROOT), CHECK=check, DELTAPROOF=DELTAPROOF, KNOWN_FAILURES=known_failures,
                          GITHUB_STEP_SUMMARY=str(self.summary))

    def shell(self, script, **variables):
        environment = {**os.environ, **variables}
        return subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], cwd=self.folder,
                              env=environment, text=True, capture_output=True, check=False, timeout=100)

    def record(self, name, broken=False):
        """A recording that is shipped; broken: a bit of its outputs is another."""
        data = bytearray((RECORDED / "gdn_decode_bf16_B16.safetensors").read_bytes())
        if broken:
            length = int.from_bytes(data[:8], "little")
            begin = yaml.safe_load(data[8:8 + length].decode())["o"]["data_offsets"][0]
            data[8 + length + begin + 1] ^= 0x80  # the sign of the first value
        (self.folder / "recordings" / f"{name}.safetensors").write_bytes(data)

    def test_green_then_red_and_shown_either_way(self):
        self.record("one")
        first = self.step("Judge")
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertEqual(self.step("Summary").returncode, 0)
        self.assertIn("**Passed**: all 1 verdicts.", self.summary.read_text(encoding="ascii"))
        self.assertEqual(self.step("Keep the report for comparisons").returncode, 0)
        self.assertTrue((self.folder / "baseline" / "report.json").exists())
        self.summary.unlink()

        self.record("one", broken=True)
        second = self.step("Judge")
        self.assertEqual(second.returncode, 1, second.stdout + second.stderr)
        self.assertEqual(self.step("Summary").returncode, 0)
        summary = self.summary.read_text(encoding="ascii")
        self.assertIn("**Failed**: 1 of 1 verdicts", summary)
        self.assertIn("\n    regressed  one", summary)
        for name in ("report.json", "junit.xml", "findings.sarif", "summary.md", "index.html", "comparison.txt"):
            self.assertTrue((self.folder / "report" / name).exists(), name)

    def test_known_failures_start_without_a_green_run_and_let_nothing_new_through(self):
        self.record("one", broken=True)
        self.assertEqual(self.step("Judge", known_failures="yes").returncode, 1)  # known to nobody yet
        self.assertEqual(self.step("Keep the report for comparisons").returncode, 0)
        self.assertEqual(self.step("Judge", known_failures="yes").returncode, 0)
        self.assertEqual(self.step("Judge").returncode, 1)
        self.record("two", broken=True)
        self.assertEqual(self.step("Judge", known_failures="yes").returncode, 1)

    def test_gitlab_keeps_the_report_that_it_may(self):
        (job,) = load(GITLAB.read_text(encoding="utf-8")).values()
        (script,) = job["after_script"]
        for branch, status, known_failures, judged, kept in (
                ("main", "success", "", True, True), ("main", "failed", "", True, False),
                ("main", "failed", "yes", True, True), ("main", "failed", "yes", False, False),
                ("", "success", "yes", True, False)):
            shutil.rmtree(self.folder / "report", ignore_errors=True)
            shutil.rmtree(self.folder / "baseline", ignore_errors=True)
            if judged:
                (self.folder / "report").mkdir()
                (self.folder / "report" / "report.json").touch()
            result = self.shell(script, CI_COMMIT_BRANCH=branch, CI_DEFAULT_BRANCH="main", CI_JOB_STATUS=status,
                                KNOWN_FAILURES=known_failures)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual((self.folder / "baseline" / "report.json").exists(), kept, (branch, status, judged))

    def test_nothing_to_judge_is_red_and_the_summary_step_is_not(self):
        judged = self.step("Judge")
        self.assertEqual(judged.returncode, 2, judged.stderr)
        self.assertEqual(self.step("Summary").returncode, 0)

    def test_the_same_run_gives_the_same_report(self):
        self.record("one")
        reports = []
        for _ in range(2):
            self.step("Judge")
            text = (self.folder / "report" / "report.json").read_text(encoding="ascii")
            reports.append(re.sub(r'"date": "[^"]*"', "", text))
            shutil.rmtree(self.folder / "report")
        self.assertEqual(reports[0], reports[1])


if __name__ == "__main__":
    DELTAPROOF = sys.argv.pop(1)
    unittest.main()
