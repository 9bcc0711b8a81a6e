# Pins what good runs of himeno give: text and JSON on stdout, files that h5py reads, one run a call.
import json
import os
import platform
import shutil
import subprocess
import unittest

from cli_support import FOR_GPU, CommandLine
from programs import SIZE, SMALL

try:
    import h5py
except ImportError:  # the first Python on PATH may not have it
    h5py = None


class Output(CommandLine):
    def test_json_stands_alone_where_kokkos_tells_its_configuration(self):
        done = self.run_program(*SMALL, "--quiet", "--format", "json", KOKKOS_PRINT_CONFIGURATION="1")
        self.assertIs(json.loads(done.stdout)["verified"], True)
        self.assertIn("Kokkos Version", done.stderr)

    def test_machine_names_the_cpus_given_however_threads_are_bound(self):
        done = self.run_program(*SMALL, "--format", "json", OMP_PROC_BIND="true", OMP_PLACES="threads")
        self.assertEqual(done.returncode, 0, done.stderr)
        cpus = set()
        for part in json.loads(done.stdout)["machine"]["cpu"]["allowed"].split(","):
            first, _, last = part.partition("-")
            cpus |= set(range(int(first), int(last or first) + 1))
        self.assertEqual(cpus, os.sched_getaffinity(0))

    def test_more_threads_than_cpus_of_two_ranks_are_warned_of_in_one_line(self):
        done = self.on_one_cpu(*SMALL, "--format", "json", ranks=2)
        self.assertRegex(done.stderr, r"(?m)^himeno: 4 threads of 2 ranks share \d+ CPUs? of \S+: ")
        self.assertEqual(done.stderr.count("threads of 2 ranks share"), 1, done.stderr)

    def test_threads_that_are_bound_to_too_few_cpus_are_warned_of_alike(self):
        if os.environ.get("ONE_HOST_THREAD"):
            self.skipTest("built for one host thread")
        cpu = min(os.sched_getaffinity(0))
        done = self.run_program(*SMALL, "--quiet", OMP_PLACES=f"{{{cpu}}}", OMP_NUM_THREADS="2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^himeno: 2 threads of 1 rank share 1 CPU of \S+: .*OMP_PLACES\n$")

    def test_every_memory_space_served_gives_the_same_gosa(self):
        spaces = self.record("--list-memspaces")["memspaces"]
        for executor in ["host", "device"]:
            gosa = {self.record(*SMALL, "--memspace", s["memspace"], "--exec", executor, "--allocation", s["kind"])["gosa"]
                    for s in spaces if s["exec"] == executor and s["served"]}
            self.assertLessEqual(len(gosa), 1)

    def test_a_trial_names_kinds_that_a_run_takes(self):
        case = [*SIZE, "--iterations", "16"]
        tried = self.record(*case, "--sweep", "auto")
        self.assertIn(tried["sweep"], {row["sweep"] for row in tried["trial"]})
        for row in [tried["trial"][0], tried["trial"][-1]]:
            kind = f"{row['sweep']}:{row['tile']}"
            run = self.record(*case, "--sweep", kind)
            self.assertEqual((run["sweep"], run["options"]["sweep"]), (row["sweep"], kind))

    @unittest.skipUnless(FOR_GPU, "packed coefficients are for fused sweeps in device memory")
    def test_packed_coefficients_give_the_same_gosa_to_the_bit_and_are_named(self):
        case = ["--size", "17x19x33", "--iterations", "7", "--coefficients", "random:1"]
        fused = ["--sweep", "temporal:3"]
        for more, ranks in [(fused, 0), ([*fused, "--ranks", "2x1x1"], 2)]:
            arrays, packed = (self.record(*case, *more, "--layout", each, ranks=ranks) for each in ["arrays", "packed"])
            self.assertEqual(packed["gosa"], arrays["gosa"], more)
            self.assertEqual((arrays["layout"], packed["layout"]), ("arrays", "packed"))
        self.assertRegex(self.good(*SMALL, "--verbose"), r"(?m)^layout +: arrays")
        self.assertRegex(self.good(*SMALL, *fused, "--layout", "packed"), r"(?m)^layout +: packed")


@unittest.skipIf(h5py is None, "no h5py in this Python (Debian: python3-h5py)")
class ResultsFile(CommandLine):
    def field(self, name):
        with h5py.File(self.path(name + ".field"), "r") as file:
            return file["pressure"][()].tobytes()

    def test_holds_the_run_and_names_the_field_beside_it(self):
        self.good(*SMALL, "--output", self.path("r.h5"), "--save-field", "--label", "Größe")
        with h5py.File(self.path("r.h5"), "r") as run:
            self.assertEqual(run.attrs["field"], b"r.field")
            self.assertEqual(run.attrs["label"].decode(), "Größe")
            self.assertEqual(len(run["sweeps/seconds"]), 4)
            self.assertIn("machine", run)
            self.assertIn("phases", run)
            self.assertIn(b"himeno", run["provenance"].attrs["command_line"])
            self.assertIn("host", run["provenance/ranks/0001"].attrs)
        with h5py.File(self.path("r.field"), "r") as file:
            field = file["pressure"]
            self.assertEqual(field.shape, (17, 19, 33))
            self.assertEqual(field.dtype, "float32")
            self.assertEqual(list(field[:, 0, 0]), [field.dtype.type(i * i) / field.dtype.type(256)
                                                    for i in range(17)])
        self.assertEqual(self.content(), ["r.field", "r.h5"])

    def test_has_the_types_that_readers_know(self):
        self.good(*SMALL, "--output", self.path("r.h5"))
        with h5py.File(self.path("r.h5"), "r") as run:
            self.assertEqual(run.userblock_size, 512)
            types = {"iterations": (4, "int64"), "gosa": (run.attrs["gosa"], "float64"), "verified": (1, "uint8")}
            self.assertEqual({name: (run.attrs[name], run.attrs[name].dtype) for name in types}, types)
            self.assertEqual((run["extents"][:].tolist(), run["extents"].dtype), ([17, 19, 33], "int64"))
            taken = run["provenance"]
            null = taken.attrs["lone_rank_of"]
            self.assertEqual((null.tolist(), null.dtype), ([], "uint8"))
            self.assertEqual([host.decode() for host in taken["hosts"][:]], [platform.node()])
            # netCDF4 and xarray lose the group of an attribute of rank 2.
            groups = [run]
            run.visititems(lambda _, each: groups.append(each))
            self.assertEqual({each.attrs[name].ndim for each in groups for name in each.attrs} - {0, 1}, set())
        if shutil.which("h5dump"):
            dumped = subprocess.run(["h5dump", "-H", self.path("r.h5")], capture_output=True, text=True, check=True)
            self.assertEqual(dumped.stderr, "")

    def test_has_the_same_field_for_every_division_layout_and_number_of_repeats(self):
        case = [*SMALL, "--coefficients", "random:1", "--save-field"]
        self.good(*case, "--output", self.path("1.h5"))
        packed = [("packed", ["--layout", "packed"])] if FOR_GPU else []
        for name, more in [("3", ["--repeat", "3"]), *packed]:
            self.good(*case, "--output", self.path(name + ".h5"), "--ranks", "2x1x2", "--sweep", "temporal:2", *more,
                      ranks=4)
            self.assertEqual(self.field("1"), self.field(name), name)
            with h5py.File(self.path(name + ".h5"), "r") as run:
                self.assertEqual(run["ranks"][:].tolist(), [2, 1, 2])

    def test_of_more_than_a_million_sweeps_keeps_a_part_and_all_statistics(self):
        path = self.path("r.h5")
        done = self.run_program("--size", "3x3x3", "--iterations", "1100000", "--exec", "host",
                                "--memspace", "host-pinned", "--quiet", "--output", path, OMP_NUM_THREADS="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(path, "r") as run:
            self.assertEqual(run["sweep_seconds"].attrs["count"], 1100000)
            self.assertEqual(len(run["sweeps/seconds"]), 550000)


if __name__ == "__main__":
    unittest.main()
