# Pins --timeout of every program whose ranks wait for each other: a rank that does not come ends
# them all.
import os
import signal
import subprocess
import time
import unittest

from cli_support import MPIRUN, PROGRAM, CommandLine, environment, wait_for_time_loop

NAME = os.path.basename(PROGRAM)
ENDLESS = {
    "himeno": ["--size", "S", "--iterations", "3000000"],
    "transpose": ["--rows", "512", "--cols", "512", "--iterations", "3000000"],
    "membench": ["exchange", "--size", "1MiB", "--repeats", "1000000"],
}[NAME]
SHORT = {
    "himeno": ["--size", "XS", "--iterations", "3"],
    "transpose": ["--rows", "64", "--cols", "64", "--iterations", "2"],
    "membench": ["exchange", "--size", "64KiB", "--repeats", "2"],
}[NAME]


# How ranks find out stands once, in what all programs share: one program pins it.
with_one_program = unittest.skipUnless(NAME == "himeno", "pinned with himeno")


def rank_of(process):
    """The number that mpirun gave to a process, or nothing where it is no rank."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            variables = file.read().split(b"\0")
        with open(f"/proc/{process}/comm", encoding="utf-8") as file:
            if file.read().strip() != NAME:
                return None
    except OSError:
        return None
    for each in variables:
        for name in (b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK="):
            if each.startswith(name):
                return int(each.removeprefix(name))
    return None


@unittest.skipUnless(MPIRUN, "built without MPI")
class Timeout(CommandLine):
    def start(self, ranks, *arguments):
        child = subprocess.Popen(
            [*MPIRUN, "-np", str(ranks), PROGRAM, *ENDLESS, "--quiet", *arguments],
            cwd=self.folder,
            env=environment(OMP_NUM_THREADS="1"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        return child, self.ranks_at_work(child.pid, ranks)

    def ranks_at_work(self, mpirun, ranks):
        """{rank: process}, once all have started and are in their time loop."""
        for _ in range(300):
            time.sleep(0.1)
            listed = subprocess.run(
                ["pgrep", "-P", str(mpirun)], capture_output=True, text=True, check=False
            )
            found = {rank_of(process): int(process) for process in listed.stdout.split()}
            found.pop(None, None)
            if len(found) == ranks:
                wait_for_time_loop(mpirun, 1.0)
                return found
        self.skipTest("this mpirun does not start the ranks itself")

    def own_lines(self, errors):
        return [line for line in errors.splitlines() if line.startswith(NAME + ": ")]

    def hang(self, ranks, hanging):
        output = self.path("r.h5")
        child, found = self.start(ranks, "--timeout", "2", "--output", output)
        os.kill(found[hanging], signal.SIGSTOP)
        out, errors = child.communicate(timeout=60)
        self.assertEqual((child.returncode, out), (1, ""), errors)
        self.assertEqual(self.content(), [])
        return self.own_lines(errors)

    def test_names_the_rank_that_hangs_of_two(self):
        (line,) = self.hang(2, 1)
        self.assertRegex(
            line,
            f"^{NAME}: rank 1 \\(on .+\\) does not come: "
            "rank 0 has waited for it for more than 2 s \\(--timeout\\); no result was written$",
        )

    @with_one_program
    def test_names_the_rank_that_hangs_of_four(self):
        (line,) = self.hang(4, 2)
        self.assertRegex(
            line,
            f"^{NAME}: rank 2 \\(on .+\\) does not come: "
            "ranks 0, 1 and 3 have waited for it for more than 2 s \\(--timeout\\); "
            "no result was written$",
        )

    @with_one_program
    def test_names_rank_0(self):
        line = self.hang(2, 0)[0]  # its own second line is that of a signal: mpirun ends it so
        self.assertRegex(line, "rank 0 \\(on .+\\) does not come: rank 1 has waited")

    @with_one_program
    def test_names_two_ranks_that_hang(self):
        child, found = self.start(4, "--timeout", "2")
        for hanging in (1, 3):
            os.kill(found[hanging], signal.SIGSTOP)
        _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 1, errors)
        (line,) = self.own_lines(errors)
        self.assertRegex(
            line,
            "ranks 1 \\(on .+\\) and 3 \\(on .+\\) do not come: "
            "ranks 0 and 2 have waited for them",
        )

    @with_one_program
    def test_does_not_count_the_time_in_which_all_are_stopped(self):
        child, found = self.start(2, "--timeout", "2")
        for process in found.values():
            os.kill(process, signal.SIGSTOP)
        time.sleep(4.0)
        for process in found.values():
            os.kill(process, signal.SIGCONT)
        time.sleep(4.0)
        self.assertIsNone(child.poll())

    @with_one_program
    def test_is_off_by_default(self):
        child, found = self.start(2)
        os.kill(found[1], signal.SIGSTOP)
        time.sleep(5.0)
        self.assertIsNone(child.poll())
        os.kill(found[1], signal.SIGCONT)

    def test_changes_nothing_where_all_come(self):
        for ranks in (1, 2, 4):
            if ranks > 1 or NAME != "membench":
                self.good(
                    *SHORT,
                    "--quiet",
                    "--timeout",
                    "100",
                    "--output",
                    self.path(f"{ranks}.h5"),
                    ranks=ranks,
                )
                self.assertIn(f"{ranks}.h5", self.content())

    def test_refuses_what_is_no_time(self):
        for wrong in ("0", "-1", "soon"):
            self.refused(2, "--timeout", *SHORT, "--timeout", wrong)


if __name__ == "__main__":
    unittest.main()
