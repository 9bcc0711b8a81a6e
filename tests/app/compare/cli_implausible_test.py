# Pins what memcompare says of results that cannot be, and of odd texts in them.
import sys
import unittest

try:
    import h5py  # noqa: F401  (synthetic needs it)
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

DESCRIPTION = """name = 'small'
title = 'Small'
match = {{gpu = 'NVIDIA H100 PCIe'}}
[figures]
device_memory = {{gbs = {}, kind = 'theory', source = 'a test'}}
"""


class AboveTheory(CommandLine):
    def compared(self, gbs):
        results = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000))
        done = self.run_program(results, "--machine", self.write("m.toml", DESCRIPTION.format(gbs)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_more_than_five_per_cent_is_said_with_its_likely_cause(self):
        told = self.compared(1600.0)
        self.assertEqual(len(told.splitlines()), 1, told)
        for mention in ("2000 GB/s are 1.25 times the theory of small", "(1 of its results", "cache"):
            self.assertIn(mention, told)

    def test_less_is_not(self):
        self.assertEqual(self.compared(1950.0), "")


class OddTexts(CommandLine):
    def test_no_control_character_of_a_file_reaches_the_terminal(self):
        files = []
        for name, size in (("a.h5", "XL"), ("b.h5", "L")):
            machine = synthetic.ONE if size == "XL" else synthetic.OTHER
            files.append(synthetic.write_file(self.path(name), synthetic.himeno(machine, 2000, size=size)))
            with synthetic.edited(files[-1]) as file:
                file["machine/gpu"].attrs["name"] = synthetic.text("odd\x1b[2J\x07\n\x9b31mname " + size)
        self.refused(2, ["odd?[2J?", "no case in common"], *files)
        for format in ("text", "markdown"):
            for full in ([], ["--full"]) if format == "text" else ([],):
                text = self.good(files[0], "--format", format, *full)
                self.assertEqual({c for c in text if ord(c) < 32 or 127 <= ord(c) < 160}, {"\n"})
                self.assertIn("odd?[2J?", text)


if __name__ == "__main__":
    unittest.main()
