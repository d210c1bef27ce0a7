#!/usr/bin/env python3
"""Write or verify golden/manifest.json, the list of all golden data with hashes and provenance.

What can be read from a file (size, hash, metadata, dtypes) is read from it; the sentence `what`
(but of computed vectors, which carry it), and the provenance of files that carry none, are written
by hand in the manifest and kept.
Needs the standard library only.
"""

import argparse
import hashlib
import json
import pathlib
import struct
import sys

FORMAT = "deltaproof.golden/1"
MANIFEST = "manifest.json"
NOT_DATA = {MANIFEST, "README.md"}
METADATA_KEPT = ("rule", "arithmetic", "kernel", "note")
VECTOR_METADATA_KEPT = ("rule", "arithmetic", "kernel", "vector")
VECTOR_PROVENANCE = ("source", "route", "precision_bits", "spec")
LARGEST_HEADER = 100_000_000
GRADIENTS = ("dq", "dk", "dv", "dg", "dbeta", "d_initial_state")


class GoldenError(Exception):
    """Something about the golden data that a person has to put right."""


def read_header(path):
    """The JSON header of a safetensors file."""
    with path.open("rb") as file:
        length_bytes = file.read(8)
        if len(length_bytes) < 8:
            raise GoldenError(f"{path}: too short for a safetensors file")
        (length,) = struct.unpack("<Q", length_bytes)
        if length > min(path.stat().st_size - 8, LARGEST_HEADER):
            raise GoldenError(f"{path}: header of {length} bytes in a file of {path.stat().st_size}")
        try:
            header = json.loads(file.read(length))
        except ValueError as error:
            raise GoldenError(f"{path}: header is not JSON: {error}") from error
        if not isinstance(header, dict):
            raise GoldenError(f"{path}: header is not a JSON object")
        return header


def parse_source(source):
    """Split "flash-linear-attention bc3b101, torch 2.11.0, triton 3.6.0, NVIDIA H200"."""
    provenance = {"source": source}
    for part in source.split(", "):
        name, _, version = part.partition(" ")
        if name == "NVIDIA":
            provenance["device"] = part
        elif name in ("torch", "triton"):
            provenance[name] = version
        elif name == "CUDA":
            provenance["cuda"] = version
        elif version and " " not in version:
            provenance["project"], provenance["revision"] = name, version
    return provenance


def describe_safetensors(path):
    """The part of an entry that a safetensors file tells about itself."""
    header = read_header(path)
    metadata = header.pop("__metadata__", {})
    entry = {"format": metadata.get("format", "")}
    if "vector" in metadata:  # computed: `deltaproof golden write` makes file and entry
        entry["what"] = metadata.get("note", "")
        entry.update({key: metadata[key] for key in VECTOR_METADATA_KEPT if key in metadata})
        entry["provenance"] = {key: metadata[key] for key in VECTOR_PROVENANCE if key in metadata}
    else:
        entry.update({key: metadata[key] for key in METADATA_KEPT if key in metadata})
        entry["provenance"] = parse_source(metadata.get("source", ""))
    entry["tensors"] = [f"{name} {t['dtype']} {t['shape']}" for name, t in sorted(header.items())]
    if entry["format"].startswith("deltaproof.case/"):
        entry["chunk_states"] = "chunk_states" in header
        entry["gradients"] = any(name in header for name in GRADIENTS)
    return entry


def describe(root, name, hand_written):
    """The entry of one file; `hand_written` is its entry in the present manifest, or empty."""
    path = root / name
    content = path.read_bytes()
    entry = {
        "path": name,
        "what": hand_written.get("what", ""),
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    if path.suffix == ".safetensors":
        entry.update(describe_safetensors(path))
    else:
        entry["provenance"] = hand_written.get("provenance", {})
    return entry


def data_files(root):
    """Names of all golden data below `root`, in order."""
    names = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return sorted(name for name in names if name not in NOT_DATA)


def read_manifest(root):
    """Entries of the present manifest by path; empty if there is none."""
    path = root / MANIFEST
    if not path.exists():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        return {entry["path"]: entry for entry in manifest["files"]}
    except (ValueError, KeyError, TypeError) as error:
        raise GoldenError(f"{path}: not a manifest: {error!r}") from error


def incomplete(entry):
    """What a person still has to write in an entry."""
    lacking = []
    if not entry["what"]:
        lacking.append("what")
    if "vector" not in entry and not entry["provenance"].get("device"):
        lacking.append("provenance.device")
    return lacking


def differences(recorded, actual):
    """Sentences that say where the manifest and the files differ."""
    found = [f"{name}: listed, but there is no such file" for name in recorded if name not in actual]
    for name, entry in actual.items():
        if name not in recorded:
            found.append(f"{name}: not listed")
            continue
        for key in sorted(set(entry) | set(recorded[name])):
            if entry.get(key) != recorded[name].get(key):
                found.append(f"{name}: {key} is {entry.get(key)!r}, "
                             f"the manifest says {recorded[name].get(key)!r}")
        found += [f"{name}: {key} is empty; write it in {MANIFEST}" for key in incomplete(entry)]
    return found


def write_manifest(root, entries):
    """Write the manifest, one file's entry a paragraph."""
    text = json.dumps({"format": FORMAT, "files": entries}, indent=1, ensure_ascii=False)
    (root / MANIFEST).write_text(text + "\n", encoding="utf-8")


def run(root, check):
    """Verify or write; returns the exit status."""
    recorded = read_manifest(root)
    actual = {name: describe(root, name, recorded.get(name, {})) for name in data_files(root)}
    if not actual:
        raise GoldenError(f"{root}: no golden data found")
    if not check:
        write_manifest(root, list(actual.values()))
        for name, entry in actual.items():
            for key in incomplete(entry):
                print(f"{name}: {key} is empty; write it in {root / MANIFEST}", file=sys.stderr)
        print(f"{root / MANIFEST}: {len(actual)} files")
        return 0
    found = differences(recorded, actual)
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print("after an intended change: scripts/golden_manifest.py", file=sys.stderr)
        return 1
    print(f"{len(actual)} golden files agree with {MANIFEST}")
    return 0


def main():
    default_root = pathlib.Path(__file__).resolve().parent.parent / "golden"
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true",
                        help="change nothing; exit 1 where files and manifest differ")
    parser.add_argument("--root", type=pathlib.Path, default=default_root,
                        help="the folder with the manifest (default: golden/)")
    arguments = parser.parse_args()
    try:
        return run(arguments.root, arguments.check)
    except (GoldenError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
