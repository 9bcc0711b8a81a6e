# Pins what stands on disk after faults, and what himeno says.
import errno
import json
import os
import platform
import random
import resource
import signal
import subprocess
import sys
import time
import unittest
import zlib

from cli_support import FOR_GPU, PROGRAM, CommandLine, environment
from programs import SMALL

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)


def run_in(path):
    """The program of a whole result, which HDF5 can read."""
    with open(path, "rb") as file:
        content = file.read()
    line = f"memstencil-results 3 {len(content) - 512} {zlib.crc32(content[512:]):08x}\n".encode()
    assert content.startswith(line), path
    with h5py.File(path, "r") as file:
        return file.attrs["program"].decode()


class Faults(CommandLine):
    def start(self, *arguments, command=(), **more):
        return subprocess.Popen([*command, PROGRAM, *arguments], cwd=self.folder, env=environment(OMP_NUM_THREADS="1"),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **more)  # fmt: skip


class Killed(Faults):
    def test_at_any_moment_leaves_whole_files_and_nothing_else(self):
        began = time.monotonic()
        self.good(*SMALL, "--output", self.folder)
        usual = time.monotonic() - began
        rng = random.Random(1)
        for _ in range(12):
            with self.start(*SMALL, "--quiet", "--output", self.folder) as process:
                time.sleep(rng.uniform(0.3, 1.1) * usual)  # most of the time before is MPI's start
                process.kill()
                process.wait(600)  # its output may stay open: a daemon of Open MPI that was being started holds it
        for name in self.content():
            if name.startswith(".memstencil-"):
                continue  # killed while it wrote
            self.assertRegex(name, r"^himeno-17x19x33-device-\d{8}T\d{6}Z-\d+\.h5$")
            self.assertEqual(run_in(self.path(name)), "himeno")


@unittest.skipIf(FOR_GPU, "a driver's own memory counts, too")
class InAControlGroup(Faults):
    """A group of its own with 500 MB, where this user may make one."""

    def setUp(self):
        super().setUp()
        older, unified = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"
        parent, limit = (older, "memory.limit_in_bytes") if os.path.isdir(older) else (unified, "memory.max")
        self.group = f"{parent}/memstencil-test-{os.getpid()}"
        try:
            os.mkdir(self.group)
            self.addCleanup(self.remove_group)
            with open(f"{self.group}/{limit}", "w") as file:
                file.write("500000000")
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

    def enter(self):
        with open(f"{self.group}/cgroup.procs", "w") as file:
            file.write(str(os.getpid()))

    def run_inside(self, *arguments):
        with self.start(*arguments, "--iterations", "2", "--quiet", preexec_fn=self.enter) as process:
            output, error = process.communicate(timeout=600)
        return process.returncode, output, error

    def test_what_it_has_room_for_runs_and_more_is_refused(self):
        code, output, error = self.run_inside("--size", "S")
        self.assertEqual((code, error), (0, ""))
        self.assertIn("; verified\n", output)
        code, output, error = self.run_inside("--size", "L")
        self.assertEqual((code, output), (3, ""))
        self.assertRegex(error, "^himeno: the grid L needs 1.913 GB of host memory, "
                                "and 4[0-9.]+ MB are available here "
                                r"\(/sys/fs/cgroup/\S*/memory[.]\w+\); [^\n]+\n$")  # fmt: skip


class Paused(Faults):
    def record_of(self, sweeps, pause=0):
        """On one thread, stopped after 0.6 s of its time: its start takes 0.2 s, a sweep some 0.4 to 3 ms."""
        with self.start("--size", "S", "--iterations", str(sweeps), "--format", "json", "--quiet") as process:
            if pause:
                while self.seconds_used(process.pid) < 0.6:
                    time.sleep(0.01)
                process.send_signal(signal.SIGSTOP)
                time.sleep(pause)
                process.send_signal(signal.SIGCONT)
            output, errors = process.communicate(timeout=600)
        self.assertEqual((process.returncode, errors), (0, ""))
        return json.loads(output)

    @staticmethod
    def seconds_used(pid):
        with open(f"/proc/{pid}/stat") as file:
            ticks = file.read().rsplit(")", 1)[1].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def test_a_pause_is_noted_with_its_sweep(self):
        record = self.record_of(3000, 2.5)
        pause = record["pause"]
        self.assertAlmostEqual(pause["seconds"], 2.5, delta=0.5)
        longest = max(range(record["iterations"]), key=lambda n: record["sweeps"]["seconds"][n])
        self.assertEqual(pause.get("sweep"), longest + 1)

    def test_other_programs_on_all_processors_make_none(self):
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in 2 * list(os.sched_getaffinity(0))]
        try:
            self.assertIsNone(self.record_of(100).get("pause"))
        finally:
            for each in busy:
                each.kill()
                each.wait()


class LimitedMemory(Faults):
    @unittest.skipIf(FOR_GPU, "CUDA takes more addresses than any limit")
    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "so does AddressSanitizer")
    def test_the_limit_of_the_process_is_what_is_available(self):
        limit = [*"prlimit --as=4294967296".split(), "--"]
        with self.start("--size", "XL", "--quiet", "--output", self.path("r.h5"), command=limit) as process:
            out, errors = process.communicate(timeout=600)
        self.assertEqual((process.returncode, out), (3, ""), errors)
        self.assertRegex(errors, r"^himeno: .* needs 1\d.* of host memory, and the limit of this process "
                                 r"\(ulimit -v\) leaves [0-4]\.\d+ GB, unless you raise it; use .*\n$")
        self.assertEqual(self.content(), [])


class LimitedFiles(Faults):
    def test_cost_the_field_alone(self):
        done = self.run_program("--size", "S", "--iterations", "2", "--output", self.path("r.h5"), "--save-field",
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10**6, 10**6)))  # fmt: skip
        self.assertEqual((done.returncode, self.content()), (1, ["r.h5"]), done.stderr)


class FullDisk(Faults):
    """A file system of a quarter of a megabyte in place of the test's folder."""

    def setUp(self):
        super().setUp()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", self.folder],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no small file system can be mounted here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)

    def test_is_one_line_and_no_file_and_the_report_is_printed(self):
        field = ["--size", "64x64x128", "--iterations", "2", "--save-field"]  # two megabytes
        times = ["--size", "8x8x8", "--iterations", "200000"]
        for arguments, kept, what in ((field, ["r.h5"], "the field of "), (times, [], "")):
            done = self.run_program(*arguments, "--quiet", "--output", self.path("r.h5"), cwd="/", OMP_NUM_THREADS="1")
            self.assertEqual(done.returncode, 1, done.stderr)
            line = f"himeno: cannot write {what}{self.path('r.h5')}: No space left on device"
            self.assertEqual(done.stderr, line + ("; the result is written without it\n" if kept else "\n"))
            self.assertIn("MFLOPS measured", done.stdout)
            self.assertEqual(self.content(), kept)
            for name in kept:
                os.remove(self.path(name))


@unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "numbers of system calls are known for these")
class ARefusedSystemCall(Faults):
    """As file systems refuse it: FUSE and exFAT a second name for a file, many parallel ones locks."""

    LINKAT, FLOCK = (265, 73) if platform.machine() == "x86_64" else (37, 32)

    def good_without(self, call, error, *arguments):
        done = self.run_without(call, error, *SMALL, "--quiet", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_for_a_second_name_leaves_a_whole_result(self):
        for more in ([], ["--force"]):
            self.good_without(self.LINKAT, errno.EPERM, "--output", self.path("r.h5"), *more)
            self.assertEqual(run_in(self.path("r.h5")), "himeno")
        self.good_without(self.LINKAT, errno.EPERM, "--output", self.folder + "/")
        self.assertEqual(len(self.content()), 2)

    def test_for_locks_leaves_result_and_field(self):
        self.good_without(self.FLOCK, errno.ENOLCK, "--output", self.path("r.h5"), "--save-field")
        self.assertEqual(self.content(), ["r.field", "r.h5"])


if __name__ == "__main__":
    unittest.main()
