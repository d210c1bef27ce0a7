"""Reports made by hand, for pages to show: the formats of docs/verdicts.md, kill-matrix.md and audit.md."""

import json
import math
import os
import pathlib
import random
import subprocess

HOSTILE = "<script>alert(1)</script>"


def profile(tensor="o", heads=4, tokens=128, tokens_a_cell=1, worst=0.6, at=(1, 70), chunk=64):
    """Ratios that chance would give, and one that is `worst`."""
    dice = random.Random(f"{tensor} {heads} {tokens} {worst}")
    cells = -(-tokens // tokens_a_cell)
    ratio = [[float(f"{dice.uniform(0.05, 0.55):.4g}") for _ in range(cells)] for _ in range(heads)]
    ratio[at[0]][at[1] // tokens_a_cell] = worst
    allowed = [float(f"{3e-4 * math.exp(-cell / cells):.4g}") for cell in range(cells)]
    error = [float(f"{max(line[cell] for line in ratio) * allowed[cell]:.4g}") if math.isfinite(worst) or
             cell != at[1] // tokens_a_cell else "inf" for cell in range(cells)]
    position = [max(0.3, 0.5 - i / 400) for i in range(chunk)] if tensor == "o" else []
    if position:
        position[at[1] % chunk] = worst
    histogram = [12, 0, 1, 2, 5, 9, 31, 60, 190, 600, 1900, 5800, 13000, 17000, 9000, 1787, 0, 0, 0, 0]
    if worst > 1:
        histogram[min(19, 16 + int(2 * math.log10(worst))) if math.isfinite(worst) else 19] = 1
    number = lambda x: "inf" if x == math.inf else x
    return {"tensor": tensor, "heads": list(range(heads)), "tokens": tokens, "tokens_a_cell": tokens_a_cell,
            "ratio": [[number(x) for x in line] for line in ratio], "error": error, "allowed": allowed,
            "chunk_size": chunk, "position": [number(x) for x in position], "histogram_from": -8, "histogram_step": 0.5,
            "histogram": histogram}


def place(token=70, head=1, column=12):
    return {"tensor": "o", "sequence": 0, "token": token, "chunk": token // 64, "chunk_position": token % 64,
            "head": head, "row": None, "column": column}


def verdict(status="passed", name="run", kernel="fla chunk_gated_delta_rule", prop="accuracy", ratio=0.4375, **more):
    """One verdict; `more` replaces its fields."""
    made = {
        "case": name, "path": f"runs/{name}.safetensors", "kernel": kernel, "arithmetic": "fla-chunk", "property": prop,
        "bound": "LOC", "status": status,
        "reason": "" if status == "passed" else "1 of 49408 values are further from the right answer than LOC allows",
        "worst_ratio": ratio, "location": place(), "value": 0.0152587891, "expected": -0.0153230342, "error": 0.0306,
        "bound_value": 0.000284,
        "terms": [{"name": "b v, b k e^G", "value": 7.12e-05}, {"name": "P", "value": 6.45e-05},
                  {"name": "inverse", "value": 2.92e-07}],
        "first_bad": place() if status == "failed" else None, "compared": 49408, "violations": int(status == "failed"),
        "probes": [{"tensor": "o", "head": 0, "wrong_answer": "zeros", "accepted": status == "uninformative",
                    "places": 0, "first": None}],
        "conformity": {"declaration": "the built-in fla-chunk", "layout": "", "pin": {
            "bound": "PIN", "compared": 49408, "violations": 1, "unknown": 0, "unambiguous": 12400,
            "first_bad": place()},
            "bits": {"tensor_core": "hopper", "compared": 49408, "unequal": 1, "first": place()}, "would_fit": [],
            "missing": []},
        "advisory": {"off": "", "units": 8, "units_off": 0, "why_units_off": "", "sigma": {
            "limit": 7.19, "compared": 41216, "outside": 0, "largest": 2.95, "worst": place()}, "statistics": 534,
            "structures": []},
        "ran": None, "outputs_hash": "ab" * 32, "reproduce": f"deltaproof check runs/{name}.safetensors",
        "notes": ["eta was not used"], "findings": [], "profile": [], "explained": [],
    }
    made.update(more)
    return made


def report(verdicts):
    names = ("passed", "failed", "nonconforming", "suspect", "uninformative", "skipped", "error")
    return {"schema": "deltaproof.report/1", "environment": {
        "deltaproof": "0.1.0", "compiler": "gcc 12.2.0", "flags": "-O3", "host": "machine, Linux", "cpu": "a CPU",
        "device": "none", "date": "2026-12-01T12:00:00Z"},
        "summary": {name: sum(each["status"] == name for each in verdicts) for name in names}, "verdicts": verdicts}


def many(count):
    """A large run: three in a hundred did not pass, and those have profiles."""
    statuses = {7: "failed", 41: "nonconforming", 73: "suspect", 90: "skipped"}
    verdicts = []
    for i in range(count):
        status = statuses.get(i % 100, "passed")
        ratio = 1.5 + i % 7 if status == "failed" else 0.3 + (i % 60) / 100
        pictures = [profile(worst=ratio, heads=8)] if i % 100 in (7, 41, 73) or i % 50 == 0 else []
        verdicts.append(verdict(status, f"typical-{i} gated_delta BF16 T{100 + i % 90}", f"kernel{i % 5}",
                                ("accuracy", "schedules", "checked", "repeatable")[i % 4], ratio, profile=pictures))
    return report(verdicts)


def failing():
    """Every status, hidden among what passed."""
    return report([
        verdict(name="run", ratio=0.623, profile=[profile(worst=0.623), profile("states", worst=0.6)]),
        verdict("failed", "broken", ratio=108.0, profile=[profile(worst=108.0), profile("states", tokens_a_cell=4)],
                explained=["the first wrong stage is the output", "it looks like a flipped sign"]),
        verdict("failed", "not finite", ratio="inf", value="nan", error="inf", profile=[profile(worst=math.inf)]),
        verdict("nonconforming", "truncating", ratio=0.837, reason="not the declared order of roundings"),
        verdict("suspect", "slanted", ratio=0.5, reason="the errors are not those of chance"),
        verdict("uninformative", "short", ratio=0.2, reason="the bound would have accepted zeros"),
        verdict("skipped", "gradients", prop="gradients", location=None, compared=0, reason="gradients are not judged"),
        verdict("error", "racing", kernel="chunk", prop="checked", location=None, compared=0,
                reason="the kernel has a race", findings=[{"kind": "race", "message": "two threads write o[3]",
                                                          "file": "kernels/built_in/chunk.cu", "line": 120}]),
    ])


def passing():
    ratios = [0.3 + i / 100 for i in range(6)]
    return report([verdict(name=f"run{ratio}", ratio=ratio, profile=[profile(worst=ratio)]) for ratio in ratios])


def kill_matrix():
    rules = [{"name": "LOC", "published": False}, {"name": "PIN", "published": False},
             {"name": "rms < 0.005", "published": True}]

    def row(name, killed, should_survive=False, counts=((4, 4, 0), (4, 2, 0), (4, 0, 0))):
        return {"id": name, "kernel": "chunk", "stage": "output", "class": "sign", "sentence": f"the defect {name}",
                "equivalent": False, "should_survive": should_survive, "killed": killed,
                "survives_because": "" if killed else f"nothing sees {name}",
                "cells": [{"regime": regime, "problems": 4, "unchanged": 0, "why_not": "", "property": "",
                           "rules": [list(count) for count in counts]} for regime in ("typical", "slow decay")]}

    rows = [row("none", False, True, ((4, 0, 0),) * 3), row("gate_shift", True), row("zero_row", True),
            row("hidden_one", False, False, ((4, 0, 0),) * 3)]
    return {"schema": "deltaproof.kill_matrix/1", "kernel": "chunk", "seed": 0, "rules": rules, "survivors": 1,
            "false_alarms": 0, "rows": rows}


def claim(name, outcome, paper="kla", **more):
    made = {"id": name, "paper": {"id": paper, "title": f"Paper {paper}", "version": "v2", "date": "2026-01-01"},
            "place": "Section 3, Eq. (5)", "pages": "4", "voice": "stated", "statement": f"The statement of {name}.",
            "conditions": "eta < 1",
            "method": "exact rational arithmetic, 200 random instances", "outcome": outcome,
            "finding": f"What was found of {name}.", "condition": "beta <= 1" if "condition" in outcome else "",
            "counterexample": {"inputs": [{"name": "beta", "value": "3/2"}], "shows": "it should be 1 and is 2"}
            if outcome in ("refuted", "holds under a condition") else None,
            "numbers": [{"name": "largest", "value": "0.25"}], "cases": 200,
            "reproduce": f"deltaproof audit --claim {name}"}
    made.update(more)
    return made


def ledger():
    claims = [claim("kla.projection", "holds"), claim("kla.false", "refuted"),
              claim("hola.bound", "holds under a condition", "hola"), claim("hola.table", "not decidable", "hola")]
    return {"schema": "deltaproof.claims/1", "seed": 0, "counts": {"holds": 1, "conditional": 1, "refuted": 1,
                                                                    "undecidable": 1}, "claims": claims,
            "assumptions": [{"what": "ex2.approx errs by 2 ulp at most", "value": "2 ulp", "source": "PTX ISA",
                             "if_wrong": "bounds of decays would be too small", "supported_by": ""}]}


def hostile():
    """Names that would be markup, were they not text."""
    named = verdict("failed", HOSTILE, kernel=f"<img src=x onerror=alert(2)> {HOSTILE}", ratio=2.0,
                    reason="</script><script>alert(3)</script><!-- {{script}}",
                    notes=["&lt;b&gt; <b>bold</b> \u2028 \u202e"],
                    profile=[profile(tensor="<svg onload=alert(4)>", worst=2.0)])
    named["reproduce"] = f"deltaproof check '{HOSTILE}'"
    return report([named, verdict(name="javascript:alert(5)", kernel="__proto__", prop="constructor")])


def write_page(folder, run=None, matrix=None, claims=None):
    """index.html of these in `folder`; returns its path."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in (("report.json", run), ("kill_matrix.json", matrix), ("claims.json", claims)):
        if part is not None:
            (folder / name).write_text(json.dumps(part), encoding="utf-8")
    subprocess.run([os.environ["DELTAPROOF_WRITE_PAGE"], folder], check=True, timeout=100)
    return folder / "index.html"
