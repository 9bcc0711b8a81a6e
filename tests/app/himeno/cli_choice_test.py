# Pins what --memspace auto gives: the first memory in which the run fits, and why; and what it refuses.
import json
import unittest

from cli_support import FOR_GPU, CommandLine
from himeno_cases import SIZE, SMALL

USAGE, MACHINE = 2, 3
RULE = "the first of device, system (with ATS) and host-pinned in which the run fits"


class Auto(CommandLine):
    def test_takes_the_first_memory_in_which_the_run_fits_and_says_why(self):
        record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json"))
        self.assertEqual(record["memspace"]["requested"], "device")
        self.assertEqual(record["memspace"]["chosen"], RULE)
        self.assertEqual(record["options"]["memspace"], "auto")
        self.assertRegex(self.good(*SMALL, "--memspace", "auto"), r"(?m)^memory +: .*auto: the first of device, ")

    def test_goes_with_fused_sweeps_seconds_and_ranks(self):
        for more in [["--sweep", "temporal:2"], ["--sweep", "auto"]]:
            record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json", *more))
            self.assertEqual(record["memspace"]["chosen"], RULE)
        size = ["--size", "17x19x33", "--seconds", "0.01", "--memspace", "auto", "--format", "json"]
        self.assertIn("chosen", json.loads(self.good(*size))["memspace"])
        record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json", ranks=2))
        self.assertIn("chosen", record["memspace"])

    @unittest.skipUnless(FOR_GPU, "in a build for a GPU")
    def test_passes_over_what_the_host_does_not_reach(self):
        record = json.loads(self.good(*SMALL, "--memspace", "auto", "--exec", "host", "--format", "json"))
        self.assertEqual(record["memspace"]["requested"], "system")
        self.assertIn("; not device: ", record["memspace"]["chosen"])

    def test_refuses_try_sweeps_which_runs_nothing(self):
        self.refused(USAGE, ["--try-sweeps", "by name"], *SIZE, "--memspace", "auto", "--try-sweeps")
        self.refused(USAGE, "go with a run, not with --try-sweeps", *SIZE, "--try-sweeps", "--gosa-history")
        for option, value in [("--iterations", "4"), ("--seconds", "1"), ("--repeat", "2"), ("--sweep", "single")]:
            self.refused(USAGE, ["--try-sweeps", option, "exclude each other"], *SIZE, "--try-sweeps", option, value)

    def test_refuses_a_grid_that_fits_no_memory(self):
        self.refused(MACHINE, ["--memspace auto", "not device", "not host-pinned", "needs", "available"],
                     "--size", "20000x20000x20000", "--memspace", "auto")

    def test_stays_out_of_a_run_that_names_its_memory(self):
        self.assertNotIn("chosen", json.loads(self.good(*SMALL, "--format", "json"))["memspace"])


class Oversubscription(CommandLine):
    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_needs_a_gpu(self):
        self.refused(MACHINE, ["--oversubscribe", "no GPU"], *SMALL, "--memspace", "managed",
                     "--oversubscribe")

    @unittest.skipUnless(FOR_GPU, "in a build for a GPU")
    def test_goes_with_managed_memory_alone(self):
        self.refused(MACHINE, ["--oversubscribe", "--memspace managed"], *SMALL, "--oversubscribe")
        self.good(*SMALL, "--memspace", "managed", "--oversubscribe")


if __name__ == "__main__":
    unittest.main()
