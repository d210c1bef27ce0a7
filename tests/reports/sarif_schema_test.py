"""findings.sarif against a schema of the part of SARIF that it uses, and against report.json."""

import copy
import json
import urllib.parse

import jsonschema

import samples


class Sarif(samples.SampleTest):
    def setUp(self):
        schema = json.loads((samples.HERE / "sarif.schema.json").read_text(encoding="ascii"))
        jsonschema.Draft7Validator.check_schema(schema)
        self.validator = jsonschema.Draft7Validator(schema)

    def sarif(self, name):
        return json.loads(self.text(name, "sarif"))

    def errors(self, document):
        return [f"{list(error.path)}: {error.message[:200]}" for error in self.validator.iter_errors(document)]

    def test_every_report_is_valid(self):
        for name in samples.SAMPLES:
            self.assertEqual(self.errors(self.sarif(name)), [], name)

    def test_what_is_not_sarif_is_refused(self):
        good = self.sarif("all")

        def refused(change):
            document = copy.deepcopy(good)
            change(document, document["runs"][0], document["runs"][0]["results"][0])
            self.assertTrue(self.errors(document))

        def place(result):
            return result["locations"][0]["physicalLocation"]

        refused(lambda document, run, result: document.update(version="2.0.0"))
        refused(lambda document, run, result: document["runs"].append(run))
        refused(lambda document, run, result: run["tool"].pop("driver"))
        refused(lambda document, run, result: run.pop("results"))
        refused(lambda document, run, result: run["tool"]["driver"]["rules"][0].pop("help"))  # GitHub wants it
        refused(lambda document, run, result: result.update(level="fatal"))
        refused(lambda document, run, result: result.pop("locations"))
        refused(lambda document, run, result: place(result)["region"].update(startLine=0))
        refused(lambda document, run, result: place(result)["artifactLocation"].update(uri="a b.cu"))
        refused(lambda document, run, result: place(result)["artifactLocation"].update(uri="/abs.cu"))
        refused(lambda document, run, result: result["message"].update(text="[x](http://e.example)"))

    def test_without_findings_there_are_no_results(self):
        for name in ("empty", "passed"):
            run = self.sarif(name)["runs"][0]
            self.assertEqual((run["results"], run["tool"]["driver"]["rules"]), ([], []))

    def test_every_place_of_the_report_is_there_once(self):
        for name in samples.SAMPLES:
            wanted, occurrences = set(), 0
            for verdict in self.report(name)["verdicts"]:
                for finding in verdict["findings"]:
                    if finding["file"]:
                        wanted.add((finding["kind"], finding["file"], finding["line"], verdict["kernel"]))
                        occurrences += 1
            results = self.sarif(name)["runs"][0]["results"]
            self.assertEqual(sum(result["occurrenceCount"] for result in results), occurrences, name)
            self.assertEqual(len(results), len(wanted), name)

    def test_rules_and_places_are_what_they_refer_to(self):
        for name in samples.SAMPLES:
            run = self.sarif(name)["runs"][0]
            fingerprints = []
            for result in run["results"]:
                self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
                fingerprints += result["partialFingerprints"].values()
            self.assertEqual(len(fingerprints), len(set(fingerprints)), name)

    def test_a_finding_is_where_the_report_has_it(self):
        (result,) = self.sarif("all")["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(result["ruleId"], "race")
        self.assertEqual(place, {"artifactLocation": {"uri": "kernels/cuda/chunk.cu", "uriBaseId": "%SRCROOT%"},
                                 "region": {"startLine": 120}})
        self.assertEqual(result["message"]["text"], "two warps write <one> word | of `shared` memory")
        self.assertEqual(result["properties"]["reproduce"], "deltaproof check runs/gdn.safetensors")

    def test_any_name_of_a_file_comes_back_from_its_uri(self):
        names = set()
        for result in self.sarif("hostile")["runs"][0]["results"]:
            location = result["locations"][0]["physicalLocation"]
            names.add(urllib.parse.unquote(location["artifactLocation"]["uri"], errors="replace"))
            self.assertEqual("region" in location, not location["artifactLocation"]["uri"].startswith("file:"))
        for name in ("``", " ", "a\n\n# b", "x\\", "file:///abs/a\n\n# b"):
            self.assertIn(name, names)


if __name__ == "__main__":
    samples.main()
