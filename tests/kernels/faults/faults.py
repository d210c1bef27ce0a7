#!/usr/bin/env python3
"""Faults seeded into kernel sources (docs/kernel-faults.md), as data in FILE ..

usage: faults.py list FILE ..             of each, in order: id;unit;changed files, separated by ','
       faults.py apply OUT FILE ..        writes the sources that each fault changes to OUT/ID/kernels/
       faults.py header FILE ..           the faults as initialisers in C++
       faults.py table FILE ..            the table of the page
       faults.py check PAGE FILE ..       exit 1 if the page has another table

A fault in a file of faults:

    [id]
    text: one sentence
    unit: the translation unit that is compiled with the fault
    caught: what may find it, separated by ' | '; nothing: the kernel stays right
    chunk: the chunk size of the problems that are run, 32 if there is no such line, or all
    file: a file under kernels/
    - old text, which must occur there exactly once; lines of it follow each other
    + new text

`file`, `-` and `+` may be repeated. `chunk` is compiled for that one chunk size, which takes half the time.
DELTAPROOF_KERNELS: another folder than kernels/ (for tests).
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FIELDS = ("text", "unit", "caught")
SIZES = ["  if (call.chunk == 16) return launch_chunk_of<E, 16>(call);",
         "  if (call.chunk == 32) return launch_chunk_of<E, 32>(call);", "  launch_chunk_of<E, 64>(call);"]


class FaultError(Exception):
    pass


class Fault:
    def __init__(self, name):
        self.id = name
        self.fields = {}
        self.chunk = "32"
        self.edits = []  # [file, old lines, new lines]

    def add(self, line, where):
        key, _, value = line.partition(": ")
        if key in FIELDS:
            self.fields[key] = value.strip()
        elif key == "chunk":
            self.chunk = value.strip()
        elif key == "file":
            self.edits.append([value.strip(), [], []])
        elif line[:1] in ("-", "+") and self.edits:
            self.edits[-1][1 if line[0] == "-" else 2].append(line[2:])
        else:
            raise FaultError(f"{where}: '{line}' is no line of a fault")

    def require_complete(self):
        missing = [key for key in FIELDS if key not in self.fields]
        if missing:
            raise FaultError(f"{self.id}: no {', '.join(missing)}")
        for file, old, _ in self.edits:
            if not old:
                raise FaultError(f"{self.id}: no old text for {file}")

    def one_chunk_size(self):
        """The chunk size that alone is compiled, as an edit; none if it is all, or the kernel is another one."""
        if self.chunk == "all" or self.fields["unit"] not in ("chunk_bf16.cu", "chunk_f16.cu", "chunk_f32.cu"):
            return []
        return [["chunk.cuh", SIZES, [f"  launch_chunk_of<E, {self.chunk}>(call);"]]]

    def all_edits(self):
        return self.edits + self.one_chunk_size()

    def files(self):
        return list(dict.fromkeys(file for file, _, _ in self.all_edits()))

    def apply(self, kernels, out):
        """Writes each changed file to out/id/kernels; one that is there already is left alone."""
        texts = {}
        for file, old, new in self.all_edits():
            text = texts.get(file) or (kernels / file).read_text()
            old, new = "\n".join(old), "\n".join(new)
            found = text.count(old)
            if found != 1:
                raise FaultError(f"fault {self.id}: its old text occurs {found} times in {kernels / file}, must "
                                 f"occur once; adapt the fault to the source:\n{old}")
            texts[file] = text.replace(old, new)
        for file, text in texts.items():
            to = out / self.id / "kernels" / file
            to.parent.mkdir(parents=True, exist_ok=True)
            if not to.exists() or to.read_text() != text:
                to.write_text(text)


def read(files):
    faults = {}
    for path in files:
        fault = None
        for number, line in enumerate(Path(path).read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            if named := re.fullmatch(r"\[([a-z0-9_]+)\]", line):
                if named[1] in faults:
                    raise FaultError(f"{path}:{number}: a second fault {named[1]}")
                fault = faults[named[1]] = Fault(named[1])
            elif fault is None:
                raise FaultError(f"{path}:{number}: before the first [id]")
            else:
                fault.add(line, f"{path}:{number}")
    for fault in faults.values():
        fault.require_complete()
    return faults


def header(faults):
    for fault in faults.values():
        chunk = 0 if fault.chunk == "all" else fault.chunk
        print(f'{{"{fault.id}", "{fault.fields["unit"]}", "{fault.fields["caught"]}", {chunk}}},')


def table(faults):
    lines = ["| fault | what is wrong | in `kernels/` | found by |", "|---|---|---|---|"]
    for fault in faults.values():
        if fault.fields["caught"] == "nothing":
            continue
        places = ", ".join(dict.fromkeys(file for file, _, _ in fault.edits))
        found = fault.fields["caught"].replace(" | ", " or ")
        lines.append(f"| `{fault.id}` | {fault.fields['text']} | {places} | {found} |")
    return lines


def check(page, faults):
    found = [line for line in Path(page).read_text().splitlines() if line.startswith("|")]
    if found == table(faults):
        return 0
    print(f"{page}: the table is not that of `{Path(__file__).name} table`", file=sys.stderr)
    return 1


def main(arguments):
    command = arguments[0] if arguments else ""
    operands = {"list": 0, "apply": 1, "header": 0, "table": 0, "check": 1}.get(command)
    if operands is None or len(arguments) < operands + 2:
        print(__doc__, file=sys.stderr)
        return 2
    faults = read(arguments[operands + 1:])
    if command == "list":
        for fault in faults.values():
            print(f"{fault.id};{fault.fields['unit']};{','.join(fault.files())}")
    elif command == "apply":
        kernels = Path(os.environ.get("DELTAPROOF_KERNELS", ROOT / "kernels"))
        for fault in faults.values():
            fault.apply(kernels, Path(arguments[1]))
    elif command == "header":
        header(faults)
    elif command == "table":
        print("\n".join(table(faults)))
    else:
        return check(arguments[1], faults)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (FaultError, OSError) as error:
        print(f"faults.py: {error}", file=sys.stderr)
        sys.exit(1)
