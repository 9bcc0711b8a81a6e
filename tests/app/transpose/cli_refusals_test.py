# Pins what transpose alone refuses: one line that names it, the documented code, and nothing written.
import unittest

from cli_support import CommandLine
from programs import CASE, MACHINE, USAGE


class Refused(CommandLine):
    def test_values_that_are_none(self):
        self.refused(USAGE, "did you mean tiled?", "--variant", "tile")
        self.refused(USAGE, "--size (did you mean --rows and --cols?)", "--size", "1024")
        self.refused(USAGE, "is not one of 16, 32", "--tile", "64")

    def test_a_pitch_less_than_a_row_of_either_matrix(self):
        self.refused(USAGE, ["--pitch 39 is less than a row", "at least 40"], *CASE.small, "--pitch", "39")

    def test_matrices_larger_than_the_memory(self):
        self.refused(MACHINE, ["the matrix 2147483647x2147483647 needs", "--rows"], *CASE.too_large, "--type", "double")


if __name__ == "__main__":
    unittest.main()
