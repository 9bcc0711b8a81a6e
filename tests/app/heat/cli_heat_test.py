# Pins heat's command line: what it alone refuses, and what its record and its text say.
import unittest

from cli_support import CommandLine
from programs import MACHINE, SIZE, SMALL, USAGE


class Heat(CommandLine):
    def test_help_and_options_that_are_himenos_alone(self):
        self.assertIn("--halo auto|device|staged|nccl|peer", self.good("--help").replace("\n", " "))
        for option in ("--sweep", "--layout", "--coefficients", "--save-field"):
            self.refused(USAGE, f"unknown option {option}", *SMALL, option, "x")

    def test_wrong_numbers_and_grids_too_large(self):
        self.refused(USAGE, ["--size", "'20x21'"], "--size", "20x21")
        # The second has more points than 64 bits can count, the third more bytes.
        for size, needs in (("2147483647x2147483647x3", "23611832"),
                            ("4194304x2097152x2097152", "295147905"),
                            ("1048576x1048576x2097152", "36893488")):
            self.refused(MACHINE, [f"the grid {size} needs {needs}", "available"], "--size", size)
        self.refused(USAGE, "too small for 5x1x1", "--size", "5x9x9", "--ranks", "5x1x1", ranks=5)

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

    def test_values_that_become_denormal_are_named_where_they_slow_down_a_run(self):
        for iterations, named in (("5000", False), ("10000", True)):
            text = self.good("--size", "8x8x8", "--iterations", iterations, "--exec", "host", "--memspace", "system")
            self.assertEqual("denormal" in text, named, text)


if __name__ == "__main__":
    unittest.main()
