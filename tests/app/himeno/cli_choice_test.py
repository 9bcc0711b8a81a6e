# Pins what --memspace auto and --probes give: the spaces with their predicted times, the choice, and
# prediction beside measurement; and what they refuse.
import json
import os
import subprocess
import unittest

from cli_support import FOR_GPU, CommandLine, environment
from himeno_cases import SMALL, bytes_a_sweep, counted_bytes

USAGE, MACHINE, OTHER = 2, 3, 1
SPACES = ["device", "managed", "system", "host-pinned"]


def served(runner):
    spaces = json.loads(runner.good("--list-memspaces", "--format", "json"))["memspaces"]
    executor = "device" if FOR_GPU else "host"
    return {s["memspace"] for s in spaces if s["exec"] == executor and s["served"]}


class Auto(CommandLine):
    def test_takes_the_fastest_space_and_reports_prediction_against_measurement(self):
        record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json"))
        prediction = record["prediction"]
        times = {s["memspace"]: s["seconds"] for s in prediction["spaces"] if s["refused"] is None}
        self.assertEqual([s["memspace"] for s in prediction["spaces"]], SPACES)
        self.assertEqual(set(times), served(self))
        self.assertEqual(times[prediction["chosen"]], min(times.values()))
        self.assertEqual(record["memspace"]["requested"], prediction["chosen"])
        self.assertEqual(record["options"]["memspace"], "auto")
        against = prediction["against"]
        self.assertEqual([p["phase"] for p in against["phases"]], list(record["phases"]))
        for phase in against["phases"]:
            self.assertEqual(phase["measured"], record["phases"][phase["phase"]])
        self.assertAlmostEqual(against["total"]["measured"], sum(record["phases"].values()))
        self.assertAlmostEqual(against["total"]["predicted"], sum(against["causes"].values()))
        self.assertRegex(prediction["rates"]["origin"], r"^a trial of \d+ ms$")

    def test_measures_its_rates_instead_of_assuming_them(self):
        record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json"))
        sources = {f["figure"]: f["source"] for f in record["prediction"]["rates"]["figures"]}
        for figure in ["host_copy", "first touch by host system", "free system"] + (
                ["device_copy", "link_to_device", "faults_to_device", "allocate host-pinned"] if FOR_GPU else []):
            self.assertEqual(sources[figure], "trial", figure)

    def test_tells_the_spaces_before_the_run_and_in_the_report(self):
        done = self.run_program(*SMALL, "--memspace", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in [done.stdout, done.stderr]:
            self.assertIn("predicted from a trial of", text)
            self.assertEqual(text.count("  chosen\n"), 1)
            for space in SPACES:
                self.assertRegex(text, rf"(?m)^  {space} +(\d|not served)")
        self.assertRegex(done.stdout, r"(?m)^total +[\d.]+ \w+ +[\d.]+ \w+ +[+-][\d.]+%$")
        self.assertIn("predicted time by cause: ", done.stdout)
        self.assertTrue(done.stdout.splitlines()[-1].startswith(" Score based on"))
        quiet = self.run_program(*SMALL, "--memspace", "auto", "--quiet")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))

    def test_goes_with_fused_sweeps_seconds_and_ranks(self):
        for more in [["--sweep", "temporal:2"], ["--sweep", "auto"], ["--first-touch", "host"]]:
            record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json", *more))
            self.assertIn("prediction", record)
        size = ["--size", "17x19x33", "--seconds", "0.01", "--memspace", "auto", "--format", "json"]
        self.assertIn("prediction", json.loads(self.good(*size)))
        record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json", ranks=2))
        phases = [p["phase"] for p in record["prediction"]["against"]["phases"]]
        self.assertEqual("halo" in phases, FOR_GPU)

    def test_refuses_what_it_cannot_go_with(self):
        self.refused(USAGE, ["--tune", "by name"], *SMALL, "--memspace", "auto", "--tune")
        self.refused(USAGE, ["--place", "--memspace auto"], *SMALL, "--memspace", "auto", "--place", "p=device")

    def test_refuses_a_grid_that_fits_no_memory(self):
        self.refused(MACHINE, ["--memspace auto", "needs", "available"], "--size", "20000x20000x20000",
                     "--memspace", "auto")

    def test_stays_out_of_a_run_that_does_not_ask(self):
        self.assertNotIn("prediction", json.loads(self.good(*SMALL, "--format", "json")))


class Probes(CommandLine):
    def measured(self):
        """A file with a membench run of this machine, small and quick."""
        path = self.path("probes.h5")
        membench = os.path.join(os.path.dirname(os.environ["PROGRAM"]), "membench")
        subprocess.run([membench, "link", "--size", "16777216", "--repeats", "3", "--output", path], check=True,
                       env=environment(), capture_output=True, timeout=300)
        return path

    def test_give_the_rates_of_the_file_to_auto_and_to_a_named_space(self):
        path = self.measured()
        for space in ["auto", "host-pinned"]:
            record = json.loads(self.good(*SMALL, "--memspace", space, "--probes", path, "--format", "json"))
            prediction = record["prediction"]
            self.assertIn(path, prediction["rates"]["origin"])
            figures = {f["figure"]: f for f in prediction["rates"]["figures"]}
            self.assertRegex(figures["host_copy"]["source"], "^membench link: .*host copy")
            self.assertTrue(figures["counter_migration"]["source"].startswith("assumed"))
            if FOR_GPU:
                self.assertNotIn("warning", prediction)
            else:  # the probe of pages was not run
                self.assertIn(f"({path}) has no allocate system, first touch by host system, free system: "
                              "those of an H100's host are assumed", prediction["warning"])
        self.assertEqual([s["memspace"] for s in prediction["spaces"]], ["host-pinned"])

    def test_predict_many_sweeps_in_the_memory_of_one(self):
        # With the file no trial is made, whose memory would hide that of the predictions.
        grown = bytes_a_sweep(self, "--memspace", "auto", "--sweep", "auto", "--probes", self.measured())
        self.assertLess(grown, counted_bytes(1))

    def test_are_not_replaced_by_the_output(self):
        path = self.measured()
        self.refused(USAGE, ["probes.h5", "this run reads it"], *SMALL, "--probes", path, "--output", path, "--force")

    def test_without_a_membench_run_or_without_a_file(self):
        path = self.path("r.h5")
        self.good(*SMALL, "--output", path)
        self.refused(USAGE, ["r.h5", "no membench run"], *SMALL, "--memspace", "auto", "--probes", path)
        self.refused(OTHER, "none.h5", *SMALL, "--memspace", "auto", "--probes", self.path("none.h5"))
        self.refused(OTHER, ["text.h5", "no memstencil result"], *SMALL, "--probes", self.write("text.h5", "text"))


if __name__ == "__main__":
    unittest.main()
