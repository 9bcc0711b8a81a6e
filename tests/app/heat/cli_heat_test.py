# Pins heat's command line: what it alone refuses, and what its record and its text say.
import unittest

from cli_support import CommandLine
from programs import MACHINE, SIZE, SMALL, USAGE


class Heat(CommandLine):
    def test_options_that_are_himenos_alone(self):
        for option in ("--sweep", "--layout", "--coefficients", "--save-field"):
            self.refused(USAGE, f"unknown option {option};", *SMALL, option, "x")

    def test_a_grid_with_more_bytes_than_64_bits_can_count(self):
        self.refused(MACHINE, ["the grid 1048576x1048576x2097152 needs 36893488", "available"], "--size",
                     "1048576x1048576x2097152")

    def test_the_record_and_the_text(self):
        for ranks in (0, 2):
            record = self.record(*SMALL, "--repeat", "2", ranks=ranks)
            self.assertEqual(([17, 19, 33], 4, "single"), tuple(record[key] for key in ("extents", "iterations", "sweep")))
            self.assertEqual(4, len(record["sweeps"]["seconds"]))
            self.assertEqual(2, len(record["repeats"]))
            self.assertEqual(ranks == 2, "scaling" in record)
            self.assertGreater(record["limit"]["fraction"], 0)
        record = self.record(*SIZE, "--seconds", "0.01", "--repeat", "3")
        self.assertEqual(3, len(record["repeats"]))
        self.assertEqual({record["iterations"]}, {each["iterations"] for each in record["repeats"]})
        self.assertTrue(record["verified"])
        text = self.good(*SMALL, "--verbose")
        for part in ("16 bytes a point", "GFLOPS", "of the memory's limit", "; verified\n"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
