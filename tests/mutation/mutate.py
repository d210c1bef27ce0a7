#!/usr/bin/env python3
"""A mutation sample: flips one operator or constant of reference/ at a time, and asks the tests.

Sites are drawn uniformly from all of them, in an order that the seed decides. The sample is the
first COUNT draws that compile. A mutant is `killed` by the first test that fails, the tests of its
own folder first and then all, or it `survived`; a `timeout` is a test that ran past a limit of ten
times the slowest unchanged one, and counts as killed. Results are JSON lines, one a mutant; a run
that was stopped goes on where it was. The source tree is read, never written.

Exit status: 0 the sample is complete, 1 it is not.
"""

import argparse
import json
import os
import pathlib
import random
import re
import sys
import threading
import time

import sites
from workplace import OutOfTime, Workplace, WorkplaceError

KILLED = ("killed", "timeout")
NOT_COUNTED = ("does not compile", "error")


def draws(found, seed):
    """All sites in the seed's order, each with what takes its place."""
    source = random.Random(seed)
    return [(site, source.choice(site.choices)) for site in source.sample(found, len(found))]


def why_not_built(output):
    """The record of a mutant that a build rejects: by the compiler, or since its tests do not start."""
    if "GoogleTestAddTests" in output:
        program = re.search(r"FAILED: (?:\[code=\d+\] )?(\S+)", output)
        return {"outcome": "killed", "test": f"start of {program[1] if program else 'a test program'}"}
    error = re.search(r".*\b(?:error|undefined reference)\b.*", output)
    return {"outcome": "does not compile", "test": error[0].strip()[:200] if error else ""}


class Sample:
    """The mutants drawn so far and what became of them."""

    def __init__(self, order, results, count, facts):
        self.order, self.results, self.count, self.facts = order, results, count, facts
        self.done, self.running = {}, set()
        self.lock = threading.Lock()
        for line in results.read_text().splitlines() if results.exists() else []:
            record = json.loads(line)
            site, after = order[record["draw"]]
            if (record["tree"], record["path"], record["after"]) != (facts["tree"], site.path, after):
                raise WorkplaceError(f"{results} is of another tree or seed")
            if record["outcome"] != "error":
                self.done[record["draw"]] = record

    def next_draw(self):
        """The first draw that nobody has taken; None when the sample is complete without it."""
        with self.lock:
            counted = [r for r in self.done.values() if r["outcome"] not in NOT_COUNTED]
            if len(counted) + len(self.running) >= self.count:
                return None
            draw = next((i for i in range(len(self.order))
                         if i not in self.done and i not in self.running), None)
            if draw is not None:
                self.running.add(draw)
            return draw

    def record(self, draw, result):
        """Write down what became of a draw; None: nothing, since time ran out."""
        with self.lock:
            self.running.discard(draw)
            if result is None:
                return
            site, after = self.order[draw]
            result = {"tree": self.facts["tree"], "draw": draw, "path": site.path, "line": site.line,
                      "before": site.before, "after": after, **result}
            if result["outcome"] != "error":
                self.done[draw] = result
            with self.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            print(row(result), flush=True)


def row(result):
    """One line of the table."""
    site = f"{result['path']}:{result['line']}"
    flip = f"`{result['before']}` -> `{result['after']}`"
    return f"| {result['draw']} | {site} | {flip} | {result['outcome']} | {result['test']} |"


def judge(workplace, site, after, job, cores, limit):
    """What becomes of one mutant, in a fresh copy."""
    place = workplace.fresh_copy(job)
    try:
        source = place / "source" / site.path
        text = source.read_text(encoding="utf-8")
        result = {"text": text.splitlines()[site.line - 1].strip()}
        source.write_text(sites.mutated(text, site, after), encoding="utf-8")
        mirrored = f"tests/{pathlib.PurePath(site.path).parent}"
        stages = [("all", "build")]
        if (place / "build" / mirrored).is_dir():
            stages.insert(0, (f"{mirrored}/all", f"build/{mirrored}"))
        for target, folder in stages:
            built = workplace.build(place, [target], cores)
            if built.code != 0:
                return {**result, **why_not_built(built.output)}
            if failed := workplace.test(place, folder, cores, limit):
                outcome = "timeout" if failed[1] == "Timeout" else "killed"
                return {**result, "outcome": outcome, "test": failed[0], "stage": folder}
        return {**result, "outcome": "survived", "test": ""}
    finally:
        workplace.discard(place)


def work(workplace, sample, job, cores, limit):
    """One job: judges draws until the sample is complete or time is over."""
    while (draw := sample.next_draw()) is not None:
        begin, result = time.monotonic(), None
        try:
            result = judge(workplace, *sample.order[draw], job, cores, limit)
        except OutOfTime:
            return
        except (WorkplaceError, OSError, ValueError) as error:
            result = {"outcome": "error", "test": str(error)[-300:], "text": ""}
        finally:
            if result:
                result["seconds"] = round(time.monotonic() - begin)
            sample.record(draw, result)


def report(sample):
    """The table in the order of the draws, and the counts."""
    print("\n| draw | site | flip | outcome | test |\n|---|---|---|---|---|")
    for draw in sorted(sample.done):
        print(row(sample.done[draw]))
    outcomes = [r["outcome"] for r in sample.done.values()]
    counted = [o for o in outcomes if o not in NOT_COUNTED]
    killed = sum(o in KILLED for o in counted)
    print(f"\n{killed} of {len(counted)} killed ({counted.count('timeout')} of them by a timeout), "
          f"{counted.count('survived')} survived; {len(outcomes) - len(counted)} draws did not compile.")
    if len(counted) < sample.count:
        print(f"INCOMPLETE: {sample.count - len(counted)} of {sample.count} mutants have no result. Those that "
              "survive take longest, so the counts so far are too good; run again to go on.")
    return len(counted) >= sample.count


def arguments():
    """The command line."""
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--source", type=pathlib.Path, default=root, help="the tree (default: this one)")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for copies and builds")
    parser.add_argument("--results", type=pathlib.Path, help="JSON lines (default: WORK/results.jsonl)")
    parser.add_argument("--folder", default="reference", help="what is mutated (default: reference)")
    parser.add_argument("--skip", default=r"_tables\.hpp$", help="regex of sources to leave out")
    parser.add_argument("--cmake", action="append", default=[], metavar="OPTION", help="for cmake, as --cmake=-DX=Y")
    parser.add_argument("--exclude", default="", help="regex of tests to leave out")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="of the machine, for all jobs")
    parser.add_argument("--seconds", type=float, help="stop after this time, unfinished mutants too")
    parser.add_argument("--list", action="store_true", help="print the draws, and stop")
    return parser.parse_args()


def main():
    options = arguments()
    deadline = time.monotonic() + options.seconds if options.seconds else None
    order = draws(sites.all_sites(options.source, options.folder, options.skip), options.seed)
    if options.list:
        for draw, (site, after) in enumerate(order[:options.count]):
            print(f"{draw} {site.path}:{site.line} `{site.before}` -> `{after}`")
        return 0

    workplace = Workplace(options.work, options.cores, options.exclude, deadline)
    facts = workplace.prepare(options.source, options.cmake)
    results = options.results or workplace.work / "results.jsonl"
    jobs = options.jobs if workplace.namespace else 1
    limit = max(30, round(10 * facts["slowest_s"]))
    print(f"{len(order)} sites, seed {options.seed}; unchanged: {json.dumps(facts)}; {jobs} jobs, "
          f"{limit} s a test; results: {results}", flush=True)

    sample = Sample(order, results, options.count, facts)
    cores = min(options.cores, max(1, 2 * options.cores // jobs))  # jobs are seldom all at their widest
    threads = [threading.Thread(target=work, args=(workplace, sample, job, cores, limit))
               for job in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0 if report(sample) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (WorkplaceError, OutOfTime) as failure:
        sys.exit(f"mutate.py: {failure or 'no time left'}")
