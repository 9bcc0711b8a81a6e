# Pins what membench alone refuses: one line that names it, the documented code, and nothing written.
import errno
import platform
import re
import unittest

from cli_support import FOR_GPU, CommandLine
from programs import CASE, MACHINE, USAGE


class WrongCommandLine(CommandLine):
    def test_no_probe_or_one_that_is_none(self):
        self.refused(USAGE, ["a probe is missing", "link", "all", "list"])
        self.refused(USAGE, ["list", "--output"], "list", "--output", self.path("r.h5"))
        self.refused(USAGE, ["'lnk'", "did you mean link"], "lnk")
        self.refused(USAGE, ["'everything'", "link", "pages", "all"], "everything")

    def test_a_list_of_what_is_measured(self):
        for option in [["--paper"], ["--repeat", "3"], ["--experiments", "3"], ["--numa", "0"], ["--size", "1MiB"],
                       ["--memspace", "managed"], ["--axis", "bytes=4096"]]:
            self.refused(USAGE, "list measures nothing", "list", *option)

    def test_two_probes(self):
        self.refused(USAGE, "pages", "link", "pages")

    def test_numbers_out_of_range(self):
        self.refused(USAGE, ["--repeat and --repeats", "exclude each other"], "link", "--repeat", "2", "--repeats", "3")
        for option in ["--repeat", "--repeats", "--experiments"]:
            for value in ["0", "-1", "ten", "1.5"]:
                self.refused(USAGE, [option, f"'{value}'"], "link", option, value)

    def test_a_size_that_is_none(self):
        for size in ["0", "4 GB", "4iB", "4GBi", "4Gx", "GB", "-4096", "1.5GB", "99999999999999999999", "9999999TiB"]:
            self.refused(USAGE, ["--size", f"'{size}'", "GiB"], "link", "--size", size)
        for size in ["0", "64", "1PB", "2000TiB"]:  # one range, whatever is wrong
            self.refused(USAGE, f"--size: '{size}': valid are bytes from 4096 to {1 << 50}, also", "pages", "--size", size)

    def test_a_memory_whose_pages_do_not_move(self):
        for space in ["device", "host-pinned", "hbm", "auto"]:
            self.refused(USAGE, ["--memspace", f"'{space}'", "managed"], "patterns", "--memspace", space)
        self.refused(USAGE, ["--memspace", "pinned, pageable"], "link", "--memspace", "managed")

    def test_a_file_of_content_that_cannot_be_read_or_that_no_array_has(self):
        self.refused(USAGE, ["--content /nowhere", "cannot be read"], "copy", "--content", "/nowhere")
        self.refused(USAGE, ["--content", "no axis content"], "link", "--content", __file__)

    def test_an_axis_that_the_probe_has_not(self):
        for probe in ["shared", "warp", "atomics", "registers", "issue", "block"]:
            self.refused(USAGE, ["--size", probe, "no axis bytes; it has "], probe, "--size", "1MiB")
        self.refused(USAGE, ["--axis", "no axis colour", "direction"], "link", "--axis", "colour=red")
        self.refused(USAGE, ["no axis memroy", "(did you mean memory?)"], "link", "--axis", "memroy=pinned")
        self.refused(USAGE, ["no probe has such an axis", "(did you mean memory?)"], "all", "--axis", "memroy=pinned")
        self.refused(USAGE, ["--axis", "no probe has such an axis"], "all", "--axis", "colour=red")
        path = self.write("case.toml", 'size = "1MiB"\n')
        self.refused(USAGE, ["--size", "warp"], "warp", "--input", path)

    def test_an_axis_that_is_given_twice(self):
        self.refused(USAGE, ["--axis", "axis direction is given twice"], "link", "--axis", "direction=HtoD",
                     "--axis", "direction=DtoH")
        self.refused(USAGE, ["--size", "axis bytes is given twice"], "link", "--axis", "bytes=4096", "--size", "1MiB")

    def test_a_value_that_an_axis_has_not(self):
        self.refused(USAGE, ["--axis", "'up'", "HtoD"], "link", "--axis", "direction=up")
        self.refused(USAGE, ["'pinnd'", "(did you mean pinned?)"], "link", "--axis", "memory=pinnd")
        self.refused(USAGE, ["--axis", "'7'", "valid are 1, 2, 3, 4, 6, 8"], "issue", "--axis", "ilp=7")
        self.refused(USAGE, "--axis: '2.5' is not an integer from 1 to 64", "issue", "--axis", "warps=2.5")
        for text in ["direction", "=HtoD", "direction="]:
            self.refused(USAGE, ["--axis", "NAME=VALUE"], "link", "--axis", text)


class BeyondThisMachine(CommandLine):
    def test_a_size_larger_than_the_memory_says_how_much_there_is(self):
        for probe in ["link", "pages"]:
            self.refused(MACHINE, [probe, "needed", "available", "--size"], probe, "--size", "1000TiB")

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
        for probe in ["overlap", "copy", "l2", "shared", "warp", "atomics", "registers", "issue", "block",
                      "peers", "gpus"]:
            self.refused(MACHINE, [probe, "native CUDA", "--preset cuda"], probe)

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_axes_that_need_a_gpu_say_so(self):
        for probe, axis in [("link", "memory=pinned"), ("latency", "path=global"), ("pages", "memory=device")]:
            self.refused(MACHINE, [probe, "no point of these axes", "no GPU backend"], probe, "--axis", axis)

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_a_probe_of_what_happens_between_host_and_gpu(self):
        for probe in ["patterns", "migration"]:
            self.refused(MACHINE, [probe, "GPU", "no GPU backend"], probe)


class OnRanks(CommandLine):
    def test_are_none_of_its_business(self):
        self.refused(USAGE, ["pages measures one process", "without mpirun", "exchange"], *CASE.small, ranks=2)
        self.refused(USAGE, "without mpirun", "all", ranks=2)

    def test_are_what_messages_need(self):
        self.refused(MACHINE, ["exchange: ", "mpirun -np 2"], "exchange")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_have_no_path_between_gpus_on_a_host(self):
        done = self.run_program("exchange", "--axis", "path=peer,nccl", ranks=2)
        told = (done.returncode, done.stderr.count("no point"), "MPI_ABORT" in done.stderr)
        self.assertEqual(told, (MACHINE, 1, False), done.stderr)


if __name__ == "__main__":
    unittest.main()
