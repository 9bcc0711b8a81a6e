# Pins what a tool of Kokkos is told of a run: every phase is a region, and every array stands under its label and
# space, with its bytes, from its allocation to its release.
import collections
import json
import os
import unittest

from cli_support import MPIRUN, NAME, CommandLine
from programs import APPLICATION, CASE

SPACES = ("device", "host-pinned", "managed", "system")
# Rows are padded to 32 values, and grids have 256 bytes more for each array, matrices one row.
FLOATS, DOUBLES = 17 * 19 * 64 * 4 + 14 * 256, 17 * 19 * 64 * 8 + 2 * 256
ARRAYS = {"himeno": {f"coefficients {n}": FLOATS for n in range(12)} | {"p": FLOATS, "p_next": FLOATS},
          "heat": {"p": DOUBLES, "p_next": DOUBLES}, "transpose": {"A": 41 * 32 * 4, "B": 31 * 64 * 4}, "membench": {}}  # fmt: skip


class Tool(CommandLine):
    def run_with_tool(self, *arguments, ranks=0):
        """The run's record, and what the tool was told, as lists of words."""
        done = self.run_program(*CASE.small, "--format", "json", *arguments, ranks=ranks,
                                KOKKOS_TOOLS_LIBS=os.environ["KOKKOS_TOOL"], MEMSTENCIL_TOLD=self.path("told"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("told"), encoding="utf-8") as file:
            return json.loads(done.stdout), [line.rstrip("\n").split("\t") for line in file]

    def regions(self, told):
        depth, names = 0, collections.Counter()
        for line in told:
            depth += (line[0] == "push") - (line[0] == "pop")
            self.assertGreaterEqual(depth, 0)
            if line[0] == "push":
                names[line[1]] += 1
        self.assertEqual(depth, 0)
        return names

    @unittest.skipUnless(APPLICATION, "it has no phases")
    def test_every_phase_is_a_region(self):
        record, told = self.run_with_tool()
        alone = {"halo", "pack", "exchange"}  # of several ranks
        self.assertEqual(set(record["phases"]) - alone - set(self.regions(told)), set())
        if MPIRUN:
            record, told = self.run_with_tool(ranks=2)
            self.assertEqual(set(record["phases"]) - set(self.regions(told)), set())

    def test_every_array_is_told_with_label_space_and_bytes_and_given_back(self):
        _, told = self.run_with_tool(*(["--memspace", "managed"] if APPLICATION else []))
        own = [line for line in told if line[0] in ("take", "give") and line[1] in SPACES]
        there, most = {}, {}
        for what, space, label, at, size in own:
            if what == "take":
                self.assertNotIn(at, there)
                there[at] = (space, label, size)
                most[label] = (space, int(size))
            else:
                self.assertEqual(there.pop(at), (space, label, size))
        self.assertEqual(there, {})
        self.assertTrue(most)
        for label, size in ARRAYS[NAME].items():
            self.assertEqual(most[label], ("managed", size), label)


if __name__ == "__main__":
    unittest.main()
