# Pins what is left when himeno cannot finish: the old file as it was, no half-written one, a code that says so.
import os
import signal
import subprocess
import unittest

from cli_support import PROGRAM, MPIRUN, CommandLine, environment, wait_for_time_loop
from himeno_cases import SMALL


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Interrupted(CommandLine):
    LONG = ["--size", "S", "--iterations", "100000000", "--quiet"]

    def interrupt(self, arguments, start=(), number=signal.SIGINT):
        """The code of a run that gets the signal in its time loop."""
        with subprocess.Popen([*start, PROGRAM, *arguments], env=environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            wait_for_time_loop(process.pid, 1.0)
            self.assertIsNone(process.poll(), "it ended before it was interrupted")
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
            self.assertEqual(out, b"")
            return process.returncode

    def test_run_leaves_no_file(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            self.assertNotEqual(self.interrupt([*self.LONG, "--output", self.path("r.h5")], number=number), 0)
            self.assertEqual(self.content(), [])

    def test_append_leaves_the_old_file_untouched(self):
        path = self.path("r.h5")
        self.good(*SMALL, "--output", path)
        before = bytes_of(path)
        self.assertNotEqual(self.interrupt([*self.LONG, "--output", path, "--append"]), 0)
        self.assertEqual(bytes_of(path), before)
        self.assertEqual(self.content(), ["r.h5"])

    def test_ranks_leave_no_file(self):
        if not MPIRUN:
            self.skipTest("built without MPI")
        code = self.interrupt([*self.LONG, "--output", self.path("r.h5")], [*MPIRUN, "-np", "2"])
        self.assertNotEqual(code, 0)
        self.assertEqual(self.content(), [])


class FullDisk(CommandLine):
    """A file system of one megabyte in place of the test's folder."""

    def setUp(self):
        super().setUp()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", self.folder],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no small file system can be mounted here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)

    CASE = ["--size", "64x64x128", "--iterations", "2"]  # a field of two megabytes

    def test_a_field_that_does_not_fit_is_one_line_and_no_file(self):
        done = self.run_program(*self.CASE, "--quiet", "--save-field", "--output", self.path("r.h5"), cwd="/")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("No space left", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.content(), [])

    def test_room_is_asked_for_before_the_run(self):
        # A run of this length would take hours.
        for more in (["--iterations", "100000000"], ["--iterations", "300000", "--repeat", "1000"],
                     ["--iterations", "80000", "--gosa-history"]):
            done = self.run_program("--size", "XL", *more, "--output", self.path("r.h5"), cwd="/")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("No space left", done.stderr)
            self.assertEqual(self.content(), [])

    def test_a_long_run_needs_the_room_of_its_times_alone(self):
        done = self.run_program("--size", "8x8x8", "--iterations", "60000", "--quiet", "--output", self.path("r.h5"),
                                cwd="/", OMP_NUM_THREADS="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.content(), ["r.h5"])

    def test_appending_where_there_is_no_room_keeps_the_old_file(self):
        path = self.path("r.h5")
        self.assertEqual(self.run_program(*SMALL, "--output", path, cwd="/").returncode, 0)
        before = bytes_of(path)
        done = self.run_program(*self.CASE, "--save-field", "--output", path, "--append", cwd="/")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(bytes_of(path), before)
        self.assertEqual(self.content(), ["r.h5"])


class FullStandardOutput(CommandLine):
    @unittest.skipUnless(os.path.exists("/dev/full"), "this system has no /dev/full")
    def test_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, *SMALL, "--quiet"], env=environment(), stdin=subprocess.DEVNULL,
                                  stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)


if __name__ == "__main__":
    unittest.main()
