# Pins what transpose alone refuses: one line that names it, the documented code, and nothing written.
import unittest

from cli_support import CommandLine
from programs import CASE, USAGE


class Refused(CommandLine):
    def test_values_that_are_none(self):
        self.refused(USAGE, "did you mean tiled?", "--variant", "tile")
        self.refused(USAGE, "--size (did you mean --rows and --cols?)", "--size", "1024")

    def test_a_pitch_less_than_a_row_of_either_matrix(self):
        self.refused(USAGE, ["--pitch 39 is less than a row", "at least 40"], *CASE.small, "--pitch", "39")


if __name__ == "__main__":
    unittest.main()
