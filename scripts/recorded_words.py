#!/usr/bin/env python3
"""Writes the slice of a recording that the family `recorded` replays, as words of C++.

    scripts/recorded_words.py > properties/regimes/recorded_words.inc
    scripts/recorded_words.py --check properties/regimes/recorded_words.inc

--check: exit status 1 if the file is not what would be written. Standard library only.
"""

import argparse
import json
import pathlib
import struct
import sys

RECORDING = "golden/recorded/kla_trained_layer0_T512.safetensors"
TOKENS, CHANNELS = 96, 32
PARTS = [("kQueries", "q"), ("kKeys", "k"), ("kValues", "v"), ("kGates", "g"), ("kEtas", "eta")]
A_LINE = 16


def read_tensors(path):
    """{name: (dtype, shape, bytes)} of a safetensors file."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, info in header.items():
        if name != "__metadata__":
            begin, end = info["data_offsets"]
            tensors[name] = (info["dtype"], info["shape"], data[8 + length + begin:8 + length + end])
    return tensors


def slice_of(tensor):
    """(bits of a word, heads, words of the first tokens and channels) of a tensor [1, T, heads(, channels)]."""
    dtype, shape, data = tensor
    bits, letter = {"BF16": (16, "H"), "F32": (32, "I")}[dtype]
    words = struct.unpack(f"<{len(data) * 8 // bits}{letter}", data)
    heads, channels = shape[2], shape[3] if len(shape) == 4 else 1
    kept = [words[row * channels + c] for row in range(TOKENS * heads) for c in range(min(channels, CHANNELS))]
    return bits, heads, kept


def text_of(tensors):
    """The file's text."""
    heads = slice_of(tensors["q"])[1]
    lines = ["// Written by scripts/recorded_words.py from", f"// {RECORDING}.",
             f"constexpr int kTokens = {TOKENS}, kHeads = {heads}, kChannels = {CHANNELS};"]
    for name, tensor in PARTS:
        bits, _, words = slice_of(tensors[tensor])
        shape = "[kTokens * kHeads" + (" * kChannels]" if bits == 16 else "]")
        lines.append(f"constexpr std::uint{bits}_t {name}{shape} = {{")
        count = A_LINE * 16 // bits
        for at in range(0, len(words), count):
            lines.append(",".join(f"0x{word:0{bits // 4}x}" for word in words[at:at + count]) + ",")
        lines.append("};")
    return "\n".join(lines) + "\n"


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE", help="compare with this file")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[1]
    text = text_of(read_tensors(root / RECORDING))
    if arguments.check is None:
        sys.stdout.write(text)
        return 0
    if arguments.check.exists() and arguments.check.read_text(encoding="utf-8") == text:
        return 0
    print(f"{arguments.check} is not what scripts/recorded_words.py writes", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
