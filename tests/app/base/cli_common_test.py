# Pins what the command lines of all programs have in common. All of it is the code of app/base and app/bench, and tested with
# himeno alone; each program has a run with all common options, the refusals that depend on its problem, and its record's keys.
import ctypes
import functools
import json
import os
import pathlib
import platform
import subprocess
import unittest
import unittest.mock

from cli_support import FOR_GPU, NAME, PROGRAM, CommandLine, environment
from programs import APPLICATION, CASE, MACHINE, OTHER, USAGE

ON_HOST = ["--exec", "host", "--memspace", "system"]
of_base = unittest.skipUnless(NAME == "himeno", "the code of app/base is tested with himeno")


class Common(CommandLine):
    def refused(self, code, mentions, *arguments, run=None, ranks=0):
        """With these arguments behind those of a run."""
        return super().refused(code, mentions, *(CASE.small if run is None else run), *arguments, ranks=ranks)

    def run_of(self, *arguments, ranks=0):
        return self.record(*CASE.small, *arguments, ranks=ranks)


@of_base
class RefusedOfAll(Common):
    def test_an_output_without_a_place_to_go(self):
        hours = ["--size", "S", "--iterations", "10000000"]
        for ranks, output in ((0, "none/folder/"), (4, "none/r.h5")):  # before the run
            self.refused(OTHER, "there is no folder", "--output", self.path(output), run=hours, ranks=ranks)
        for neither in ("results", "-", "b.txt"):
            self.refused(USAGE, [f"--output {neither}: valid are FILE.h5"], "--output", neither)

    def test_a_standard_output_that_is_closed(self):
        done = self.run_program(*CASE.small, preexec_fn=lambda: os.closerange(0, 2))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (OTHER, 1), done.stderr)

    def test_a_variable_whose_value_kokkos_would_abort_at(self):
        for variable, value in [("KOKKOS_NUM_THREADS", "abc"), ("KOKKOS_NUM_THREADS", "0"), ("KOKKOS_DEVICE_ID", "-1"),
                                ("KOKKOS_DISABLE_WARNINGS", "ON"), ("KOKKOS_PRINT_CONFIGURATION", "2"),
                                ("KOKKOS_TUNE_INTERNALS", ""), ("KOKKOS_MAP_DEVICE_ID_BY", "node")]:  # fmt: skip
            with unittest.mock.patch.dict(os.environ, {variable: value}):
                self.refused(USAGE, f"{variable}='{value}'")

    @unittest.skipUnless("BY_OPENMP" in os.environ, "the array that ends is that of OpenMP")
    def test_more_threads_than_kokkos_has_room_for(self):
        for variable in ("KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"):
            with unittest.mock.patch.dict(os.environ, {variable: "513"}):
                self.refused(USAGE, ["513 threads", "512", variable])


class Refused(Common):
    def test_a_gpu_that_is_not_there(self):
        self.refused(MACHINE, "--gpu 1023", "--gpu", "1023")
        if APPLICATION:
            self.refused(MACHINE, "--gpu 1023", "--gpu", "1023", "--list-memspaces")

    def test_what_is_larger_than_the_memory(self):
        self.refused(MACHINE, ["need", "TB", "available"], run=CASE.too_large)
        if APPLICATION:
            self.refused(MACHINE, ["needs", "for 4 ranks", "available"], run=CASE.too_large, ranks=4)

    @unittest.skipUnless(APPLICATION, "it has no such options")
    def test_more_iterations_than_a_record_holds(self):
        self.refused(USAGE, "from 1 to 10000000", "--iterations", "10000001", run=[])
        self.refused(USAGE, ["--iterations 1001", "--repeat 10000", "10010000", "at most 10000000"],
                     "--iterations", "1001", "--repeat", "10000", run=[], ranks=2)  # fmt: skip

    @unittest.skipUnless(APPLICATION, "it has no such options")
    def test_messages_of_a_gpu_where_the_host_computes(self):
        for path in ["device", "nccl"]:
            self.refused(MACHINE, [f"{CASE.option} {path}", "on the host", f"{CASE.option} staged"], *ON_HOST,
                         CASE.option, path, ranks=2)

    @unittest.skipUnless(APPLICATION and not FOR_GPU, "in a host-only build")
    def test_a_device_or_what_only_a_device_has(self):
        self.refused(MACHINE, ["--exec device", "no GPU backend", "--preset cuda"], "--exec", "device")
        for option in (["--first-touch", "device"], ["--prefetch"], ["--advise", "preferred"], ["--gpu", "5"]):
            self.refused(MACHINE, " ".join(option), *option)


@of_base
class SaysOfAll(Common):
    def test_help_and_version_also_where_mpi_cannot_start(self):
        for text in ("--help", "--version"):
            done = self.run_program(text, OMPI_MCA_pml="nosuch")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.good(text, ranks=2), done.stdout)
        self.assertRegex(done.stdout, rf"^{NAME} \d+\.\d+\.\d+")
        self.assertEqual(done.stdout.count(NAME + " "), 1)

    def test_no_rank_that_a_launcher_started_with_others_and_mpi_alone_but_one_warns(self):
        for size, rank, launcher in (("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"),
                                     ("PMI_SIZE", "PMI_RANK", "a launcher with PMI")):  # fmt: skip
            warnings = []
            for number in "01":
                with unittest.mock.patch.dict(os.environ, {size: "2", rank: number}):
                    done = self.run_program(*CASE.small, "--quiet", "--format", "json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["provenance"]["lone_rank_of"], 2)
                warnings.append(done.stderr)
            self.assertRegex(warnings[0], f"^\\w+: {launcher} started 2 ranks .* knows of each alone: .*\n$")
            self.assertEqual(warnings[1], "")
        with unittest.mock.patch.dict(os.environ, {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "2", "SLURM_PROCID": "0"}):
            self.assertIsNone(self.run_of()["provenance"]["lone_rank_of"])  # in a batch script, without srun

    def test_more_threads_than_cpus_in_one_line(self):
        self.assertRegex(self.on_one_cpu(*CASE.small).stderr,
                         rf"^{NAME}: 2 threads of 1 rank share 1 CPU of \S+: .*--map-by node:PE=2\), .*\n$")


class Says(Common):
    @unittest.skipUnless(APPLICATION, "it has no arrays in one memory space")
    def test_which_memory_spaces_are_served_and_why_not_others(self):
        lines = self.good("--list-memspaces").splitlines()
        self.assertEqual(len(lines), 14 if FOR_GPU else 8)
        for line in lines:
            self.assertRegex(line, r"--exec (host|device) +--memspace [a-z-]+( --allocation \w+)? +: (yes|no), .+")
        spaces = self.record("--list-memspaces")["memspaces"]
        for space in spaces:
            self.assertEqual("reason" in space, not space["served"])
        if not FOR_GPU:
            self.assertEqual([s["served"] for s in spaces], [s["exec"] == "host" for s in spaces])
        self.refused(USAGE, ["--list-memspaces", "--output"], "--list-memspaces", "--output", self.path("r.h5"), run=[])

    def test_a_run_with_all_common_options(self):
        for text in ("--help", "--version"):
            self.assertIn(NAME, self.good(text))
        path = self.write("r.h5", "of another run")
        case = self.write("case.toml", f"label = 'of the file'\nforce = true\noutput = {json.dumps(path)}\n")
        done = self.run_program(*CASE.small, "--input", case, "--label", "typed", "--format", "json", "--quiet",
                                OMP_NUM_THREADS="1")  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["label"], "typed")
        with open(path, "rb") as file:
            self.assertTrue(file.read().startswith(b"memstencil-results 3 "))


class Record(Common):
    def test_has_the_documented_keys(self):
        record = self.run_of()
        for key in [*CASE.keys.split(), "schema", "schema_version", "program", "options", "machine", "verified"]:
            self.assertIn(key, record)
        self.assertEqual((record["schema"], record["schema_version"], record["program"], record["verified"]),
                         ("memstencil-results", 3, NAME, True))
        self.assertIn("cpu", record["machine"])
        if APPLICATION:
            self.assertEqual(list(record["phases"]), CASE.phases.split())
            self.assertLessEqual({"requested", "effective"}, set(record["memspace"]))
            self.assertLessEqual({"kind", "gbs"}, set(record["limit"]))

    def test_has_the_case_and_its_figures(self):
        record = self.run_of()

        def at(path):
            return functools.reduce(lambda of, key: of[int(key) if key.isdigit() else key], path.split("."), record)
        self.assertEqual({path: at(path) for path in CASE.values}, CASE.values)
        for path in CASE.figures:
            self.assertGreater(at(path), 0, path)

    def test_names_every_rank_and_when_and_how_it_was_taken(self):
        for ranks in {"himeno": [0, 4], "membench": [0]}.get(NAME, [2]):
            taken = self.run_of(ranks=ranks)["provenance"]
            self.assertRegex(taken["started"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertEqual(taken["command_line"], " ".join([PROGRAM, *CASE.small, "--format", "json"]))
            self.assertGreater(taken["seconds"], 0)
            self.assertEqual(len(taken["ranks"]), max(ranks, 1))
            self.assertEqual(taken["hosts"], [taken["ranks"][0]["host"]])
            self.assertEqual(taken["ranks_share_hosts"], ranks > 1)
            for rank in taken["ranks"]:
                self.assertEqual(list(rank["seconds"]), list(CASE.several if ranks > 1 else CASE.alone))
            kept = ("OMP_", "GOMP_", "KMP_", "KOKKOS_", "CUDA_", "NCCL_", "UCX_", "FI_", "OMPI_MCA_", "PRTE_MCA_",
                    "PMIX_MCA_", "MPICH_", "MPIR_CVAR_", "I_MPI_", "MEMSTENCIL_")  # fmt: skip
            self.assertEqual([name for name in taken["environment"] if not name.startswith(kept)], [])


@of_base
class RecordOfAll(Common):
    def test_has_the_settings_that_the_process_was_started_with(self):
        def interleaved_batch():
            os.nice(3)
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
            set_mempolicy, interleave, node_0 = {"x86_64": 238, "aarch64": 237}[platform.machine()], 3, ctypes.c_ulong(1)
            if ctypes.CDLL(None).syscall(set_mempolicy, interleave, ctypes.byref(node_0), 64):
                raise OSError("no memory policy")

        before = self.run_of()["provenance"]
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        self.assertEqual((before["scheduling"]["nice"], before["memory_policy"]["mode"]), (nice, "default"))
        try:
            done = self.run_program(*CASE.small, "--format", "json", preexec_fn=interleaved_batch)
        except subprocess.SubprocessError as none:
            self.skipTest(f"no memory policy can be set here: {none}")
        after = json.loads(done.stdout)["provenance"]
        self.assertEqual(after["scheduling"], {"class": "batch", "nice": min(nice + 3, 19)})
        self.assertEqual(after["memory_policy"], before["memory_policy"] | {"mode": "interleave", "nodes": "0"})

    def test_and_the_version_have_the_flags_of_the_build(self):
        cache = (pathlib.Path(PROGRAM).parents[1] / "CMakeCache.txt").read_text(encoding="utf-8").splitlines()
        value = dict(line.split("=", 1) for line in cache if "=" in line)
        program = self.run_of()["machine"]["program"]
        flags = value["CMAKE_CXX_FLAGS:STRING"] + " " + value[f"CMAKE_CXX_FLAGS_{program['build_type'].upper()}:STRING"]
        self.assertEqual(program["cxx_flags"], flags.strip())
        self.assertEqual(program["cuda_flags"] is None, not FOR_GPU)
        version = self.good("--version")
        for text in (f"{program['build_type']} (C++: {flags.strip()}", f"({program['architecture']})"):
            self.assertIn(text, version)


if __name__ == "__main__":
    unittest.main()
