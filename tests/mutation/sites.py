"""Where a C++ source can be mutated, and into what: one operator or constant a site.

Relies on the layout that .clang-format prescribes: a binary operator stands between blanks, the
angle brackets of a template and unary operators do not.
"""

import dataclasses
import pathlib
import re

TOKEN = re.compile(
    r"""
    (?P<blank>\s+ | //[^\n]* | /\*.*?\*/ | \#(?:\\\n|[^\n])*)
  | (?P<text>(?:u8|[uUL])?(?:R"(?P<fence>[^()\\\s]*)\(.*?\)(?P=fence)" | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])+'))
  | (?P<number>\.?\d(?:[eEpP][+-]|'?\w|\.)*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<operator><=> | <<= | >>= | \.\.\. | ->\*? | :: | \+\+ | -- | << | >> | && | \|\| | [-+*/%&|^=!<>]= | .)
    """, re.VERBOSE | re.DOTALL)

PAIRS = [("+", "-"), ("*", "/"), ("<", "<="), (">", ">="), ("==", "!="), ("&&", "||"), ("&", "|"),
         ("<<", ">>"), ("+=", "-="), ("*=", "/=")]
BINARY = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
STEPS = {"++": "--", "--": "++"}
WORDS = {"true": "false", "false": "true"}
STD = {"min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin"}

INTEGER = re.compile(r"(0[xX][\da-fA-F]+|[1-9]\d*|0)([uUlLzZ]*)")
HEX_FLOAT = re.compile(r"(0[xX][\da-fA-F.]+[pP])([+-]?\d+)([fFlL]?)")
DECIMAL_FLOAT = re.compile(r"((?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)([fFlL]?)")

# What is decided at compile time alone: from the word to the first of these at its depth.
COMPILE_TIME = {"static_assert": ";", "concept": ";", "requires": ";{", "alignas": ")"}
OPENING = {")": "(", "]": "[", "}": "{"}


@dataclasses.dataclass(frozen=True)
class Site:
    """A place in a file, what stands there, and what can stand there instead."""
    path: str
    line: int
    offset: int
    before: str
    choices: tuple


def flipped_number(text):
    """n + 1; a binary exponent one more or less; twice a decimal fraction. Empty: none of these."""
    digits = text.replace("'", "")
    if match := INTEGER.fullmatch(digits):
        value = int(match[1], 0) + 1
        return ((hex(value) if match[1][:2] in ("0x", "0X") else str(value)) + match[2],)
    if match := HEX_FLOAT.fullmatch(digits):
        exponent = int(match[2])
        sign = "+" if match[2].startswith("+") else ""
        return tuple(f"{match[1]}{e:{sign}d}{match[3]}" for e in (exponent + 1, exponent - 1))
    if match := DECIMAL_FLOAT.fullmatch(digits):
        return (f"{2 * float(match[1]) or 1.0!r}{match[2]}",)
    return ()


class Brackets:
    """Open brackets, those of templates too."""

    def __init__(self):
        self.open = []

    def in_template(self):
        return "<" in self.open

    def read(self, token, blank_before, blank_after):
        """Follow one operator."""
        if token in ("(", "[", "{"):
            self.open.append(token)
        elif token in OPENING:
            while self.open and self.open.pop() != OPENING[token]:
                pass
        elif token == ";":
            while self.open and self.open[-1] == "<":
                self.open.pop()
        elif token == "<" and not (blank_before and blank_after):
            self.open.append(token)
        elif token in (">", ">>") and not blank_before:
            for _ in token:
                if self.open and self.open[-1] == "<":
                    self.open.pop()


def tokens(source):
    """(kind, text, offset) of all that is neither blank, comment nor directive."""
    for match in TOKEN.finditer(source):
        kind = "text" if match.lastgroup == "fence" else match.lastgroup
        if kind != "blank":
            yield kind, match.group(), match.start()


def choices(kind, token, previous, spaced):
    """What can stand in place of a token; `previous`: the tokens before it."""
    if kind == "number":
        return flipped_number(token)
    if kind == "word":
        name = STD if previous[-2:] == ["std", "::"] else WORDS
        return (name[token],) if token in name else ()
    if kind == "operator":
        name = {**STEPS, **BINARY} if spaced else STEPS
        return (name[token],) if token in name else ()
    return ()


def sites(path, source):
    """All sites of one source, in order."""
    found = []
    brackets = Brackets()
    previous = []
    skipped_until, depth = "", 0
    for kind, token, offset in tokens(source):
        end = offset + len(token)
        before, after = source[offset - 1:offset].isspace(), source[end:end + 1].isspace()
        if not skipped_until and token in COMPILE_TIME:
            skipped_until, depth = COMPILE_TIME[token], len(brackets.open)
        names_operator = previous[-1:] == ["operator"] and token[0] in "<>"
        if kind == "operator" and not names_operator:
            brackets.read(token, before, after)
        at_end = len(brackets.open) <= depth + (token == "{")
        if skipped_until and token in skipped_until and at_end:
            skipped_until = ""
        elif not skipped_until and not brackets.in_template():
            if other := choices(kind, token, previous, before and after):
                line = source.count("\n", 0, offset) + 1
                found.append(Site(path, line, offset, token, other))
        previous = [*previous[-2:], token]
    return found


def all_sites(root, folder, skip):
    """Sites of the sources under root/folder whose paths do not match the regex `skip`."""
    found = []
    for path in sorted((pathlib.Path(root) / folder).rglob("*.[ch]pp")):
        name = path.relative_to(root).as_posix()
        if not re.search(skip, name):
            found += sites(name, path.read_text(encoding="utf-8"))
    return found


def mutated(source, site, after):
    """The source with the site's token replaced."""
    if not source.startswith(site.before, site.offset):
        raise ValueError(f"{site.path}:{site.line}: '{site.before}' is not there")
    return source[:site.offset] + after + source[site.offset + len(site.before):]
