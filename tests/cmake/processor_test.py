# Pins that a program that was built for another processor ends with one line that names the feature which this one lacks.
# Two features of processors of 2011 to 2017 alone, which machines of today lack: no others can be had everywhere.
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE, COMPILER = sys.argv.pop(), sys.argv.pop()


class Processor(unittest.TestCase):
    def built_with(self, *options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        main, program = os.path.join(folder.name, "main.cpp"), os.path.join(folder.name, "program")
        with open(main, "w", encoding="utf-8") as file:
            file.write("int main() { return 0; }\n")
        subprocess.run([COMPILER, *options, "-o", program, main, SOURCE], check=True)
        return subprocess.run([program], check=False, capture_output=True, text=True)

    def test_that_lacks_a_feature_is_told_so(self):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            has = next(line for line in file if line.startswith("flags")).split()
        for feature in ("xop", "fma4"):
            if feature in has:
                self.skipTest(f"this processor has {feature}")
            done = self.built_with("-m" + feature)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, rf"^\S+: this processor lacks {feature}, [^\n]+\n$")

    def test_that_has_all_runs_it(self):
        done = self.built_with("-march=native")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
