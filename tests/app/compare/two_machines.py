# Two machines that do not exist, set side by side: for the tests of compare's command line.
import json
import os
import sys

try:
    import h5py  # noqa: F401  (synthetic needs it)
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

INPUTS = os.environ["MEMSTENCIL_INPUTS"]
MACHINE = 3
CAUSES = ["host memory", "device memory", "link", "migration", "first touch", "allocation", "launch", "messages"]
MACHINES = [
    "--machine",
    os.path.join(INPUTS, "machines/pegasus.toml"),
    "--machine",
    os.path.join(INPUTS, "machines/miyabi-g.toml"),
]
THESIS = ["--reference", os.path.join(INPUTS, "reference/thesis-2024.toml")]


class TwoMachines(CommandLine):
    def files(self):
        return [
            synthetic.write_folder(self.path("pegasus"), synthetic.whole(synthetic.ONE, 1.0)),
            synthetic.write_folder(self.path("miyabi-g"), synthetic.whole(synthetic.OTHER, 2.0)),
        ]

    def compared(self, *arguments):
        return json.loads(self.good(*self.files(), "--format", "json", *MACHINES, *arguments))

    def table(self, comparison, title):
        return next(
            table for section in comparison["sections"] for table in section["tables"] if table["title"] == title
        )
