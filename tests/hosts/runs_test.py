# Pins what a run over several hosts does: imitated ones, between which MPI's messages go over TCP.
import json
import os
import subprocess
import unittest

import imitated_hosts

try:
    import h5py
except ImportError:
    h5py = None

BIN = os.environ["MEMSTENCIL_BIN"]
MPIRUN = os.environ.get("MPIRUN", "mpirun")
SHORT = ["--iterations", "6", "--quiet", "--format", "json"]
SMALL = ["--size", "S", *SHORT]


def program(name):
    return os.path.join(BIN, name)


class SeveralHosts(unittest.TestCase):
    def setUp(self):
        self.folder = "/"

    def hosts(self, count):
        """They share a folder, in which all commands run."""
        hosts = imitated_hosts.Hosts(count)
        self.addCleanup(hosts.close)
        self.folder = os.path.join(hosts.folder.name, "shared")
        os.mkdir(self.folder)
        return hosts

    def mpirun(self, hosts, ranks, *command):
        return [*hosts.mpirun(ranks, MPIRUN), *command]

    def start(self, command):
        """What still runs when the test has ended is killed."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=pipe,
                                   stderr=pipe, text=True)  # fmt: skip
        self.addCleanup(process.__exit__, None, None, None)  # waits
        self.addCleanup(process.kill)
        return process

    def run_command(self, command):
        process = self.start(command)
        out, errors = process.communicate(timeout=100)
        return process.returncode, out, errors

    def good(self, command):
        code, out, errors = self.run_command(command)
        self.assertEqual(code, 0, errors)
        return out


class Runs(SeveralHosts):
    def test_himeno_names_every_host(self):
        alone = json.loads(self.good([program("himeno"), *SMALL]))
        for count in (2, 4):
            with self.subTest(hosts=count):
                hosts = self.hosts(count)
                result = json.loads(self.good(self.mpirun(hosts, count, program("himeno"), *SMALL)))
                self.assertEqual(result["provenance"]["hosts"], hosts.names)
                ranks = result["provenance"]["ranks"]
                self.assertEqual([rank["host"] for rank in ranks], hosts.names)
                # As it is printed. The ranks' sums are added in another order than one rank's.
                self.assertEqual(f"{result['gosa']:.6e}", f"{alone['gosa']:.6e}")
                self.assertLess(abs(result["gosa"] / alone["gosa"] - 1), 1e-12)
                self.assertIs(result["verified"], True)
                hosts.close()

    def test_transpose_names_every_host(self):
        for count in (2, 4):
            with self.subTest(hosts=count):
                hosts = self.hosts(count)
                command = [program("transpose"), "--rows", "300", "--cols", "500", *SHORT]
                result = json.loads(self.good(self.mpirun(hosts, count, *command)))
                self.assertEqual(result["provenance"]["hosts"], hosts.names)
                self.assertTrue(all(variant["verified"] is True for variant in result["variants"]))
                hosts.close()

    def test_hosts_count_once(self):
        hosts = self.hosts(2)
        result = json.loads(self.good(self.mpirun(hosts, 4, program("himeno"), *SMALL)))
        self.assertEqual(result["provenance"]["hosts"], hosts.names)
        self.assertEqual([rank["host"] for rank in result["provenance"]["ranks"]], hosts.names * 2)

    def test_ranks_of_a_host_share_its_gpus(self):
        hosts = self.hosts(2)
        told = self.good(self.mpirun(hosts, 6, os.environ["GPUS_OF_RANKS"], "2"))
        gpus = {name: [line.split()[2] for line in told.splitlines() if line.startswith(name + " ")]
                for name in hosts.names}  # fmt: skip
        self.assertEqual(gpus, {"node1": ["0", "1", "0"], "node2": ["0", "1", "0"]})


class FolderOfOneHost(SeveralHosts):
    """A file system that the other hosts do not have."""

    def hosts(self, count):
        hosts = super().hosts(count)
        hosts.on("node1", "mount", "-t", "tmpfs", "none", self.folder)
        return hosts

    def output(self, hosts, *more):
        """A run's result, which rank 0's host alone sees."""
        path = os.path.join(self.folder, "r.h5")
        command = self.mpirun(hosts, 2, program("himeno"), *SMALL, "--output", path, *more)
        self.good([*command[:2], "cd", "/", ";", *command[2:]])
        self.assertEqual(os.listdir(self.folder), [])
        return os.path.join(f"/proc/{hosts.holders['node1'].pid}/root", path[1:])

    def test_result(self):
        self.assertGreater(os.stat(self.output(self.hosts(2))).st_size, 0)

    @unittest.skipUnless(h5py, "this Python has no h5py (Debian: python3-h5py)")
    def test_field(self):
        for more in ([], ["--sweep", "temporal:3", "--ranks", "1x2x1"],
                     ["--sweep", "temporal:3", "--ranks", "2x1x1"]):  # fmt: skip
            with self.subTest(more=more):
                hosts = self.hosts(2)
                found = self.output(hosts, "--save-field", *more)
                alone = os.path.join(hosts.folder.name, "alone.h5")
                self.good([program("himeno"), *SMALL, "--save-field", "--output", alone])
                fields = [path.removesuffix(".h5") + ".field" for path in (found, alone)]
                with h5py.File(fields[0]) as one, h5py.File(fields[1]) as other:
                    self.assertTrue((one["pressure"][:] == other["pressure"][:]).all())
                hosts.close()


if __name__ == "__main__":
    imitated_hosts.enter()
    unittest.main()
