# Pins the JSON of good runs of transpose, and its own refusals.
import unittest

from cli_support import FOR_GPU, CommandLine
from programs import CASE, USAGE


class Transpose(CommandLine):
    def run_of(self, *arguments, ranks=0):
        return self.record(*CASE.small, *arguments, ranks=ranks)

    def test_values_that_are_none_are_refused(self):
        self.refused(USAGE, "--size (did you mean --rows and --cols?)", "--size", "1024")
        self.refused(USAGE, ["--pitch 39 is less than a row", "at least 40"], *CASE.small, "--pitch", "39")

    def test_json_has_the_members_of_each_variant(self):
        for ranks in [0, 2, 4]:
            record = self.run_of(ranks=ranks)
            self.assertEqual((record["rows"], record["columns"], record["type"]), (40, 30, "float"))
            self.assertEqual([v["name"] for v in record["variants"]], ["portable", "copy"])
            for variant in record["variants"]:
                self.assertEqual({"min", "median", "max"}, set(variant["gbs"]))
                self.assertIs(variant["verified"], True)
                self.assertEqual(len(variant["seconds"]), 3)
                self.assertEqual("energy" in variant, FOR_GPU)
            self.assertEqual(record["variants"][-1]["of_copy"], 1)
        for variant, names in (("copy", ["copy"]), ("naive", ["naive", "copy"])):
            self.assertEqual([v["name"] for v in self.run_of("--variant", variant)["variants"]], names)

    def test_tiles_of_16_are_those_of_the_variants_that_have_a_choice(self):
        record = self.run_of("--variant", "all", "--tile", "16")
        for variant in record["variants"]:
            self.assertEqual(variant.get("tile"), None if variant["name"] == "copy" else 16)
        skipped = {s["name"]: s["reason"] for s in record["skipped"]}
        self.assertEqual(skipped["portable"], "has no choice of tiles here")

    def test_rows_lie_as_far_apart_as_the_pitch_says(self):
        for arguments, pitches in [([], (32, 64)), (["--pitch", "none"], (30, 40)), (["--pitch", "+1"], (31, 41)),
                                   (["--pitch", "77"], (77, 77))]:
            record = self.run_of(*arguments, "--variant", "all")
            self.assertEqual((record["pitch_a"], record["pitch_b"]), pitches)
        path = self.write("case.toml", 'rows = 8\ncols = 9\npitch = "+3"\n')
        self.assertEqual(self.record("--input", path)["pitch_a"], 12)


if __name__ == "__main__":
    unittest.main()
