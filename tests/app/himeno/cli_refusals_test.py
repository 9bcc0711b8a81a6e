# Pins what himeno alone refuses: one line that names it, the documented code, and nothing written.
import os
import subprocess
import unittest

from cli_support import FOR_GPU, MPIRUN, PROGRAM, CommandLine, environment
from programs import MACHINE, SMALL, USAGE


class OfOneProcess(CommandLine):
    """One for each code; the others are refused in process, in himeno_options_test.cpp and known_gosa_test.cpp."""

    def test_wrong_options(self):
        self.refused(USAGE, "--save-field needs --output", *SMALL, "--save-field")
        case = self.write("r.field", "iterations = 5\n")
        self.refused(USAGE, [f"{case}: ", "reads it"], "--input", case, "--save-field", "--force", "--output",
                     self.path("r.h5"))
        self.refused(USAGE, ["temporal:4", "--iterations 3"], "--size", "64x64x64", "--iterations", "3", "--sweep",
                     "temporal:4", ranks=2)

    def test_packed_coefficients_but_of_fused_sweeps_in_device_memory(self):
        where = ["--memspace", "host-pinned"] if FOR_GPU else ["--exec", "host", "--memspace", "system"]
        self.refused(MACHINE, "--layout packed: packed goes with temporal:T in device memory", *SMALL, "--layout", "packed",
                     "--sweep", "temporal:2", *where)

    def test_more_managed_memory_than_a_gpu_has_but_where_it_is_managed_memory_of_a_gpu(self):
        managed = [*SMALL, "--memspace", "managed", "--oversubscribe"]
        if FOR_GPU:
            self.refused(MACHINE, ["--oversubscribe", "--memspace managed"], *SMALL, "--oversubscribe")
            self.good(*managed)
        else:
            self.refused(MACHINE, ["--oversubscribe", "no GPU"], *managed)


class OnFourRanks(CommandLine):
    """The line appears once, and mpirun returns the code."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if MPIRUN and subprocess.run([*MPIRUN, "-np", "1", "true", ":", "-np", "1", "true"], check=False,
                                     env=environment(), capture_output=True).returncode < 0:  # fmt: skip
            # As that of Open MPI 5.0.7 in Debian 13.
            raise unittest.SkipTest("this mpirun crashes with two programs, whatever they are")

    def test_ranks_with_options_of_their_own(self):
        case = self.write("case.toml", "iterations = 5\n")
        for own, what in ((["--pages", "huge"], "pages huge and rank 0 default"), (["--input", case], "rank 1 has "),
                          (["--label", b"\xff"], "rank 1 has label")):
            self.refused(USAGE, [what, "all ranks need the same options"], *SMALL, ":", "-np", "1", PROGRAM, *SMALL,
                         *own, ranks=1)

    def test_ranks_of_another_program(self):
        heat = os.path.join(os.path.dirname(PROGRAM), "memstencil-heat")
        self.refused(USAGE, "rank 1 has program heat", *SMALL, ":", "-np", "1", heat, *SMALL, ranks=1)

    def test_but_for_a_gpu_and_a_label_that_is_no_text(self):
        same = [*SMALL, "--label", b"\xff"]
        self.good(*same, ":", "-np", "1", PROGRAM, *same, ranks=1)


if __name__ == "__main__":
    unittest.main()
