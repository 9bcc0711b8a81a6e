# Pins what the ReFrame test says where nothing is measured: a dry run passes, and a program that refuses or is missing
# is named by the line on stderr. Skipped (77) where there is no `reframe`; .ci/weekly reframe gets the newest.
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

if shutil.which("reframe") is None:
    print("skipped: there is no reframe on PATH (PyPI: reframe-hpc)")
    sys.exit(77)
ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ["MEMSTENCIL_BIN"])


class ReFrame(unittest.TestCase):
    def reframe(self, *arguments, cwd="/"):
        with tempfile.TemporaryDirectory(prefix="memstencil-reframe-") as folder:
            command = ["reframe", "--nocolor", "-c", ROOT / "packaging/reframe", "--exec-policy=serial", "--prefix", folder]
            done = subprocess.run([*command, *arguments], cwd=cwd, env=os.environ | {"HOME": folder, "TMPDIR": folder},
                                  capture_output=True, text=True, check=False)  # fmt: skip
        return done.returncode, done.stdout

    def test_a_dry_run_passes(self):
        for programs in (BIN, "/nowhere"):
            code, said = self.reframe("--dry-run", "-S", f"programs={programs}")
            self.assertEqual(code, 0, said)
            self.assertIn("Ran 4/4 test case(s) from 4 check(s) (0 failure(s)", said)

    def test_a_small_run_passes_where_the_folder_of_the_programs_is_relative(self):
        code, said = self.reframe("-r", "-S", "programs=bin", "-S", "size=S", "-S", "iterations=20", cwd=BIN.parent)
        self.assertEqual(code, 0, said)
        self.assertIn("Ran 4/4 test case(s) from 4 check(s) (0 failure(s)", said)

    def test_a_size_that_is_none_is_told_by_himeno(self):
        code, said = self.reframe("-r", "-n", "himeno", "-S", f"programs={BIN}", "-S", "size=Q")
        self.assertEqual(code, 1, said)
        self.assertEqual(said.count("Reason: sanity error: himeno: --size: 'Q' is not a size: valid are XS"), 3, said)

    def test_a_program_that_is_missing_is_named(self):
        code, said = self.reframe("-r", "-n", "heat", "-S", "programs=/nowhere")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, "Reason: sanity error: .*/nowhere/memstencil-heat: No such file or directory")


if __name__ == "__main__":
    unittest.main()
