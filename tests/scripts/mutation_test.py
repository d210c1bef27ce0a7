"""tests/mutation finds what can be flipped, leaves the rest alone, and draws as the seed says."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

from support import ROOT, run

TOOL = ROOT / "tests" / "mutation"
sys.path.insert(0, str(TOOL))

import mutate  # noqa: E402
import sites  # noqa: E402
import workplace  # noqa: E402


def flips(source):
    """What can be flipped in a source, in order: 'before>after' or 'before>after|after'."""
    return [f"{site.before}>{'|'.join(site.choices)}" for site in sites.sites("x.cpp", source)]


class Sites(unittest.TestCase):
    def test_binary_operators_between_blanks(self):
        pairs = ["+>-", "->+", "*>/", "/>*", "<><=", "<=><", ">>>=", ">=>>", "==>!=", "!=>==", "&&>||", "||>&&",
                 "+=>-=", "-=>+=", "*=>/=", "/=>*=", "<<>>>", ">>><<", "&>|", "|>&"]
        for pair in pairs:
            with self.subTest(pair):
                before = next(word for word in sites.BINARY if pair == f"{word}>{sites.BINARY[word]}")
                self.assertEqual(flips(f"x {before} y;"), [pair])

    def test_steps(self):
        self.assertEqual(flips("++i; i--;"), ["++>--", "-->++"])

    def test_unary_operators_pointers_and_references_stay(self):
        self.assertEqual(flips("f(-x, *p, &q); const double* a; T&& b; !c; x = ~y; p->q;"), [])

    def test_numbers(self):
        self.assertEqual(flips("7; 0u; 0x1F; 10'000;"), ["7>8", "0u>1u", "0x1F>0x20", "10'000>10001"])
        self.assertEqual(flips("0x1p-53; 0x1.8p+3f;"), ["0x1p-53>0x1p-52|0x1p-54", "0x1.8p+3f>0x1.8p+4f|0x1.8p+2f"])
        self.assertEqual(flips("0.5; 1.5f; 0.0; 1e-3;"), ["0.5>1.0", "1.5f>3.0f", "0.0>1.0", "1e-3>0.002"])
        self.assertEqual(flips("0644;"), [])

    def test_words(self):
        self.assertEqual(flips("true; false;"), ["true>false", "false>true"])
        self.assertEqual(flips("std::min(a, b); std::max<int>(a, b);"), ["min>max", "max>min"])
        self.assertEqual(flips("min(a, b); std::numeric_limits<double>::max(); x.max();"), [])

    def test_comments_texts_and_directives_stay(self):
        self.assertEqual(flips('// 1 + 2\n/* 3 < 4 */ f("5 + 6", \'7\');\n'), [])
        self.assertEqual(flips("#include <a/b>\n#define N 8 + \\\n 9\n"), [])
        self.assertEqual(flips('f(R"x(1 + 2)" 3)x", "\\"4 + 5");'), [])

    def test_template_brackets_and_what_is_in_them_stay(self):
        self.assertEqual(flips("template <int N = 3> std::array<std::array<double, 4>, N> f();"), [])
        self.assertEqual(flips("g<4>(a < b); std::function<void(int)> h = a;"), ["<><="])

    def test_an_operator_of_a_class_does_not_hide_what_follows(self):
        self.assertEqual(flips("bool operator<(A b); int operator()(int i) { return i + j; }"), ["+>-"])

    def test_what_is_decided_at_compile_time_stays(self):
        self.assertEqual(flips("static_assert(1 + 1 == 2); f(3);"), ["3>4"])
        self.assertEqual(flips("concept C = requires(T a) { a + 1; } && true; f(3);"), ["3>4"])
        self.assertEqual(flips("template <class T> requires A && B void f() { g(3); }"), ["3>4"])

    def test_a_flip_changes_its_site_alone(self):
        source = "x = a + b + c;\ny = a + b;\n"
        site = sites.sites("x.cpp", source)[2]
        self.assertEqual((site.line, sites.mutated(source, site, "-")), (2, "x = a + b + c;\ny = a - b;\n"))
        with self.assertRaises(ValueError):
            sites.mutated("other", site, "-")

    def test_sources_that_match_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "lib").mkdir()
            for name in ("a.hpp", "b.cpp", "c_tables.hpp", "d.txt"):
                (root / "lib" / name).write_text("int x = 1;\n", encoding="utf-8")
            found = [site.path for site in sites.all_sites(root, "lib", r"_tables\.hpp$")]
        self.assertEqual(found, ["lib/a.hpp", "lib/b.cpp"])


class Draws(unittest.TestCase):
    def setUp(self):
        self.found = sites.sites("x.cpp", "f(0x1p-53, 1, 2, 3, 4, 5, 6, 7, 8, 9);")

    def test_the_seed_decides_and_no_site_is_drawn_twice(self):
        first = mutate.draws(self.found, 1)
        self.assertEqual(first, mutate.draws(self.found, 1))
        self.assertNotEqual(first, mutate.draws(self.found, 2))
        self.assertEqual({site for site, _ in first}, set(self.found))

    def test_a_sample_is_the_first_draws_that_compile(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            results = pathlib.Path(folder) / "results"
            order, facts = mutate.draws(self.found, 1), {"tree": "t"}
            sample = mutate.Sample(order, results, 2, facts)
            self.assertEqual((sample.next_draw(), sample.next_draw(), sample.next_draw()), (0, 1, None))
            sample.record(0, {"outcome": "does not compile", "test": ""})
            sample.record(1, {"outcome": "survived", "test": ""})
            self.assertEqual((sample.next_draw(), sample.next_draw()), (2, None))
            sample.record(2, None)  # stopped: another run takes it
            again = mutate.Sample(order, results, 2, facts)
            self.assertEqual((again.next_draw(), again.next_draw()), (2, None))
            with self.assertRaises(workplace.WorkplaceError):
                mutate.Sample(order, results, 2, {"tree": "another"})

    def test_lists_draws_of_the_reference(self):
        result = run([sys.executable, "-B", TOOL / "mutate.py", "--work", "/nowhere", "--list", "--count", "5"])
        self.assertEqual((result.returncode, len(result.stdout.splitlines())), (0, 5), result.stderr)


class Outcomes(unittest.TestCase):
    def test_failed_tests_are_read_from_the_output_of_ctest(self):
        output = ("1/4 Test #1: A.a ...........   Passed    0.01 sec\n"
                  "2/4 Test #2: B/P.p/0 .......***Failed    0.02 sec\n"
                  "3/4 Test #3: C.c ...........***Timeout  30.01 sec\n"
                  "4/4 Test #4: D.d ...........Subprocess aborted***Exception:   0.20 sec\n")
        self.assertEqual(workplace.FAILED.findall(output),
                         [("B/P.p/0", "Failed"), ("C.c", "Timeout"), ("D.d", "Exception")])
        self.assertEqual(workplace.PASSED.findall(output), [("A.a", "0.01")])

    def test_a_test_program_that_does_not_start_kills_and_a_compiler_error_does_not(self):
        starts = "FAILED: tests/a/t \nCMake Error at GoogleTestAddTests.cmake:112 (message):\n"
        compiles = "FAILED: a.o \na.cpp:5:3: error: expected ';'\n"
        self.assertEqual(mutate.why_not_built(starts)["outcome"], "killed")
        self.assertEqual(mutate.why_not_built(compiles)["outcome"], "does not compile")


if __name__ == "__main__":
    unittest.main()
