# Pins what membench alone refuses: one line that names it, the documented code, and nothing written.
import errno
import platform
import unittest

from cli_support import FOR_GPU, CommandLine
from programs import CASE, MACHINE, USAGE


class WrongCommandLine(CommandLine):
    def test_is_refused(self):
        self.each_refused(
            USAGE, ["no probe", ["a probe is missing", "link", "all", "list"]],
            ["none of that name", ["'lnk'", "did you mean link"], "lnk"],
            ["nor one that is all", ["'everything'", "link", "pages", "all"], "everything"],
            ["two probes", "unexpected argument 'pages' (one probe is taken)", "link", "pages"],
            ["a list in a file", ["list", "--output"], "list", "--output", self.path("r.h5")],
            ["a list of the paper", "list measures nothing", "list", "--paper"],
            ["a list on a node", "list measures nothing", "list", "--numa", "0"],
            ["a list of an axis", "list measures nothing", "list", "--axis", "bytes=4096"],
            ["both names", ["--repeat and --repeats", "exclude each other"], "link", "--repeat", "2", "--repeats", "3"],
            ["no sample", ["--repeat", "'0'"], "link", "--repeat", "0"],
            ["no experiment", ["--experiments", "'0'"], "link", "--experiments", "0"],
            ["pages that stay", ["--memspace", "'device'", "managed"], "patterns", "--memspace", "device"],
            ["no memory of link", ["--memspace", "pinned, pageable"], "link", "--memspace", "managed"],
            ["no file", ["--content /nowhere", "cannot be read"], "copy", "--content", "/nowhere"],
            ["no array of it", ["--content", "no axis content"], "link", "--content", __file__])  # fmt: skip


class BeyondThisMachine(CommandLine):
    def test_a_node_that_is_not_there(self):
        self.refused(MACHINE, ["--numa 1000", "nodes"], *CASE.small, "--numa", "1000")

    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "the number of the system call is known for these")
    def test_a_system_that_refuses_to_bind_memory(self):
        set_mempolicy = 238 if platform.machine() == "x86_64" else 237
        done = self.run_without(set_mempolicy, errno.EPERM, *CASE.small, "--numa", "0")
        self.assertEqual((done.returncode, done.stdout), (MACHINE, ""))
        self.assertRegex(done.stderr, r"^membench: --numa 0: the system refuses .*Operation not permitted.*--cap-add.*\n$")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_a_probe_that_is_native_cuda(self):
        self.refused(MACHINE, ["overlap", "native CUDA", "--preset cuda"], "overlap")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_axes_that_need_a_gpu_say_so(self):
        for probe, axis in [("link", "memory=pinned"), ("latency", "footprint=4095"), ("pages", "memory=device")]:
            self.refused(MACHINE, [probe, "no point of these axes", "membench list", "no GPU backend"], probe, "--axis", axis)


class OnRanks(CommandLine):
    def test_are_none_of_its_business(self):
        self.refused(USAGE, ["pages measures one process", "without mpirun", "exchange"], *CASE.small, ranks=2)
        self.refused(USAGE, "without mpirun", "all", ranks=2)

    def test_are_what_messages_need(self):
        self.refused(MACHINE, ["exchange: ", "mpirun -np 2"], "exchange")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_have_no_path_between_gpus_on_a_host(self):
        done = self.run_program("exchange", "--axis", "path=peer,nccl", ranks=2)
        said = (done.returncode, done.stderr.count("no point"), "MPI_ABORT" in done.stderr)
        self.assertEqual(said, (MACHINE, 1, False), done.stderr)


if __name__ == "__main__":
    unittest.main()
