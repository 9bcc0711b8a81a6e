# Pins what membench refuses: one line that names it, the documented code, and nothing written.
import re
import unittest

from cli_support import FOR_GPU, CommandLine
from generic_refusals import MACHINE, USAGE, GenericRefusals

QUICK = ["pages", "--size", "1MiB", "--repeats", "2"]


class Generic(GenericRefusals, CommandLine):
    small = QUICK
    long = ["link", "--size", "64MB", "--repeats", "1000000"]


class WrongCommandLine(CommandLine):
    def test_no_probe_or_one_that_is_none(self):
        self.refused(USAGE, ["a probe is missing", "link", "all", "list"])
        self.refused(USAGE, ["'lnk'", "did you mean link"], "lnk")
        self.refused(USAGE, ["'everything'", "link", "pages", "all"], "everything")

    def test_two_probes(self):
        self.refused(USAGE, "pages", "link", "pages")

    def test_numbers_out_of_range(self):
        for option in ["--repeats", "--experiments"]:
            for value in ["0", "-1", "ten", "1.5"]:
                self.refused(USAGE, [option, f"'{value}'"], "link", option, value)

    def test_a_size_that_is_none(self):
        for size in ["0", "4095", "4 GB", "4G", "GB", "-4096", "1.5GB", "99999999999999999999", "9999999TiB"]:
            self.refused(USAGE, ["--size", f"'{size}'", "GiB"], "link", "--size", size)

    def test_a_memory_whose_pages_do_not_move(self):
        for space in ["device", "host-pinned", "hbm", "auto"]:
            self.refused(USAGE, ["--memspace", f"'{space}'", "managed and system"], "patterns", "--memspace", space)
        self.refused(USAGE, ["--memspace", "link", "patterns, migration"], "link", "--memspace", "managed")

    def test_a_size_for_a_probe_that_has_none(self):
        for probe in ["shared", "warp", "atomics", "registers", "issue", "block"]:
            self.refused(USAGE, ["--size", probe, "link, exchange, overlap, patterns, migration, pages, copy, latency, l2"],
                         probe, "--size", "1MiB")
        path = self.write("case.toml", 'size = "1MiB"\n')
        self.refused(USAGE, ["--size", "warp"], "warp", "--input", path)


class BeyondThisMachine(CommandLine):
    def test_a_size_larger_than_any_memory_says_how_much_there_is(self):
        for probe in ["link", "pages", "all"]:
            self.refused(MACHINE, ["--size", "1100 TB", "available"], probe, "--size", "1000TiB")

    def test_arrays_that_fit_alone_but_not_together(self):
        told = self.run_program("link", "--size", "1000TiB").stderr
        number, unit = re.search(r"more than ([\d.]+) ([GT])B available", told).groups()
        most = float(number) * {"G": 1e9, "T": 1e12}[unit]
        self.refused(MACHINE, ["link: ", "needed", "available", "--size"], "link", "--size", f"{int(most * 0.7)}")

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_a_probe_that_is_native_cuda(self):
        for probe in ["overlap", "copy", "latency", "l2", "shared", "warp", "atomics", "registers", "issue", "block"]:
            self.refused(MACHINE, [probe, "native CUDA", "--preset cuda"], probe)

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_a_probe_of_what_happens_between_host_and_gpu(self):
        for probe in ["patterns", "migration"]:
            self.refused(MACHINE, [probe, "GPU", "no GPU backend"], probe)


class OnRanks(CommandLine):
    def test_are_none_of_its_business(self):
        self.refused(USAGE, ["without mpirun", "exchange"], *QUICK, ranks=2)
        self.refused(USAGE, "without mpirun", "all", ranks=2)

    def test_are_what_messages_need(self):
        self.refused(MACHINE, ["exchange: ", "mpirun -np 2"], "exchange")


if __name__ == "__main__":
    unittest.main()
