# Pins what good runs of transpose give: JSON on stdout, files that h5py reads.
import unittest

from cli_support import FOR_GPU, CommandLine
from programs import CASE

try:
    import h5py
except ImportError:  # the first Python on PATH may not have it
    h5py = None


class Transpose(CommandLine):
    def run_of(self, *arguments, ranks=0):
        return self.record(*CASE.small, *arguments, ranks=ranks)

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

    def test_ranks_split_their_time(self):
        for ranks in [2, 3, 4]:
            record = self.run_of("--variant", "all", "--exchange", "staged", ranks=ranks)
            self.assertEqual(record["ranks"], ranks)
            self.assertEqual(record["messages"], "staged")
            for variant in record["variants"]:
                self.assertEqual(list(variant["split"]), ["pack", "exchange", "transpose"])
            self.assertGreater(record["phases"]["exchange"], 0)

    @unittest.skipIf(h5py is None, "no h5py in this Python (Debian: python3-h5py)")
    def test_the_file_holds_every_iteration_of_every_variant(self):
        path = self.path("r.h5")
        self.good(*CASE.small, "--output", path, "--repeat", "2")
        with h5py.File(path, "r") as run:
            self.assertEqual(run.attrs["program"], b"transpose")
            self.assertEqual(len(run["variants/0001/seconds"]), 3)
            self.assertEqual(len(run["repeats"]), 2)
            self.assertIn("machine", run)


if __name__ == "__main__":
    unittest.main()
