# Pins what a run over several hosts does: imitated ones, between which MPI's messages go over TCP.
import contextlib
import json
import os
import pathlib
import subprocess
import unittest

import imitated_hosts

try:
    import h5py
except ImportError:
    h5py = None

BIN = pathlib.Path(os.environ["MEMSTENCIL_BIN"])
MPIRUN = os.environ.get("MPIRUN", "mpirun")
SHORT = ["--iterations", "6", "--quiet", "--format", "json"]
HIMENO = [BIN / "himeno", "--size", "S", *SHORT]
TRANSPOSE = [BIN / "transpose", "--rows", "300", "--cols", "500", *SHORT]


class SeveralHosts(unittest.TestCase):
    @contextlib.contextmanager
    def hosts(self, count):
        """They share a folder, in which all commands run."""
        hosts = imitated_hosts.Hosts(count)
        self.folder = os.path.join(hosts.folder.name, "shared")
        os.mkdir(self.folder)
        try:
            yield hosts
        finally:
            hosts.close()

    def good(self, command):
        done = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=100, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def provenance(self, hosts, ranks, command):
        """Of a good result, and the result."""
        result = json.loads(self.good([*hosts.mpirun(ranks, MPIRUN), *command]))
        self.assertTrue(all(each["verified"] is True for each in result.get("variants", [result])))
        return result["provenance"], result


class Runs(SeveralHosts):
    def test_a_result_names_every_host(self):
        self.folder = "/"
        alone = json.loads(self.good(HIMENO))
        for count in (2, 4):
            with self.subTest(hosts=count), self.hosts(count) as hosts:
                provenance, result = self.provenance(hosts, count, HIMENO)
                self.assertEqual(provenance["hosts"], hosts.names)
                self.assertEqual([rank["host"] for rank in provenance["ranks"]], hosts.names)
                # As it is printed. The ranks' sums are added in another order than one rank's.
                self.assertEqual(f"{result['gosa']:.6e}", f"{alone['gosa']:.6e}")
                self.assertLess(abs(result["gosa"] / alone["gosa"] - 1), 1e-12)
                self.assertEqual(self.provenance(hosts, count, TRANSPOSE)[0]["hosts"], hosts.names)

    def test_hosts_count_once_and_each_counts_its_ranks(self):
        with self.hosts(2) as hosts:
            provenance, _ = self.provenance(hosts, 4, HIMENO)
            self.assertEqual(provenance["hosts"], hosts.names)
            self.assertEqual([rank["host"] for rank in provenance["ranks"]], hosts.names * 2)
            said = self.good([*hosts.mpirun(6, MPIRUN), os.environ["RANKS_TESTS"], "--gtest_filter=NodeRank.*"])
            self.assertEqual(said.count("[  PASSED  ] 1 test."), 6, said)


class FolderOfOneHost(SeveralHosts):
    """A file system that the other hosts do not have."""

    def output(self, hosts, *more):
        """A run's result, which rank 0's host alone sees."""
        hosts.on("node1", "mount", "-t", "tmpfs", "none", self.folder)
        path = os.path.join(self.folder, "r.h5")
        command = [*hosts.mpirun(2, MPIRUN), *HIMENO, "--output", path, *more]
        self.good([*command[:2], "cd", "/", ";", *command[2:]])
        self.assertEqual(os.listdir(self.folder), [])
        there = os.path.join(f"/proc/{hosts.holders['node1'].pid}/root", path[1:])
        self.assertGreater(os.stat(there).st_size, 0)
        return there

    @unittest.skipUnless(h5py, "this Python has no h5py (Debian: python3-h5py)")
    def test_has_result_and_field(self):
        fused = ["--sweep", "temporal:3", "--ranks"]
        for more in ([], [*fused, "1x2x1"], [*fused, "2x1x1"]):
            with self.subTest(more=more), self.hosts(2) as hosts:
                found = self.output(hosts, "--save-field", *more)
                alone = os.path.join(hosts.folder.name, "alone.h5")
                self.good([*HIMENO, "--save-field", "--output", alone])
                fields = [path.removesuffix(".h5") + ".field" for path in (found, alone)]
                with h5py.File(fields[0]) as one, h5py.File(fields[1]) as other:
                    self.assertTrue((one["pressure"][:] == other["pressure"][:]).all())


if __name__ == "__main__":
    imitated_hosts.enter()
    unittest.main()
