# Pins what himeno refuses: one line that names it, the documented code, and nothing written.
import os
import subprocess
import unittest

from cli_support import FOR_GPU, MPIRUN, PROGRAM, CommandLine, environment
from generic_refusals import MACHINE, OTHER, USAGE, GenericRefusals
from himeno_cases import SMALL


class Generic(GenericRefusals, CommandLine):
    small = SMALL
    long = ["--size", "S", "--iterations", "1000000000"]


class WrongCommandLine(CommandLine):
    def test_an_argument_that_is_no_option(self):
        self.refused(USAGE, "unexpected argument 'S'", "S")

    def test_a_size_that_is_none(self):
        for size in ["XXL", "64", "2x64x64", "64x64x2147483648", "64x64", ""]:
            self.refused(USAGE, "--size", "--size", size)

    def test_numbers_out_of_range(self):
        for option, value in [("--iterations", "0"), ("--iterations", "ten"), ("--iterations", "1e3"),
                              ("--repeat", "0"), ("--seconds", "-1"), ("--seconds", "nan"), ("--gpu", "-1")]:
            self.refused(USAGE, option, option, value)

    def test_choices_that_are_none(self):
        for option, value in [("--exec", "gpu"), ("--first-touch", "none"), ("--advise", "often"),
                              ("--pages", "1G"), ("--layout", "aos"), ("--halo", "rdma"), ("--format", "xml"),
                              ("--coefficients", "random"), ("--coefficients", "random:-1"),
                              ("--sweep", "temporal:1"), ("--sweep", "temporal:257"), ("--sweep", "single:2"),
                              ("--layout", "auto")]:
            self.refused(USAGE, [option, f"'{value}'"], option, value)

    def test_packed_coefficients_of_single_sweeps(self):
        self.refused(USAGE, ["--layout packed", "temporal:T"], *SMALL, "--layout", "packed")

    def test_fewer_iterations_than_a_pass_makes(self):
        for ranks in (0, 2):
            self.refused(USAGE, ["temporal:4", "--iterations 3"], "--size", "64x64x64", "--iterations", "3", "--sweep",
                         "temporal:4", ranks=ranks)
        self.refused(USAGE, "8x8x8", "--size", "8x8x8", "--sweep", "temporal:4", ranks=2)

    def test_iterations_and_seconds_together(self):
        self.refused(USAGE, "exclude each other", "--iterations", "5", "--seconds", "1")

    def test_a_pass_of_the_gpu_without_pages_that_the_host_touched(self):
        self.refused(USAGE, ["--pre-touch", "'host'", "device"], "--pre-touch", "host")
        both = ["--first-touch host", "--exec device"]
        self.refused(USAGE, both, *SMALL, "--pre-touch", "device", "--memspace", "managed")
        self.refused(USAGE, both, *SMALL, "--pre-touch", "device", "--memspace", "managed", "--first-touch", "host",
                     "--exec", "host")
        for space in ["device", "host-pinned", "auto"]:
            self.refused(USAGE, ["--pre-touch", "--memspace managed or system"], *SMALL, "--pre-touch", "device",
                         "--first-touch", "host", "--memspace", space)

    def test_a_field_without_a_file(self):
        self.refused(USAGE, "--save-field needs --output", *SMALL, "--save-field")

    def test_a_field_of_runs_that_differ(self):
        self.refused(USAGE, ["--save-field with --repeat", "--iterations"], "--size", "17x19x33", "--seconds", "1",
                     "--repeat", "2", "--save-field", "--output", self.path("r.h5"))

    def test_a_file_for_the_list_of_memory_spaces(self):
        self.refused(USAGE, ["--list-memspaces", "--output"], "--list-memspaces", "--output", self.path("r.h5"))

    def test_ranks_that_are_not_those_of_the_run(self):
        self.refused(USAGE, ["--ranks 2x2x1", "mpirun -n"], *SMALL, "--ranks", "2x2x1")
        self.refused(USAGE, "--ranks", *SMALL, "--ranks", "0x1x1")
        self.refused(USAGE, "--ranks", *SMALL, "--ranks", "2x2")


class BeyondThisMachine(CommandLine):
    def test_more_sweeps_than_their_residuals_have_room_for(self):
        done = self.refused(MACHINE, ["needs", "available"], *SMALL[:2], "--iterations", "1000000000", "--repeat", "10000")
        self.assertTrue(done.endswith("; use fewer --iterations"), done)

    @unittest.skipIf(FOR_GPU, "its device memory has a pool")
    def test_an_allocation_that_the_build_has_not(self):
        for kind in ("registered", "pool"):
            self.refused(MACHINE, [f"--allocation {kind}", "use --allocation default"], *SMALL, "--allocation", kind)

    def test_a_gpu_whose_memory_spaces_are_asked_for(self):
        self.refused(MACHINE, "--gpu 1023", "--list-memspaces", "--gpu", "1023")

    def test_a_grid_larger_than_the_memory_and_says_how_much_both_are(self):
        done = self.refused(MACHINE, ["needs", "TB", "available"], "--size", "20000x20000x20000")
        self.assertTrue(done.endswith("; use a smaller --size or more nodes"), done)
        self.refused(MACHINE, ["needs", "available"], "--size", "2147483647x2147483647x2147483647")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_a_device_or_what_only_a_device_has(self):
        self.refused(MACHINE, ["--exec device", "no GPU backend", "--preset cuda"], *SMALL, "--exec", "device")
        self.refused(MACHINE, "--first-touch device", *SMALL, "--first-touch", "device")
        self.refused(MACHINE, "--prefetch", *SMALL, "--prefetch")
        self.refused(MACHINE, "--advise preferred", *SMALL, "--advise", "preferred")
        self.refused(MACHINE, "--gpu 5", *SMALL, "--gpu", "5")

    def test_device_halos_of_sweeps_on_the_host(self):
        host = ["--exec", "host", "--memspace", "system"]
        for path in ["device", "nccl"]:
            self.refused(MACHINE, [f"--halo {path}", "on the host", "--halo staged"], *SMALL, *host, "--halo", path)

    def test_more_fused_sweeps_than_are_built(self):
        host = ["--exec", "host", "--memspace", "system"]
        self.refused(MACHINE, ["--sweep temporal:15", "temporal:8:strips"], *SMALL, *host, "--sweep", "temporal:15")


class OnFourRanks(CommandLine):
    """The line appears once, and mpirun returns the code."""

    def test_ranks_that_do_not_multiply_to_the_run(self):
        self.refused(USAGE, "--ranks 3x1x1", *SMALL, "--ranks", "3x1x1", ranks=4)

    def test_blocks_too_small_for_the_halo(self):
        self.refused(USAGE, "too small", "--size", "5x5x5", "--ranks", "4x1x1", ranks=4)

    def test_an_unwritable_output(self):
        self.refused(OTHER, "there is no folder", *SMALL, "--output", self.path("none/r.h5"), ranks=4)

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

    def test_a_grid_larger_than_the_memory(self):
        self.refused(MACHINE, ["needs", "available"], "--size", "20000x20000x20000", ranks=4)


if __name__ == "__main__":
    unittest.main()
