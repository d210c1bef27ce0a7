"""scripts/golden_manifest.py finds every way in which golden data and manifest can differ."""

import json
import pathlib
import struct
import tempfile
import unittest

from support import SCRIPTS, run

SOURCE = "some-project 0123abc, torch 2.11.0, triton 3.6.0, NVIDIA H200"


def case_bytes(**tensors):
    """A case file with tensors of one fp32 each."""
    header = {"__metadata__": {"format": "deltaproof.case/1", "rule": "delta", "source": SOURCE}}
    for place, name in enumerate(tensors):
        header[name] = {"dtype": "F32", "shape": [1], "data_offsets": [4 * place, 4 * place + 4]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(tensors)}f", *tensors.values())


class GoldenManifest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.case = self.root / "recorded" / "a.safetensors"
        self.case.parent.mkdir()
        self.case.write_bytes(case_bytes(q=1.0, chunk_states=2.0))
        self.manifest = self.root / "manifest.json"
        self.write()
        self.edit(what="A case made for this test.")

    def write(self):
        return run([SCRIPTS / "golden_manifest.py", "--root", self.root])

    def check(self):
        return run([SCRIPTS / "golden_manifest.py", "--check", "--root", self.root])

    def entry(self):
        return json.loads(self.manifest.read_text())["files"][0]

    def edit(self, **fields):
        manifest = json.loads(self.manifest.read_text())
        manifest["files"][0].update(fields)
        self.manifest.write_text(json.dumps(manifest))

    def assert_drift(self, *words):
        result = self.check()
        self.assertEqual(result.returncode, 1, result.stdout)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_an_intact_folder_agrees(self):
        result = self.check()
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_entry_says_what_the_file_says(self):
        entry = self.entry()
        self.assertEqual(entry["provenance"], {
            "source": SOURCE, "project": "some-project", "revision": "0123abc",
            "torch": "2.11.0", "triton": "3.6.0", "device": "NVIDIA H200"})
        self.assertEqual(entry["tensors"], ["chunk_states F32 [1]", "q F32 [1]"])
        self.assertEqual((entry["chunk_states"], entry["gradients"]), (True, False))

    def test_the_entry_of_a_vector_comes_from_the_file_alone(self):
        header = {"__metadata__": {"format": "deltaproof.case/1", "rule": "delta", "vector": "deltaproof.vector/1",
                                   "note": "For this test.", "source": "computed", "spec": "regime=typical"}}
        text = json.dumps(header).encode()
        self.case.write_bytes(struct.pack("<Q", len(text)) + text)
        self.write()
        entry = self.entry()
        self.assertEqual((entry["what"], entry["vector"]), ("For this test.", "deltaproof.vector/1"))
        self.assertEqual(entry["provenance"], {"source": "computed", "spec": "regime=typical"})
        self.assertEqual(self.check().returncode, 0, "no device has to be named")

    def test_rewriting_keeps_what_was_written_by_hand(self):
        before = self.entry()
        self.assertEqual(self.write().returncode, 0)
        self.assertEqual(self.entry(), before)

    def test_a_changed_byte_is_drift(self):
        content = bytearray(self.case.read_bytes())
        content[-1] ^= 1
        self.case.write_bytes(content)
        self.assert_drift("recorded/a.safetensors", "sha256")

    def test_a_missing_file_is_drift(self):
        (self.root / "other.z").write_bytes(b"x")
        self.write()
        (self.root / "other.z").unlink()
        self.assert_drift("other.z", "no such file")

    def test_an_added_file_is_drift(self):
        (self.root / "added.z").write_bytes(b"x")
        self.assert_drift("added.z: not listed")

    def test_an_edited_entry_is_drift(self):
        self.edit(rule="gated_delta")
        self.assert_drift("rule is 'delta'", "'gated_delta'")

    def test_an_entry_without_a_description_is_drift(self):
        self.edit(what="")
        self.assert_drift("what is empty")

    def test_data_without_a_device_is_drift(self):
        (self.root / "b.z").write_bytes(b"x")
        self.write()
        self.assert_drift("b.z: provenance.device is empty")

    def test_no_data_at_all_is_an_error(self):
        self.case.unlink()
        self.manifest.unlink()
        self.assert_drift("no golden data")

    def test_damaged_headers_are_errors_in_one_line(self):
        for content in (b"", b"\xff" * 8, struct.pack("<Q", 4) + b"{no}",
                        struct.pack("<Q", 2) + b"[]"):
            self.case.write_bytes(content)
            result = self.check()
            self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 1), result.stderr)
            self.assertIn("a.safetensors", result.stderr)

    def test_a_manifest_that_is_none_is_an_error(self):
        for text in ("", "[]", '{"files": [{}]}'):
            self.manifest.write_text(text)
            self.assert_drift("not a manifest")


if __name__ == "__main__":
    unittest.main()
