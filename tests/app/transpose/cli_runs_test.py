# Pins what good runs of transpose give: text, JSON and CSV on stdout, files that h5py reads.
import csv
import io
import json
import re
import unittest

from cli_support import FOR_GPU, CommandLine

try:
    import h5py
except ImportError:  # the first Python on PATH may not have it
    h5py = None

SMALL = ["--rows", "40", "--cols", "30", "--iterations", "3"]
KEYS = ["schema", "size", "rows", "columns", "type", "iterations", "ranks", "exec", "memspace",
        "first_touch", "variants", "skipped", "limit", "phases", "machine", "verified"]
PHASES = ["allocate", "initialise", "upload", "pack", "exchange", "transpose", "download", "free"]


class Transpose(CommandLine):
    def record(self, *arguments, ranks=0):
        return json.loads(self.good(*SMALL, "--format", "json", *arguments, ranks=ranks))

    def test_version_is_a_line_with_the_programs_name(self):
        self.assertRegex(self.good("--version"), r"^transpose \d+\.\d+\.\d+")

    def test_list_memspaces_names_all_and_runs_nothing(self):
        self.assertEqual(len(json.loads(self.good("--list-memspaces", "--format", "json"))["memspaces"]), 8)

    def test_json_is_one_object_with_the_documented_keys(self):
        record = self.record()
        for key in KEYS:
            self.assertIn(key, record)
        self.assertEqual(list(record["phases"]), PHASES)
        self.assertEqual((record["rows"], record["columns"], record["type"]), (40, 30, "float"))
        self.assertEqual([v["name"] for v in record["variants"]], ["tuned" if FOR_GPU else "portable", "copy"])
        for variant in record["variants"]:
            self.assertEqual({"min", "median", "max"}, set(variant["gbs"]))
            self.assertIs(variant["verified"], True)
            self.assertEqual(len(variant["seconds"]), 3)
        self.assertEqual(record["variants"][-1]["of_copy"], 1)

    def test_provenance_has_every_rank_and_its_own_times(self):
        for ranks in [0, 2, 4]:
            record = self.record(ranks=ranks)
            self.assertEqual(len(record["provenance"]["ranks"]), max(ranks, 1))
            for rank in record["provenance"]["ranks"]:
                self.assertEqual(list(rank["seconds"]), ["transpose", "pack", "exchange"])
            for variant in record["variants"]:
                self.assertTrue("left_out" in variant["energy"] or "gpus" in variant["energy"])

    def test_all_times_what_runs_here_and_says_why_the_rest_does_not(self):
        record = self.record("--variant", "all")
        names = [v["name"] for v in record["variants"]] + [s["name"] for s in record["skipped"]]
        self.assertEqual(sorted(names), sorted(["copy", "naive", "tiled", "padded", "diagonal",
                                                "diagonal-conflicts", "portable", "tuned", "vendor"]))
        for skipped in record["skipped"]:
            self.assertTrue(skipped["reason"])

    def test_tiles_of_16_are_those_of_the_variants_that_have_a_choice(self):
        record = self.record("--variant", "all", "--tile", "16")
        for variant in record["variants"]:
            self.assertEqual(variant.get("tile"), None if variant["name"] == "copy" else 16)
        skipped = {s["name"]: s["reason"] for s in record["skipped"]}
        self.assertEqual(skipped["portable"], "has no choice of tiles here")

    def test_rows_lie_as_far_apart_as_the_pitch_says(self):
        for arguments, pitches in [([], (32, 64)), (["--pitch", "none"], (30, 40)), (["--pitch", "+1"], (31, 41)),
                                   (["--pitch", "77"], (77, 77))]:
            record = self.record(*arguments, "--variant", "all")
            self.assertEqual((record["pitch_a"], record["pitch_b"]), pitches)
        path = self.write("case.toml", 'rows = 8\ncols = 9\npitch = "+3"\n')
        self.assertEqual(json.loads(self.good("--input", path, "--format", "json"))["pitch_a"], 12)

    def test_ranks_split_their_time(self):
        for ranks in [2, 3, 4]:
            record = self.record("--variant", "all", "--exchange", "staged", ranks=ranks)
            self.assertEqual(record["ranks"], ranks)
            self.assertEqual(record["messages"], "staged")
            for variant in record["variants"]:
                self.assertEqual(list(variant["split"]), ["pack", "exchange", "transpose"])
            self.assertGreater(record["phases"]["exchange"], 0)

    def test_csv_is_names_and_values(self):
        rows = list(csv.reader(io.StringIO(self.good(*SMALL, "--variant", "portable", "--format", "csv"))))
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))
        record = dict(zip(*rows[:2], strict=True))
        self.assertEqual((record["size"], record["variants.name"]), ("40x30", "portable"))
        self.assertGreater(float(record["variants.gbs.median"]), 0)

    def test_more_threads_than_cpus_are_warned_of_in_one_line(self):
        self.assertRegex(self.warned_of_shared_cpus(*SMALL),
                         r"^transpose: 2 threads of 1 rank share 1 CPU of \S+: .*--map-by node:PE=2\), .*\n$")

    def test_quiet_leaves_stderr_empty(self):
        done = self.run_program(*SMALL, "--quiet", OMP_NUM_THREADS="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_input_file_gives_the_options_and_the_command_line_wins(self):
        path = self.write("case.toml", 'rows = 8\ncols = 9\niterations = 2\ntype = "double"\n')
        record = json.loads(self.good("--input", path, "--format", "json", "--cols", "5"))
        self.assertEqual((record["rows"], record["columns"], record["type"]), (8, 5, "double"))

    @unittest.skipIf(h5py is None, "no h5py in this Python (Debian: python3-h5py)")
    def test_the_file_holds_every_iteration_of_every_variant(self):
        path = self.path("r.h5")
        self.good(*SMALL, "--output", path, "--repeat", "2")
        with h5py.File(path, "r") as run:
            self.assertEqual(run.attrs["program"], b"transpose")
            self.assertEqual(len(run["variants/0001/seconds"]), 3)
            self.assertEqual(len(run["repeats"]), 2)
            self.assertIn("machine", run)


if __name__ == "__main__":
    unittest.main()
