# Pins what --memspace auto gives a transpose: the first memory in which the run fits, and why.
import json
import unittest

from cli_support import CommandLine

MACHINE = 3
SMALL = ["--rows", "40", "--cols", "30", "--iterations", "2"]


class Auto(CommandLine):
    def test_takes_the_first_memory_in_which_the_run_fits_and_says_why(self):
        for ranks in [0, 2]:
            record = json.loads(self.good(*SMALL, "--memspace", "auto", "--format", "json", ranks=ranks))
            self.assertEqual(record["memspace"]["requested"], "device")
            self.assertEqual(record["memspace"]["chosen"],
                             "the first of device, system (with ATS) and host-pinned in which the run fits")
        self.assertRegex(self.good(*SMALL, "--memspace", "auto"), r"(?m)^memory +: .*auto: the first of device, ")

    def test_refuses_a_matrix_that_fits_no_memory(self):
        self.refused(MACHINE, ["--memspace auto", "not device", "not host-pinned", "needs"], "--rows", "2147483647",
                     "--cols", "2147483647", "--memspace", "auto")


if __name__ == "__main__":
    unittest.main()
