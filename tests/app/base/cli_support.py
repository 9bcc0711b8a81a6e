# Runs a program as a user does, for the tests of its command line: PROGRAM is its path, MPIRUN the command
# that starts ranks (absent without MPI), FOR_GPU whether the build is for a GPU.
import atexit
import ctypes
import json
import os
import shlex
import shutil
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PROGRAM"]
NAME = os.path.basename(PROGRAM)
MPIRUN = shlex.split(os.environ.get("MPIRUN", ""))
FOR_GPU = os.environ.get("FOR_GPU") == "1"


SESSIONS = tempfile.mkdtemp(prefix="memstencil-mpi-")
atexit.register(shutil.rmtree, SESSIONS, ignore_errors=True)


def environment(**more):
    # As a user's shell: nothing is set that would silence Kokkos.
    user = {key: value for key, value in os.environ.items() if key != "OMP_PROC_BIND"}
    # Open MPI starts a daemon for a lone rank, which may end late or never, and which removes the folder that all
    # its programs share. Here none starts, and each program has its own folder.
    lone = {"OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_orte_tmpdir_base": tempfile.mkdtemp(dir=SESSIONS)}
    return user | lone | more


def refusing(call, error):
    """For preexec_fn: a filter of the kernel (seccomp) gives the system call of this number this error."""
    load, equal, give = 0x20, 0x15, 0x06  # BPF: the call's number, compared, and the verdict
    program = b"".join(struct.pack("HBBI", *each) for each in [
        (load, 0, 0, 0), (equal, 0, 1, call), (give, 0, 0, 0x00050000 | error), (give, 0, 0, 0x7FFF0000)])  # fmt: skip

    def install():
        buffer = ctypes.create_string_buffer(program)
        filter_of = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 4, ctypes.addressof(buffer)))
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        if prctl(38, 1, 0, 0, 0) or prctl(22, 2, filter_of, 0, 0):
            raise OSError(ctypes.get_errno(), "no filter")

    return install


class CommandLine(unittest.TestCase):
    """Each test works in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def content(self):
        return sorted(os.listdir(self.folder))

    def on_one_cpu(self, *arguments, ranks=0):
        """A good run where each rank's two threads have one CPU, whatever binds them."""
        if os.environ.get("ONE_HOST_THREAD"):
            self.skipTest("built for one host thread")
        given = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(given)})  # children inherit it
        try:
            done = self.run_program(*arguments, "--quiet", ranks=ranks, OMP_NUM_THREADS="2", OMP_PROC_BIND="true")
        finally:
            os.sched_setaffinity(0, given)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def run_program(self, *arguments, ranks=0, cwd=None, preexec_fn=None, **variables):
        if ranks and not MPIRUN:
            self.skipTest("built without MPI")
        start = MPIRUN + ["-np", str(ranks)] if ranks else []
        return subprocess.run(start + [PROGRAM, *arguments], cwd=cwd or self.folder, env=environment(**variables),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
                              preexec_fn=preexec_fn)  # fmt: skip

    def run_without(self, call, error, *arguments):
        """Where the kernel gives a system call this error."""
        try:
            return self.run_program(*arguments, preexec_fn=refusing(call, error), OMP_NUM_THREADS="1")
        except subprocess.SubprocessError as none:
            self.skipTest(f"no system call can be refused here: {none}")

    def good(self, *arguments, ranks=0):
        done = self.run_program(*arguments, ranks=ranks)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def record(self, *arguments, ranks=0):
        """Of a good run; anything beside one object is an error."""
        return json.loads(self.good(*arguments, "--format", "json", ranks=ranks))

    def refused(self, code, mentions, *arguments, ranks=0):
        """One line on stderr, which is given back, nothing on stdout, nothing written, the code."""
        before = self.content()
        done = self.run_program(*arguments, ranks=ranks)
        told = f"{arguments} gave {done.returncode}:\n{done.stdout}{done.stderr}"
        self.assertEqual(done.returncode, code, told)
        self.assertEqual(done.stdout, "", told)
        # mpirun adds its own lines about a code that is not 0; ours begin with the program's name.
        lines = done.stderr.splitlines()
        mine = [line for line in lines if line.startswith(NAME + ": ")]
        self.assertEqual(len(mine), 1, told)
        if not ranks:
            self.assertEqual(lines, mine, told)
        for mention in [mentions] if isinstance(mentions, str) else mentions:
            self.assertIn(mention, mine[0])
        self.assertEqual(self.content(), before, told)
        return mine[0]

    def each_refused(self, code, *rows):
        """Rows of what is refused, what the line mentions, and the arguments."""
        for what, mentions, *arguments in rows:
            with self.subTest(what):
                self.refused(code, mentions, *arguments)
