# Pins that no text of a results file, nor a file's name, becomes a command or a path that is written to.
import copy
import os
import tempfile
import unittest

from two_machines import TwoMachines
import synthetic

try:
    import matplotlib  # noqa: F401

    HAS_MATPLOTLIB = True
except ImportError:
    HAS_MATPLOTLIB = False

COMMANDS = "$(touch sprung)`touch sprung`;touch sprung;'\"|touch sprung"
EVIL = [COMMANDS, "../../sprung", "/tmp/../sprung", "-o sprung", "%(touch sprung)s {sprung}"]


class Texts(TwoMachines):
    def runs(self, text):
        machine = copy.deepcopy(synthetic.ONE) | {"hostname": text}
        machine["gpu"]["name"] = machine["cpu"]["model"] = text
        runs = synthetic.whole(machine, 1.0)
        for run in runs:
            for name in ("size", "sweep_kernel", "note"):
                if name in run:
                    run[name] = text
            for variant in run.get("variants", []):
                variant["name"] = text + variant["name"]
            for probe in run.get("probes", []):
                for measurement in probe.get("measurements", []):
                    measurement["name"] = text
        return runs

    def written(self, text, *arguments):
        """The folder and what a good comparison wrote there, beside the results."""
        here = tempfile.mkdtemp(dir=self.folder)
        name = COMMANDS
        synthetic.write_folder(os.path.join(here, name), self.runs(text))
        before = self.content()
        done = self.run_program(os.path.join(".", name), *arguments, cwd=here)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.content(), before)
        return here, sorted(set(os.listdir(here)) - {name})

    def tearDown(self):
        self.assertFalse(os.path.exists("/sprung") or os.path.exists("/tmp/sprung"))

    def test_are_printed_and_no_more(self):
        for text, *how in [(text, "--full") for text in EVIL] + [(COMMANDS, "--format", "markdown")]:
            with self.subTest(text=text, how=how):
                self.assertEqual(self.written(text, *how)[1], [])

    @unittest.skipUnless(HAS_MATPLOTLIB, "this Python has no matplotlib (Debian: python3-matplotlib)")
    def test_are_drawn_into_the_folder_that_is_asked_for(self):
        for text in EVIL[:2]:
            with self.subTest(text=text):
                here, written = self.written(text, "--plots", "plots", "--html", "r.html")
                self.assertEqual(written, ["plots", "r.html"])
                for name in os.listdir(os.path.join(here, "plots")):
                    self.assertRegex(name, r"^[A-Za-z0-9.-]+\.(png|svg)$")


if __name__ == "__main__":
    unittest.main()
