# Refusals that all programs share, for the cli_refusals_test.py of each: one line that names what is wrong, the
# documented code, and nothing written.
import json
import os
import unittest.mock

USAGE, MACHINE, OTHER = 2, 3, 1


class GenericRefusals:
    """Mixed into a CommandLine that has `small`, the arguments of a short run, and `long`, those of a run that
    would take hours."""

    small = []
    long = []

    def test_an_unknown_option(self):
        self.refused(USAGE, ["--outputs", "did you mean --output"], *self.small, "--outputs", "r.h5")
        self.refused(USAGE, "unknown option --wrong", *self.small, "--wrong")

    def test_an_output_without_a_place_to_go(self):
        self.refused(OTHER, "there is no folder", *self.small, "--output", self.path("none/r.h5"))
        self.refused(OTHER, "there is no folder", *self.small, "--output", self.path("none/folder/"))
        for neither in ("results", "-", "b.txt"):
            self.refused(USAGE, [f"--output {neither}: valid are FILE.h5"], *self.small, "--output", neither)

    def test_an_output_that_exists(self):
        path = self.write("r.h5", "precious")
        self.refused(OTHER, ["r.h5", "--force"], *self.small, "--output", path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_an_output_is_refused_before_the_run(self):
        self.refused(OTHER, "there is no folder", *self.long, "--output", self.path("none/r.h5"))

    def test_force_without_a_file(self):
        self.refused(USAGE, "--force: needs --output", *self.small, "--force")

    def test_an_input_file_that_cannot_be_read(self):
        self.refused(USAGE, "none.toml", *self.small, "--input", self.path("none.toml"))
        self.refused(USAGE, "is a directory", *self.small, "--input", self.folder)

    def test_an_output_onto_the_input_file(self):
        path = self.write("case.toml", "quiet = true\n")
        self.refused(USAGE, ["case.toml", "this run reads it"], *self.small, "--input", path, "--output", path,
                     "--force")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "quiet = true\n")

    def test_a_gpu_that_is_not_there(self):
        self.refused(MACHINE, "--gpu 1023", *self.small, "--gpu", "1023")

    def test_a_variable_whose_value_kokkos_would_abort_at(self):
        for variable, value in [("KOKKOS_NUM_THREADS", "abc"), ("KOKKOS_NUM_THREADS", "0"), ("KOKKOS_DEVICE_ID", "-1"),
                                ("KOKKOS_DISABLE_WARNINGS", "ON"), ("KOKKOS_PRINT_CONFIGURATION", "2"),
                                ("KOKKOS_TUNE_INTERNALS", ""), ("KOKKOS_MAP_DEVICE_ID_BY", "node")]:  # fmt: skip
            with unittest.mock.patch.dict(os.environ, {variable: value}):
                self.refused(USAGE, f"{variable}='{value}'", *self.small)

    def test_no_rank_that_a_launcher_started_with_others_and_mpi_alone_but_one_warns(self):
        for size, rank, launcher in (("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"),
                                     ("PMI_SIZE", "PMI_RANK", "a launcher with PMI")):  # fmt: skip
            told = []
            for number in "01":
                with unittest.mock.patch.dict(os.environ, {size: "2", rank: number}):
                    done = self.run_program(*self.small, "--quiet", "--format", "json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["provenance"]["lone_rank_of"], 2)
                told.append(done.stderr)
            self.assertRegex(told[0], f"^\\w+: {launcher} started 2 ranks .* knows of each alone: .*\n$")
            self.assertEqual(told[1], "")
        with unittest.mock.patch.dict(os.environ, {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "2", "SLURM_PROCID": "0"}):
            alone = json.loads(self.good(*self.small, "--format", "json"))  # in a batch script, without srun
        self.assertIsNone(alone["provenance"]["lone_rank_of"])

    def test_no_help_and_no_version_where_mpi_cannot_start(self):
        for text in ("--help", "--version"):
            done = self.run_program(text, OMPI_MCA_pml="nosuch")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.good(text, ranks=2), done.stdout)

    def test_a_line_of_four_ranks_appears_once(self):
        self.refused(USAGE, "unknown option --wrong", *self.small, "--wrong", ranks=4)
        path = self.write("case.toml", "wrong = 1\n")
        self.refused(USAGE, "case.toml:1", *self.small, "--input", path, ranks=4)
