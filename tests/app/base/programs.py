# The programs with a command line of applications, for the tests that all of them have: a run that is small and quick, one
# that fits no memory, and the members of a record.
import dataclasses

from cli_support import NAME

USAGE, MACHINE, OTHER = 2, 3, 1
SIZE = ["--size", "17x19x33"]  # of a grid
SMALL = [*SIZE, "--iterations", "4"]


@dataclasses.dataclass
class Case:
    small: list
    too_large: list
    keys: str  # of the record, besides those of all programs
    values: dict  # of the small run, by path in the record
    figures: list  # paths of figures above 0
    option: str = ""  # that names the transport of messages
    phases: str = ""
    alone: list = ()  # a rank's own times, where it is alone
    several: list = ()


GRID = Case(SMALL, ["--size", "20000x20000x20000"],
            "size extents iterations ranks exec memspace first_touch sweep fma mflops mflops_end_to_end bandwidth_gbs "
            "limit phases sweep_seconds solve_seconds total_seconds",
            {"size": "17x19x33", "extents.2": 33, "iterations": 4}, ["mflops", "phases.sweeps"], "--halo",
            "allocate initialise upload sweeps halo reduce download free", ["sweep"], ["sweep", "halo"])  # fmt: skip
MATRIX = Case(["--rows", "40", "--cols", "30", "--iterations", "3"],
              ["--rows", "2147483647", "--cols", "2147483647"],
              "size rows columns type iterations ranks exec memspace first_touch variants skipped limit phases",
              {"size": "40x30", "variants.0.name": "portable", "iterations": 3}, ["variants.0.gbs.median"], "--exchange",
              "allocate initialise upload pack exchange transpose download free",
              ["transpose", "pack", "exchange"], ["transpose", "pack", "exchange"])  # fmt: skip
PROBE = Case(["pages", "--size", "1MiB", "--repeat", "2"],
             ["pages", "--size", "1000TiB"], "probe probes execution", {"probe": "pages"}, ["probes.0.rows.0.make_seconds"])
CASES = {"himeno": GRID, "heat": GRID, "transpose": MATRIX, "membench": PROBE}
CASE = CASES[NAME]
APPLICATION = NAME != "membench"  # it has arrays in a memory space
