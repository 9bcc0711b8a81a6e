# Pins that a program that was built for another processor ends with one line that names the feature which this one lacks.
# Two features of processors of 2011 to 2017 alone, which machines of today lack: no others can be had everywhere.
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, COMPILER = sys.argv.pop(), sys.argv.pop()


class Processor(unittest.TestCase):
    def built_with(self, option):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/program"
            subprocess.run([COMPILER, option, "-o", program, SOURCE, "-x", "c++", "-"], input="int main() {}", text=True, check=True)
            return subprocess.run([program], check=False, capture_output=True, text=True)

    def test_that_lacks_a_feature_names_it(self):
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
        for feature in ("xop", "fma4"):
            if feature in flags:
                self.skipTest(f"this processor has {feature}")
            done = self.built_with("-m" + feature)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, rf"^\S+: this processor lacks {feature}, [^\n]+\n$")

    def test_that_has_all_runs_it(self):
        done = self.built_with("-march=native")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
