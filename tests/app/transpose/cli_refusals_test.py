# Pins what transpose refuses: one line that names it, the documented code, and nothing written.
import unittest

from cli_support import FOR_GPU, CommandLine
from generic_refusals import MACHINE, USAGE, GenericRefusals

SMALL = ["--rows", "40", "--cols", "30", "--iterations", "2"]


class Generic(GenericRefusals, CommandLine):
    small = SMALL
    long = ["--rows", "2000", "--iterations", "1000000000"]


class WrongCommandLine(CommandLine):
    def test_numbers_out_of_range(self):
        for option, value in [("--rows", "0"), ("--cols", "-3"), ("--rows", "2147483648"), ("--iterations", "0"),
                              ("--repeat", "0"), ("--pitch", "0"), ("--pitch", "wide")]:
            self.refused(USAGE, [option, f"'{value}'"], option, value)

    def test_choices_that_are_none(self):
        for option, value in [("--type", "half"), ("--variant", "fastest"), ("--memspace", "hbm"),
                              ("--exec", "gpu"), ("--exchange", "rdma")]:
            self.refused(USAGE, [option, f"'{value}'"], option, value)

        self.refused(USAGE, "did you mean tuned?", "--variant", "tune")
        for side in ("8", "24", "64", "wide"):
            self.refused(USAGE, f"--tile: '{side}' is not one of 16, 32", *SMALL, "--tile", side)

    def test_a_pitch_less_than_a_row_of_either_matrix(self):
        self.refused(USAGE, ["--pitch 39 is less than a row", "at least 40"], *SMALL, "--pitch", "39")


class BeyondThisMachine(CommandLine):
    def test_matrices_larger_than_the_memory(self):
        self.refused(MACHINE, ["the matrix 2147483647x2147483647 needs", "available", "--rows"],
                     "--rows", "2147483647", "--cols", "2147483647", "--type", "double")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_what_only_a_gpu_has(self):
        self.refused(MACHINE, ["--exec device", "no GPU backend"], *SMALL, "--exec", "device")
        self.refused(MACHINE, ["--variant tuned", "needs a GPU", "portable"], *SMALL, "--variant", "tuned")
        self.refused(MACHINE, "--prefetch", *SMALL, "--prefetch")


class OnFourRanks(CommandLine):
    """The line appears once, and mpirun returns the code."""

    def test_matrices_larger_than_the_memory(self):
        self.refused(MACHINE, ["needs", "for 4 ranks"], "--rows", "80000", "--cols", "80000", "--type", "double",
                     ranks=4)

    def test_messages_from_a_gpu_where_the_host_transposes(self):
        host = [] if not FOR_GPU else ["--exec", "host", "--memspace", "host-pinned"]
        for path in ["device", "nccl"]:
            self.refused(MACHINE, [f"--exchange {path}", "on the host", "--exchange staged"], *SMALL, *host,
                         "--exchange", path, ranks=4)


if __name__ == "__main__":
    unittest.main()
