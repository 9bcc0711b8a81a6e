# Pins what stands on disk after faults while runs append to a file, and what each program says.
import concurrent.futures
import errno
import os
import shutil
import subprocess
import sys
import time
import unittest

from cli_support import FOR_GPU, PROGRAM, CommandLine, environment, wait_for_time_loop
from himeno_cases import SMALL

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

CLOSED = ["sh", "-c", 'exec "$@" >&-', "sh"]


def runs_of(path):
    with h5py.File(path, "r") as file:
        return list(file["runs"])


class Faults(CommandLine):
    def start(self, *arguments, command=(), **more):
        return subprocess.Popen([*command, PROGRAM, *arguments], cwd=self.folder, env=environment(OMP_NUM_THREADS="1"),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **more)  # fmt: skip


@unittest.skipIf(FOR_GPU, "a driver's own memory counts, too")
class InAControlGroup(Faults):
    """A group of its own with 300 MB, where this user may make one."""

    def setUp(self):
        super().setUp()
        older, unified = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"
        parent, limit = (older, "memory.limit_in_bytes") if os.path.isdir(older) else (unified, "memory.max")
        self.group = f"{parent}/memstencil-test-{os.getpid()}"
        try:
            os.mkdir(self.group)
            self.addCleanup(self.remove_group)
            with open(f"{self.group}/{limit}", "w") as file:
                file.write("300000000")
        except OSError as error:
            self.skipTest(f"no control group with a limit of memory can be made: {error}")

    def remove_group(self):
        """The kernel holds a group for a moment after its last process has ended."""
        for _ in range(100):
            try:
                return os.rmdir(self.group)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                time.sleep(0.1)
        self.fail(f"{self.group} is still in use")

    def run_inside(self, *arguments):
        def enter():
            with open(f"{self.group}/cgroup.procs", "w") as file:
                file.write(str(os.getpid()))

        with self.start(*arguments, "--iterations", "2", "--quiet", preexec_fn=enter) as process:
            output, error = process.communicate(timeout=100)
        return process.returncode, output, error

    def test_what_it_has_room_for_runs_and_more_is_refused(self):
        code, output, error = self.run_inside("--size", "S")
        self.assertEqual((code, error), (0, ""))
        self.assertIn("verified          : yes", output)
        code, output, error = self.run_inside("--size", "L")
        self.assertEqual((code, output), (3, ""))
        self.assertRegex(error, "^himeno: the grid L needs 1.879 GB of host memory, "
                                "and 2[0-9.]+ MB are available here; [^\n]+\n$")  # fmt: skip


class Together(Faults):
    def test_ten_runs_that_append_at_once_are_all_in_the_file(self):
        path = self.path("r.h5")
        append = [*SMALL, "--quiet", "--output", path, "--append"]
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            done = list(pool.map(lambda _: self.run_program(*append, OMP_NUM_THREADS="1"), range(10)))
        for each in done:
            self.assertEqual((each.returncode, each.stderr), (0, ""))
        self.assertEqual(len(runs_of(path)), 10)
        self.assertEqual(self.content(), ["r.h5"])


class LimitedMemory(Faults):
    @unittest.skipIf(FOR_GPU, "CUDA takes more addresses than any limit")
    def test_the_limit_of_the_process_is_what_is_available(self):
        limit = [*"prlimit --as=4294967296".split(), "--"]
        with self.start("--size", "XL", "--quiet", "--output", self.path("r.h5"), command=limit) as process:
            out, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (3, ""), errors)
        self.assertRegex(errors, r"^himeno: .* needs 1\d.* of host memory, and the limit of this process "
                                 r"\(ulimit -v\) leaves [0-4]\.\d+ GB, unless you raise it; use .*\n$")
        self.assertEqual(self.content(), [])


class LimitedFiles(Faults):
    def test_a_result_that_is_larger_than_any_file_may_be_is_one_line(self):
        limit = [*"prlimit --fsize=8000000".split(), "--"]  # more than MPI's own files take
        large = ["--size", "97x129x257", "--iterations", "1", "--save-field"]
        with self.start(*large, "--quiet", "--output", self.path("r.h5"), command=limit) as process:
            out, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (1, ""), errors)
        self.assertEqual(errors, f"himeno: cannot write {self.path('r.h5')}: File too large\n")
        self.assertEqual(self.content(), [])


class ClosedOutput(Faults):
    def test_is_one_line_and_the_file_is_written(self):
        with self.start(*SMALL, "--quiet", "--output", self.path("r.h5"), command=CLOSED) as process:
            _, errors = process.communicate(timeout=60)
        self.assertEqual(errors, "himeno: cannot write to standard output: Bad file descriptor\n")
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(runs_of(self.path("r.h5"))), 1)


class FolderTakenAway(Faults):
    def test_is_one_line_and_the_result_is_still_printed(self):
        os.mkdir(self.path("sub"))
        arguments = ["--size", "S", "--iterations", "3000", "--quiet", "--output", os.path.join("sub", "r.h5")]
        with self.start(*arguments) as process:
            wait_for_time_loop(process.pid, 0.2)
            shutil.rmtree(self.path("sub"))
            out, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertIn("cannot write sub/r.h5: there is no folder sub", errors)
        self.assertIn("MFLOPS measured", out)
        self.assertEqual(self.content(), [])


class OnlyTheOutput(Faults):
    def test_a_new_file_has_the_mode_that_umask_says(self):
        before = os.umask(0o027)
        try:
            self.good(*SMALL, "--output", self.path("r.h5"))
        finally:
            os.umask(before)
        self.assertEqual(os.stat(self.path("r.h5")).st_mode & 0o777, 0o640)
        self.assertEqual(self.content(), ["r.h5"])


if __name__ == "__main__":
    unittest.main()
