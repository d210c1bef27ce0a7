#!/usr/bin/env python3
"""How long a page takes to open in Chromium: from navigation until the first rows of its table are drawn, beside a page
of 100 verdicts.

    DELTAPROOF_WRITE_PAGE=build/release/tests/page/deltaproof_write_page tests/bench/page_bench.py [VERDICTS]
"""

import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "page"))

import sample_report  # noqa: E402
from browser import Browser, Page  # noqa: E402

REPEATS = 5


def seconds_to_open(browser, path):
    page = Page(browser)
    begin = time.monotonic()
    page.open(path).settle()
    taken = time.monotonic() - begin
    rows = page.run("document.querySelectorAll('#verdicts tbody tr').length")
    assert rows > 0, "no rows"
    page.close()
    return taken


def main():
    counts = (100, int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    medians = []
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for count in counts:
            run = sample_report.many(count)
            begin = time.monotonic()
            path = sample_report.write_page(pathlib.Path(folder) / str(count), run)
            written = time.monotonic() - begin
            times = [seconds_to_open(browser, path) for _ in range(REPEATS)]
            medians.append(statistics.median(times))
            print(f"{count} verdicts, {path.stat().st_size / 1e6:.1f} MB, written in {written:.1f} s: rows after "
                  f"{medians[-1]:.2f} s (largest of {REPEATS}: {max(times):.2f})")
    print(f"{counts[1]} to {counts[0]} verdicts: {medians[1] / medians[0]:.1f} times as long")


if __name__ == "__main__":
    main()
