"""No two headers of the product define a type of one name in one namespace: a program that holds both would run one's
functions on the other's objects, and no compiler or linker says so."""
import collections
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("reference", "kernels", "properties", "reports", "cli", "fuzz")
NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\s*([\w:]*)\s*\{")
TYPE = re.compile(r"\s*(?:template\s*<[^;{]*>\s*)?(?:struct|enum class|class|enum)\s+(\w+)\b[^;()]*\{")


def types_of(header):
    """Qualified names of the types that a header defines outside any other type."""
    open_namespaces, depth, found = [], 0, set()
    for line in header.read_text().splitlines():
        code = line.split("//")[0]
        namespace = NAMESPACE.match(code)
        if namespace:
            open_namespaces.append((namespace.group(1), depth))
        else:
            defined = TYPE.match(code)
            if defined and depth == len(open_namespaces):
                found.add("::".join([name for name, _ in open_namespaces] + [defined.group(1)]))
        depth += code.count("{") - code.count("}")
        while open_namespaces and depth <= open_namespaces[-1][1]:
            open_namespaces.pop()
    return found


def clashes(root, folders):
    headers = collections.defaultdict(list)
    for folder in folders:
        for header in sorted((root / folder).rglob("*.hpp")):
            for name in types_of(header):
                headers[name].append(str(header.relative_to(root)))
    return {name: where for name, where in headers.items() if len(where) > 1}, len(headers)


class Names(unittest.TestCase):
    def test_each_type_is_defined_once(self):
        found, types = clashes(ROOT, FOLDERS)
        self.assertGreater(types, 300)
        self.assertEqual(found, {})

    def test_a_clash_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a", "namespace n {\nstruct Trial {\n  int x;\n};\n}\n"),
                               ("b", "namespace n {\nclass Trial : public Base {\n};\n}\n"),
                               ("c", "namespace n::m {\nstruct Trial {\n};\n}\n"),
                               ("d", "namespace n {\nstruct Trial;\nstruct Other {\n  struct Trial {};\n};\n}\n")):
                (Path(folder) / "x").mkdir(exist_ok=True)
                (Path(folder) / "x" / f"{name}.hpp").write_text(text)
            found, _ = clashes(Path(folder), ["x"])
            self.assertEqual(found, {"n::Trial": ["x/a.hpp", "x/b.hpp"]})


if __name__ == "__main__":
    unittest.main()
