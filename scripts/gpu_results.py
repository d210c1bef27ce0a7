#!/usr/bin/env python3
"""Writes docs/gpu-results.md from what a bundle printed on a machine with a GPU.

    scripts/gpu_results.py FOLDER > docs/gpu-results.md

FOLDER holds r/report.json (or .json.gz) of `bundle/run --cases N --report r`, device_math.txt of
`bundle/deltaproof_device_math`, and TOOL.txt of `compute-sanitizer --tool TOOL bundle/deltaproof check
--kernel all --device cuda` for memcheck, racecheck, initcheck and synccheck.
"""

import gzip
import json
import pathlib
import re
import sys

SANITIZERS = ["memcheck", "racecheck", "initcheck", "synccheck"]


def read_report(folder):
    """The report, packed or not."""
    packed = folder / "r" / "report.json.gz"
    if packed.exists():
        with gzip.open(packed, "rt", encoding="utf-8") as stream:
            return json.load(stream)
    return json.loads((folder / "r" / "report.json").read_text(encoding="utf-8"))


def input_type(verdict):
    """BF16, F16 or F32, as a generated case's name has it; what names none (solve, scores that are ranked) is in fp32."""
    return next((word for word in verdict["case"].split() if word in ("BF16", "F16", "F32")), "F32")


def kernel_table(report):
    """Values compared with the host executor, by kernel and type of the inputs."""
    rows = {}
    for verdict in report["verdicts"]:
        if verdict["property"] != "against_host":
            continue
        row = rows.setdefault((verdict["kernel"], input_type(verdict)), [0, 0, 0])
        row[0] += 1
        row[1] += verdict["compared"]
        row[2] += verdict["violations"]
    if not rows:
        raise ValueError("the report compares nothing with the host; it wants --against-host")
    rows[("all", "")] = [sum(column) for column in zip(*rows.values())]
    lines = ["| kernel | inputs | problems | values compared | differing |", "|---|---|---:|---:|---:|"]
    lines += [f"| {name} | {kind} | {n} | {compared:,} | {differing} |"
              for (name, kind), (n, compared, differing) in rows.items()]
    return lines


def sanitizer_table(folder):
    """The summary line of each tool."""
    lines = ["| tool | what it says | verdicts |", "|---|---|---|"]
    for tool in SANITIZERS:
        text = (folder / f"{tool}.txt").read_text(encoding="utf-8")
        summary = re.search(r"^=+ ((?:ERROR|RACECHECK) SUMMARY: .*)$", text, re.MULTILINE)
        verdicts = re.search(r"^\d+ passed, .*$", text, re.MULTILINE)
        if summary is None or verdicts is None:
            raise ValueError(f"{tool}.txt has no summary: the run did not end")
        lines.append(f"| {tool} | {summary[1]} | {verdicts[0]} |")
    return lines


def functions_table(folder):
    """Rows of deltaproof_device_math: name, compared, differing."""
    text = (folder / "device_math.txt").read_text(encoding="utf-8")
    lines = ["| what | compared | differing |", "|---|---:|---:|"]
    rows = re.findall(r"^(\S.*?) {2,}(\d+) +(\d+) +[\d.]+", text, re.MULTILINE)
    if not rows or rows[-1][0] != "all":
        raise ValueError("device_math.txt has no last row 'all': the run did not end")
    return lines + [f"| {name} | {int(compared):,} | {int(differing):,} |" for name, compared, differing in rows]


def page(folder):
    """The whole page."""
    report = read_report(folder)
    native = next(v["ran"] for v in report["verdicts"] if v["property"] == "against_host")
    counts = ", ".join(f"{n} {status}" for status, n in report["summary"].items() if n)
    environment = report["environment"]
    return "\n".join([
        "# A GPU against the host executor",
        "",
        f"Made by `scripts/gpu_results.py` on {environment['date'][:10]} from runs on {environment['device']}; "
        f"host: {environment['cpu']}, {environment['compiler']}. Kernels: {native['compiler']}, `{native['flags']}`, "
        f"sources {native['source_hash']}. How to have them again: [On a machine with a GPU](gpu.md).",
        "",
        "## Built-in kernels",
        "Every bit of the outputs on generated problems, the host following the tensor core `hopper`. "
        f"With accuracy judged besides, {counts}.",
        "",
        *kernel_table(report),
        "",
        "## compute-sanitizer",
        "On one problem of every rule and type.",
        "",
        *sanitizer_table(folder),
        "",
        "## Functions and instructions",
        "All 2^32 arguments of functions of one, random ones of functions of two; tiles over regimes of wide "
        "exponents, subnormals, integers, infinities and NaN ([what is computed](host-math.md)).",
        "",
        *functions_table(folder),
        "",
    ])


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if len(sys.argv) == 2 else 2
    try:
        print(page(pathlib.Path(sys.argv[1])), end="")
    except (OSError, ValueError, KeyError) as error:
        print(f"scripts/gpu_results.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
