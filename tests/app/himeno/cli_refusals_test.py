# Pins what himeno alone refuses: one line that names it, the documented code, and nothing written.
import os
import subprocess
import unittest

from cli_support import FOR_GPU, MPIRUN, PROGRAM, CommandLine, environment
from programs import MACHINE, SIZE, SMALL, USAGE

PRE_TOUCH = [*SMALL, "--pre-touch", "device", "--memspace"]


class WrongCommandLine(CommandLine):
    def test_options_that_do_not_go_together(self):
        both = ["--first-touch host", "--exec device"]
        self.each_refused(
            USAGE,
            ("an argument that is no option", "unexpected argument 'stray';", "stray"),
            ("a size without its option", "unexpected argument 'XL' (did you mean --size XL?)", "XL"),
            ("extents without their option", "(did you mean --size 64x64x128?)", "64x64x128"),
            ("iterations as elsewhere", "-n (did you mean --iterations?)", "-n", "100"),
            ("threads as elsewhere", "--threads (did you mean OMP_NUM_THREADS in the environment?)", "--threads", "4"),
            ("packed coefficients of single sweeps", ["--layout packed", "temporal:T"], *SMALL, "--layout", "packed"),
            ("a value that is none", ["--size", "'64x64'"], "--size", "64x64"),
            ("a pass over pages that the GPU touches first", both, *PRE_TOUCH, "managed"),
            ("a pass of a GPU where the host computes", both, *PRE_TOUCH, "managed", "--first-touch", "host", "--exec", "host"),
            ("a field without a file", "--save-field needs --output", *SMALL, "--save-field"),
            ("ranks that are not those of the run", ["--ranks 2x2x1", "mpirun -n"], *SMALL, "--ranks", "2x2x1"))
        for space in ["device", "host-pinned"]:
            self.refused(USAGE, ["--pre-touch", "--memspace managed or system"], *PRE_TOUCH, space, "--first-touch", "host")

    def test_fewer_iterations_than_a_pass_makes(self):
        for ranks in (0, 2):
            self.refused(USAGE, ["temporal:4", "--iterations 3"], "--size", "64x64x64", "--iterations", "3", "--sweep",
                         "temporal:4", ranks=ranks)
        self.refused(USAGE, "8x8x8", "--size", "8x8x8", "--sweep", "temporal:4", ranks=2)


class BeyondThisMachine(CommandLine):
    def test_packed_coefficients_but_of_fused_sweeps_in_device_memory(self):
        packed = [*SMALL, "--layout", "packed", "--sweep", "temporal:2"]
        says = "--layout packed: packed goes with temporal:T in device memory"
        for ranks in (0, 2):
            self.refused(MACHINE, says, *packed, "--exec", "host", "--memspace", "system", ranks=ranks)
        if FOR_GPU:
            self.refused(MACHINE, says, *packed, "--memspace", "host-pinned")

    def test_more_managed_memory_than_a_gpu_has_but_where_it_is_managed_memory_of_a_gpu(self):
        managed = [*SMALL, "--memspace", "managed", "--oversubscribe"]
        if FOR_GPU:
            self.refused(MACHINE, ["--oversubscribe", "--memspace managed"], *SMALL, "--oversubscribe")
            self.good(*managed)
        else:
            self.refused(MACHINE, ["--oversubscribe", "no GPU"], *managed)


class OnFourRanks(CommandLine):
    """The line appears once, and mpirun returns the code."""

    def need_several_programs(self):
        """Skips where mpirun itself crashes with two programs, as that of Open MPI 5.0.7 in Debian 13 does."""
        if MPIRUN and subprocess.run([*MPIRUN, "-np", "1", "true", ":", "-np", "1", "true"], check=False,
                                     env=environment(), capture_output=True).returncode < 0:  # fmt: skip
            self.skipTest("this mpirun crashes with two programs, whatever they are")

    def test_ranks_with_options_of_their_own(self):
        self.need_several_programs()
        case = self.write("case.toml", "iterations = 5\n")
        for own, what in ((["--pages", "huge"], "pages huge and rank 0 default"), (["--input", case], "rank 1 has "),
                          (["--label", b"\xff"], "rank 1 has label")):
            self.refused(USAGE, [what, "all ranks need the same options"], *SMALL, ":", "-np", "1", PROGRAM, *SMALL,
                         *own, ranks=1)

    def test_ranks_of_another_program(self):
        self.need_several_programs()
        heat = os.path.join(os.path.dirname(PROGRAM), "memstencil-heat")
        self.refused(USAGE, "rank 1 has program heat", *SMALL, ":", "-np", "1", heat, *SMALL, ranks=1)

    def test_but_for_a_gpu_and_a_label_that_is_no_text(self):
        self.need_several_programs()
        same = [*SMALL, "--label", b"\xff"]
        self.good(*same, ":", "-np", "1", PROGRAM, *same, ranks=1)


if __name__ == "__main__":
    unittest.main()
