#!/usr/bin/env python3
"""Reads lcov's tracefile: says per room how many of its lines were reached; fails where that is too little.

    coverage_rooms.py TRACEFILE [--root FOLDER] [--fail-under PERCENT] [--room NAME ...]

Exit status: 0 every room has enough; 1 one has not, or has no line at all; 2 the tracefile cannot be read.
"""

import argparse
import sys
from pathlib import Path

ROOMS = ("reference", "kernels", "properties")
NAMED_FILES = 10
SOURCES = (".cpp", ".cu")


def parse_arguments(words):
    parser = argparse.ArgumentParser(description="Lines reached per room, from lcov's tracefile.")
    parser.add_argument("tracefile", type=Path)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="top of the source tree")
    parser.add_argument("--fail-under", type=float, default=90.0, metavar="PERCENT")
    parser.add_argument("--room", action="append", dest="rooms", help=f"in place of {', '.join(ROOMS)}")
    return parser.parse_args(words)


def read_lines(tracefile, root):
    """The counts of lines: {path from the root: {line: count}}; a file may have several records."""
    files = {}
    lines = None
    for text in tracefile.read_text(encoding="utf-8").splitlines():
        word, _, rest = text.partition(":")
        if word == "SF":
            path = Path(rest)
            path = path.relative_to(root) if path.is_relative_to(root) else path
            lines = files.setdefault(path.as_posix(), {})
        elif word == "DA":
            if lines is None:
                raise ValueError(f"'{text}' stands before any SF")
            number, count = rest.split(",")[:2]
            lines[int(number)] = lines.get(int(number), 0) + max(0, int(count))
    return files


def ranges(numbers):
    """Sorted numbers in short: 3-5,9."""
    parts = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def share_of(files):
    """Lines reached, and lines."""
    return (sum(1 for lines in files.values() for count in lines.values() if count),
            sum(len(lines) for lines in files.values()))


def describe_unreached(files):
    """The files with most lines that were not reached, most first."""
    missing = {path: sorted(line for line, count in lines.items() if not count) for path, lines in files.items()}
    worst = sorted((path for path in missing if missing[path]), key=lambda path: (-len(missing[path]), path))
    described = [f"    {len(missing[path])} of {len(files[path])} in {path}: {ranges(missing[path])}"
                 for path in worst[:NAMED_FILES]]
    if len(worst) > NAMED_FILES:
        described.append(f"    and {len(worst) - NAMED_FILES} files more")
    return described


def describe_unmeasured(files, room, root):
    """Sources of which no line was measured: not compiled for this machine, or nothing in them runs."""
    sources = sorted(path.relative_to(root).as_posix() for path in (root / room).rglob("*") if path.suffix in SOURCES)
    unmeasured = [path for path in sources if path not in files]
    return [f"    no line measured in {', '.join(unmeasured)}"] if unmeasured else []


def judge(files, room, fail_under, root):
    """The lines to print for a room, and whether it has enough."""
    inside = {path: lines for path, lines in files.items() if path.startswith(f"{room}/")}
    reached, total = share_of(inside)
    if not total:
        return [f"{room}/: no line of it is in the tracefile"], False
    percent = 100 * reached / total
    said = [f"{room + '/':<12} {percent:.1f} % of {total} lines"]
    said += describe_unmeasured(inside, room, root)
    if percent >= fail_under:
        return said, True
    said += [f"{room}/ is below {fail_under:g} %. Most lines that nothing reached:"]
    return said + describe_unreached(inside), False


def main(words=None):
    arguments = parse_arguments(words)
    try:
        files = read_lines(arguments.tracefile, arguments.root)
    except (OSError, ValueError) as error:
        print(f"coverage_rooms.py: {arguments.tracefile} is not a tracefile of lcov: {error}", file=sys.stderr)
        return 2
    enough = True
    for room in arguments.rooms or ROOMS:
        said, has_enough = judge(files, room, arguments.fail_under, arguments.root)
        print("\n".join(said))
        enough = enough and has_enough
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
