"""Golden vectors are usable without this project: the reader of golden/README.md, run as it stands there."""

import fractions
import math
import os
import pathlib
import unittest

from support import ROOT

ANSWERS = pathlib.Path("golden/vectors/answers")


def block():
    """The Python block of the README."""
    text = (ROOT / "golden/README.md").read_text(encoding="utf-8")
    return text.split("```python\n", 1)[1].split("```", 1)[0]


def exact_delta(metadata, tensors):
    """Rule `delta` in rational numbers: rows of o, flat. One batch row, one head, no initial state."""
    def numbers(name):
        return [fractions.Fraction(x) for x in tensors[name][1]]
    tokens, width = tensors["k"][0][1], tensors["k"][0][3]
    columns = tensors["v"][0][3]
    q, k, v, beta = (numbers(name) for name in ("q", "k", "v", "beta"))
    scale = fractions.Fraction(float(metadata["scale"]))
    state = [[fractions.Fraction(0)] * columns for _ in range(width)]
    o = []
    for t in range(tokens):
        key, query = k[t * width:(t + 1) * width], q[t * width:(t + 1) * width]
        for c in range(columns):
            error = v[t * columns + c] - sum(state[i][c] * key[i] for i in range(width))
            for i in range(width):
                state[i][c] += beta[t] * key[i] * error
            o.append(scale * sum(state[i][c] * query[i] for i in range(width)))
    return o, [x for row in state for x in row]


class GoldenReader(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        self.reader = {}
        exec(compile(block(), "golden/README.md", "exec"), self.reader)

    def read(self, name):
        return self.reader["read"](ANSWERS / f"{name}.safetensors")

    def test_the_block_is_about_ten_lines(self):
        reader = block().split("\nmetadata, ", maxsplit=1)[0].strip().splitlines()
        self.assertLessEqual(len(reader), 16)

    def test_it_reads_what_the_readme_says(self):
        self.assertEqual(self.reader["shape"], [1, 48, 1, 16])
        self.assertEqual(len(self.reader["o"]), 48 * 16)
        self.assertEqual(self.reader["metadata"]["vector"], "deltaproof.vector/1")

    def test_double_answers_are_the_exact_ones_correctly_rounded(self):
        metadata, tensors = self.read("delta-near_parallel")
        o, state = exact_delta(metadata, tensors)
        # Python rounds the quotient of integers correctly.
        self.assertEqual(tensors["o.f64"][1], [float(x) for x in o])
        self.assertEqual(tensors["final_state.f64"][1], [float(x) for x in state])

    def test_stored_answers_are_within_half_an_ulp_of_the_exact_ones(self):
        metadata, tensors = self.read("delta-near_parallel")
        o, _ = exact_delta(metadata, tensors)
        for stored, exact in zip(tensors["o"][1], o, strict=True):
            _, exponent = math.frexp(stored)  # 8 bits from 2^(exponent - 1) down
            self.assertLessEqual(abs(fractions.Fraction(stored) - exact), fractions.Fraction(2) ** (exponent - 9))

    def test_radii_hold_and_are_the_smallest(self):
        metadata, tensors = self.read("delta-near_parallel")
        o, _ = exact_delta(metadata, tensors)
        for rounded, radius, exact in zip(tensors["o.f64"][1], tensors["o.radius"][1], o, strict=True):
            distance = abs(fractions.Fraction(rounded) - exact)
            self.assertLessEqual(distance, fractions.Fraction(radius))
            floor = max(abs(rounded) * 2.0**-84, 2.0**-1074)
            self.assertTrue(distance > fractions.Fraction(radius) / 2 or radius <= 2 * floor)

    def test_it_reads_every_vector(self):
        for path in sorted((ROOT / ANSWERS).glob("*.safetensors")):
            metadata, tensors = self.reader["read"](path)
            self.assertEqual(metadata["vector"], "deltaproof.vector/1", path)
            for name in [name for name in tensors if name.endswith(".f64")]:
                stored, double, radius = (tensors[n] for n in (name[:-4], name, name[:-4] + ".radius"))
                self.assertEqual(stored[0], double[0])
                self.assertTrue(all(r >= 0 for r in radius[1]), path)
                # fp16 answers of a family with numbers up to 2^10 may be beyond its range, no others.
                self.assertTrue(all(abs(x) < 1e300 for x in double[1]), path)


if __name__ == "__main__":
    unittest.main()
