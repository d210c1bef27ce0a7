#!/usr/bin/env python3
"""Makes the pictures of docs/images/ from runs of the command: recordings of golden/, one of them with the sign of one
value flipped, and a built-in kernel. Needs Chromium; see docs/report.md.

    scripts/screenshots.py build/release/cli/deltaproof [FOLDER, docs/images if none is given]
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "page"))

from browser import Browser, Page  # noqa: E402

WIDTH = 1280
LARGEST = 200_000  # bytes: they stand in the README


def recording(name):
    return ROOT / "golden" / "recorded" / f"{name}.safetensors"


def edit(source, target, change):
    """A copy of a case whose tensor `o` is changed: `change(bytes, shape)`, 16 bits a value, in place."""
    data = bytearray(source.read_bytes())
    length, = struct.unpack_from("<Q", data)
    tensor = json.loads(data[8:8 + length])["o"]
    assert tensor["dtype"] == "BF16", tensor
    begin, end = (8 + length + offset for offset in tensor["data_offsets"])
    values = data[begin:end]
    change(values, tensor["shape"])
    data[begin:end] = values
    target.write_bytes(data)


def flip_one_sign(values, shape):
    """Of token 70, head 1, column 12, as in the README."""
    _, _, heads, columns = shape
    values[2 * ((70 * heads + 1) * columns + 12) + 1] ^= 0x80


def clear_last_bits(values, _):
    """Every fourth value is cut where it should have been rounded."""
    for i in range(0, len(values), 8):
        values[i] &= 0xFE


def check(command, folder, *arguments):
    """The exit status is the verdict's; that there is a report is all that is wanted."""
    subprocess.run([command, "check", *arguments, "--report", "report"], cwd=folder, check=False, timeout=600,
                   stdout=subprocess.DEVNULL)
    return folder / "report" / "index.html"


def failing_page(command, folder):
    strong = recording("gdn_chunk_bf16_strong_decay")
    shutil.copy(strong, folder / "run.safetensors")
    edit(strong, folder / "broken.safetensors", flip_one_sign)
    edit(strong, folder / "cut.safetensors", clear_last_bits)
    for name in ("gdn_chunk_bf16_K96_V32", "gdn_chunk_fp16", "mamba2_chunk_bf16"):
        shutil.copy(recording(name), folder)
    return check(command, folder, *sorted(path.name for path in folder.glob("*.safetensors")))


def passing_page(command, folder):
    return check(command, folder, "--kernel", "chunk", "--only", "25")


def picture(browser, page_file, address, height, target):
    page = Page(browser, width=WIDTH, height=height)
    page.open(page_file, address).settle()
    image = page.picture(target)
    page.close()
    assert len(image) <= LARGEST, f"{target}: {len(image)} bytes"
    print(f"{target}: {len(image)} bytes")


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    images = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs" / "images"
    images.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, Browser() as browser:
        folders = [pathlib.Path(name) / kind for kind in ("failing", "passing")]
        for folder in folders:
            folder.mkdir()
        failed = failing_page(command, folders[0])
        verdicts = json.loads((folders[0] / "report" / "report.json").read_text(encoding="ascii"))["verdicts"]
        broken = next(i for i, verdict in enumerate(verdicts) if verdict["case"] == "broken")
        picture(browser, failed, "", 760, images / "report-overview.png")
        picture(browser, failed, f"#v={broken}", 1060, images / "report-failed.png")
        picture(browser, passing_page(command, folders[1]), "#v=0", 1120, images / "report-passed.png")


if __name__ == "__main__":
    main()
