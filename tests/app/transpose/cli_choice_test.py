# Pins what --memspace auto and --probes give a transpose: the choice, and prediction beside measurement.
import json
import unittest

from cli_support import CommandLine

USAGE, MACHINE, OTHER = 2, 3, 1
SMALL = ["--rows", "40", "--cols", "30", "--iterations", "2"]


class Auto(CommandLine):
    def predicted(self, *arguments, ranks=0):
        text = self.good(*SMALL, "--memspace", "auto", "--format", "json", *arguments, ranks=ranks)
        record = json.loads(text)
        return record, record["prediction"]

    def test_takes_the_fastest_space_and_reports_prediction_against_measurement(self):
        record, prediction = self.predicted()
        self.assertEqual([s["memspace"] for s in prediction["spaces"]],
                         ["device", "managed", "system", "host-pinned"])
        times = {s["memspace"]: s["seconds"] for s in prediction["spaces"] if s["refused"] is None}
        self.assertEqual(times[prediction["chosen"]], min(times.values()))
        self.assertEqual(record["memspace"]["requested"], prediction["chosen"])
        against = prediction["against"]
        self.assertEqual([p["phase"] for p in against["phases"]], list(record["phases"]))
        self.assertAlmostEqual(against["total"]["measured"], sum(record["phases"].values()))
        self.assertEqual(against["first_step"]["measured"], record["variants"][0]["seconds"][0])

    def test_predicts_every_variant_that_is_timed(self):
        one = self.predicted("--variant", "copy")[1]["against"]["phases"]
        every = self.predicted("--variant", "all")[1]["against"]["phases"]
        seconds = [{p["phase"]: p["predicted"] for p in phases}["transpose"] for phases in (one, every)]
        self.assertGreater(seconds[1], seconds[0])

    def test_leaves_the_messages_of_several_ranks_out(self):
        phases = [p["phase"] for p in self.predicted(ranks=2)[1]["against"]["phases"]]
        self.assertNotIn("pack", phases)
        self.assertNotIn("exchange", phases)

    def test_stands_in_the_text(self):
        text = self.good(*SMALL, "--memspace", "auto")
        self.assertIn("predicted from a trial of", text)
        self.assertIn("predicted time by cause: ", text)

    def test_refuses_what_it_cannot_predict(self):
        for option in [["--memspace", "auto"], ["--probes", "p.h5"]]:
            self.refused(USAGE, ["--sweep-sizes"], *option, "--sweep-sizes", "10:20:10")
        self.refused(MACHINE, ["--memspace auto", "needs"], "--rows", "2147483647", "--cols", "2147483647",
                     "--memspace", "auto")

    def test_refuses_probes_without_rates(self):
        path = self.path("r.h5")
        self.good(*SMALL, "--output", path)
        self.refused(USAGE, ["r.h5", "no membench run"], *SMALL, "--memspace", "auto", "--probes", path)
        self.refused(OTHER, "none.h5", *SMALL, "--probes", self.path("none.h5"))


if __name__ == "__main__":
    unittest.main()
