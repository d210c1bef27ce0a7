"""summary.md as cmark-gfm, the renderer of GitHub's dialect, shows it."""

import html.parser
import re
import subprocess

import samples

# What the summary itself uses. Links, images, emphasis and scripts are not among it.
OURS = {"h3", "h4", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "code", "pre", "details",
        "summary"}
LIMIT = 60000


class Page(html.parser.HTMLParser):
    """Tags of a page, its texts in code and its texts elsewhere."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.in_code, self.elsewhere, self.depth = set(), [], [], [], 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag == "code":
            self.depth += 1
            self.in_code.append("")

    def handle_endtag(self, tag):
        self.depth -= tag == "code"

    def handle_comment(self, data):
        self.tags.add("!--")

    def handle_data(self, data):
        if self.depth:
            self.in_code[-1] += data
        else:
            self.elsewhere.append(data)


def render(text):
    """HTML with everything let through that a renderer may let through."""
    command = ["cmark-gfm", "--unsafe"]
    for extension in ("table", "autolink", "strikethrough", "tasklist", "footnotes"):
        command += ["-e", extension]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return Page(done.stdout)


def problems(text):
    """What of a summary shows as anything but text."""
    page = render(text)
    found = [f"tag {tag}" for tag in page.tags - OURS]
    found += [f"attribute {name}={value}" for name, value in page.attributes if name not in ("class", "align")]
    outside = "".join(page.elsewhere)
    found += [f"outside of code: {word}" for word in ("@", "#", "://", "alert", "www.") if word in outside]
    return found


def printable(text):
    """A name as it is shown."""
    return "".join(c if " " <= c <= "~" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in text)


class Markdown(samples.SampleTest):
    def test_shows_every_name_as_text(self):
        for name in samples.SAMPLES:
            self.assertEqual(problems(self.text(name, "md")), [], name)

    def test_the_whole_name_is_there(self):
        page = render(self.text("hostile", "md"))
        name = printable(self.report("hostile")["verdicts"][0]["case"].replace("\ufffd", ""))
        self.assertTrue(any(shown.replace("\\xff", "") in name and len(shown) > 190 for shown in page.in_code))

    def test_a_name_that_is_not_code_is_seen_here(self):
        for name in ("<script>alert(1)</script>", "*x*", "[x](http://e.example)", "http://e.example", "@someone", "#1",
                     "![x](y)", "<!-- x -->", "a\n\n# b", "~~x~~", "www.e.example", "a@e.example"):
            text = self.text("passed", "md").replace("all 1 verdicts", f"all {name} verdicts")
            self.assertNotEqual(problems(text), [], name)
        self.assertNotEqual(problems(self.text("all", "md").replace("````", "").replace("```", "")), [])

    def test_says_first_what_came_out(self):
        for name, sentence in (("all", "Failed"), ("passed", "Passed"), ("empty", "Nothing was judged."),
                               ("hostile", "Failed")):
            lines = self.text(name, "md").splitlines()
            self.assertTrue(lines[2].startswith(f"**{sentence}"), lines[:3])

    def test_counts_are_those_of_the_report(self):
        for name in samples.SAMPLES:
            row = self.text(name, "md").splitlines()[6]
            self.assertEqual([int(cell) for cell in row.strip("|").split("|")],
                             list(self.report(name)["summary"].values()))

    def test_what_failed_comes_first_with_its_place_and_its_command(self):
        text = self.text("all", "md")
        headings = re.findall(r"^#### (\w+)", text, re.M)
        self.assertEqual(headings, ["failed", "failed", "error", "nonconforming", "suspect", "Nothing"])
        page = render(text)
        self.assertIn("deltaproof check runs/gdn.safetensors\n", page.in_code)
        self.assertIn("kernels/cuda/chunk.cu:120", page.in_code)
        self.assertIn("starts at o: sequence 0\nbehaves as if | <b>\n", page.in_code)

    def test_the_worst_place_is_named_where_something_is_out_of_bound(self):
        self.assertIn("\n- worst: inf of `LOC` at ", self.text("all", "md"))
        within = self.text("within", "md")
        self.assertIn("\n- first bad: `o: sequence 0, token 65 ", within)
        self.assertNotIn("- worst: ", within)
        elsewhere = self.text("elsewhere", "md")
        self.assertNotIn("- worst: ", elsewhere)
        self.assertIn("largest    0.25 of LOC: no value is beyond its bound", elsewhere)

    def test_what_only_is_suspect_is_not_called_unproved(self):
        suspects = self.text("all", "md").split("#### Nothing is proved by")[1]
        self.assertNotIn("suspect", suspects)

    def test_what_is_too_much_is_counted(self):
        text = self.text("many", "md")
        shown = len(re.findall(r"^#### failed", text, re.M))
        self.assertTrue(0 < shown <= 20, shown)
        self.assertIn(f"\nand {200 - shown} more: ", text)

    def test_fits_into_a_comment(self):
        for name in samples.SAMPLES:
            self.assertLess(len(self.text(name, "md")), LIMIT, name)
        self.assertGreater(len(self.text("endless", "md")), LIMIT // 2)  # the limit is met, not avoided


if __name__ == "__main__":
    samples.main()
