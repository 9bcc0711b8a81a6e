# Which CPUs a rank gets by each site's launch line, from the Open MPI of this machine.
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

from sites import MPIRUN, SITES, SiteTest

MPIEXEC = shlex.split(MPIRUN)[:1]  # without the flags by which the other tests share their cores


def is_open_mpi():
    return bool(MPIEXEC) and "Open" in subprocess.run([*MPIEXEC, "--version"], capture_output=True, text=True).stdout


def cores():
    """Of the CPUs that this process was given."""
    listed = subprocess.run(["lscpu", "--parse=CPU,CORE,SOCKET"], capture_output=True, text=True, check=True).stdout
    cpus = [line.split(",") for line in listed.splitlines() if not line.startswith("#")]
    return len({(core, socket) for cpu, core, socket in cpus if int(cpu) in os.sched_getaffinity(0)})


class Affinity(SiteTest):
    def allowed(self, site, ranks, threads):
        """The CPUs of each rank."""
        self.stand_in("mpirun", f'#!/bin/bash\nexec {MPIEXEC[0]} "$@"\n')
        # Into files: lines of several ranks get mixed on their way through mpirun.
        folder = tempfile.mkdtemp(dir=self.folder)
        ask = f'import os; print(*os.sched_getaffinity(0), file=open(f"{folder}/{{os.getpid()}}", "w"))'
        kept = {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}
        done = subprocess.run(
            ["bash", "-euc", f". jobscripts/{site}/site.sh; launch {ranks} {sys.executable} -c '{ask}'"],
            cwd=self.checkout,
            env=kept
            | {
                "PATH": self.stand_ins + ":" + kept["PATH"],
                "THREADS": str(threads),
                "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [set(path.read_text().split()) for path in pathlib.Path(folder).iterdir()]

    def test_a_rank_gets_a_cpu_for_each_of_its_threads(self):
        for site in SITES:
            with self.subTest(site=site):
                (cpus,) = self.allowed(site, 1, cores())
                self.assertGreaterEqual(len(cpus), cores())

    def test_hardware_threads_are_given_where_there_are_fewer_cores(self):
        there = len(os.sched_getaffinity(0))
        (cpus,) = self.allowed("generic", 1, there)
        self.assertEqual(len(cpus), there)

    def test_slurm_is_asked_for_a_cpu_for_each_thread(self):
        """srun itself has not been run: what it is told."""
        self.stand_in("srun", '#!/bin/bash\necho "srun $*"\n')
        environment = {"PATH": self.stand_ins + ":" + os.environ["PATH"], "THREADS": "48", "SLURM_JOB_ID": "1"}
        done = subprocess.run(["bash", "-euc", ". jobscripts/generic/site.sh; launch 2 himeno"], cwd=self.checkout,
                              env=environment, capture_output=True, text=True, timeout=60, check=True)
        self.assertIn("--ntasks=2 --ntasks-per-node=1 --cpus-per-task=48 env OMP_NUM_THREADS=48 ", done.stdout)

    def test_two_ranks_here_share_no_cpu(self):
        first, second = self.allowed("generic", 2, cores())
        self.assertGreaterEqual(len(first), cores() // 2)
        self.assertEqual(first & second, set())

    def test_more_ranks_here_than_cpus_take_turns(self):
        there = os.sched_getaffinity(0)
        ranks = self.allowed("generic", len(there) + 1, len(there))
        self.assertEqual(ranks, [{str(cpu) for cpu in there}] * (len(there) + 1))


if __name__ == "__main__":
    if not is_open_mpi() or cores() < 2:
        print("skipped: it takes Open MPI and two cores")
        sys.exit(77)
    unittest.main()
