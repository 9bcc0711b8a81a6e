# The job scripts of jobscripts/, with stand-ins for schedulers, launchers and programs.
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(os.environ["MEMSTENCIL_SOURCE"])
SITES = {"miyabi-g": "qsub", "miyabi-c": "qsub", "pegasus": "qsub", "slurm": "sbatch", "vista": "sbatch"}

# Leaves the file of its --output. What the file `rules` names fails: a line "WORDS=EXIT REASON", or has no end:
# "WORDS=endless". 124 is what timeout makes of that.
PROGRAM = """#!/bin/bash
echo "${0##*/} $* [$MPI_VARIABLE $OMP_NUM_THREADS]" >>"$STAND_INS/runs"
while IFS== read -r words does; do
  [[ " ${0##*/} $* " == *" $words "* ]] || continue
  [[ $does != endless ]] || exec sleep 600
  echo "${0##*/}: ${does#* }" >&2; exit "${does%% *}"
done <"$STAND_INS/rules"
while (($#)); do [[ $1 != --output ]] || touch "$2"; shift; done
"""


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-jobs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.checkout, self.bin = self.folder / "checkout", self.folder / "stand-ins"
        shutil.copytree(ROOT / "jobscripts", self.checkout / "jobscripts")
        shutil.copytree(ROOT / "tests/jobscripts", self.bin)
        for name in ("qsub", "sbatch", "mpirun", "srun", "module", "scontrol", "ompi_info"):
            (self.bin / name).symlink_to("stand_ins.py")
        # A login shell takes its PATH from here, and has the machine's function module.
        (self.folder / ".bash_profile").write_text(f'export PATH={self.bin}:$PATH\nmodule() {{ command module "$@"; }}\n')
        self.rules()
        self.command("nvidia-smi", '[[ $1 == -L ]] && echo "GPU 0: a GPU"\n')
        self.command("cmake", '[[ $1 == --version ]] && echo "cmake version 3.25.1" || echo "cmake $*, CXX=$CXX"\n')
        for name in ("himeno", "transpose", "membench"):
            self.command(name, PROGRAM, self.checkout / "build/bin")

    def command(self, name, text, folder=None):
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # perhaps a link to the stand-ins
        path.write_text(text if text.startswith("#!") else "#!/bin/bash\n" + text)
        path.chmod(0o755)

    def rules(self, *lines):
        (self.bin / "rules").write_text("".join(line + "\n" for line in lines))

    def environment(self):
        return {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder), "STAND_INS": str(self.bin)}

    def run_command(self, *words, **more):
        done = subprocess.run(words, cwd=self.checkout, env=self.environment() | more, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        return done.returncode, done.stdout

    def submit(self, site, steps, *options, folder="jobscripts", **variables):
        """The job's exit code and log. Variables reach a job of PBS and NQSV by -v alone."""
        script = f"{folder}/{site}.sh"
        if SITES[site] == "sbatch":
            return self.run_command("sbatch", *options, script, steps, **variables)
        if site == "pegasus":
            variables["NQSV_MPI_VER"] = "5.0.10/gcc11.4.0-cuda12.6.3"
        passed = ",".join(f"{name}={value}" for name, value in {"STEPS": steps, **variables}.items())
        return self.run_command("qsub", *options, "-v", passed, script)

    def local(self, *steps, **variables):
        return self.run_command("jobscripts/local.sh", *steps, **{"SITE": "here", "PRESET": "openmp", **variables})

    def log(self, key):
        path = self.bin / "log"
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [line[key] for line in lines if key in line]

    def runs(self):
        return (self.bin / "runs").read_text().splitlines() if (self.bin / "runs").exists() else []

    def results(self):
        return sorted(path.relative_to(self.checkout).as_posix() for path in self.checkout.glob("results/*/*"))

    def test_options_win_over_the_lines_of_the_file(self):
        wanted = {"miyabi-g": {"-W": "group_list=GROUP", "-q": "regular-g", "-l select": "select=1:mpiprocs=1:ompthreads=72"},
                  "miyabi-c": {"-W": "group_list=GROUP", "-q": "regular-c", "-l select": "select=1:mpiprocs=1"},
                  "pegasus": {"-A": "PROJECT", "-q": "gen_S", "-b": "1", "-T": "openmpi", "--cpunum-lhost": "48",
                              "--gpunum-lhost": "1"},
                  "vista": {"--account": "PROJECT", "--partition": "gh", "--nodes": "1"},
                  "slurm": {"--account": "ACCOUNT", "--nodes": "1", "--gpus-per-node": "1", "--mem": "450G"}}
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                code, said = self.submit(site, "membench", *(["--mem=450G"] if site == "slurm" else []))
                self.assertEqual((code, self.results()), (0, [f"results/{site}/membench.h5"]), said)
                (asked,) = self.log("submitted")
                self.assertEqual({**asked, **wanted[site]}, asked)

    def test_scaling_uses_the_nodes_of_the_job(self):
        nodes = {"miyabi-g": ("-l", "select=4:mpiprocs=1:ompthreads=72"), "miyabi-c": ("-l", "select=4:mpiprocs=1"),
                 "pegasus": ("-b", "4"), "slurm": ("--nodes=4",), "vista": ("--nodes=4",)}
        for site, option in nodes.items():
            with self.subTest(site=site):
                self.setUp()
                code, said = self.submit(site, "strong+weak+heat", *option, SPACES="system+device", SWEEPS="temporal:2",
                                         SIZE="S", MPI_ENV="MPI_VARIABLE=everywhere", THREADS="3")
                self.assertEqual(code, 0, said)
                self.assertEqual(self.log("ranks"), [1, 1, 1, 2, 2, 2, 4, 4, 4, 1, 1, 2, 2, 4, 4])
                self.assertIn(f"results/{site}/weak-4-device-temporal2.h5", self.results())
                self.assertIn("himeno --size 1024x1024x1024 --ranks 2x2x1 --iterations 300 --memspace system --sweep", said)
                self.assertIn("-- heat-4: no program heat in this build", said)
                # Nothing that the job exports is there on other nodes; env in front of the program is.
                self.assertEqual([run for run in self.runs() if "[everywhere 3]" not in run], [])
                self.assertEqual(len(self.runs()), sum(self.log("ranks")))

    def test_one_rank_a_gpu(self):
        self.command("nvidia-smi", '[[ $1 == -L ]] && printf "GPU %d: a GPU\\n" 0 1 2 3\n')
        code, said = self.submit("slurm", "exchange", "--nodes=2", "--ntasks-per-node=4", SRUN_MPI="pmix")
        self.assertEqual((code, self.log("ranks")), (0, [2, 4, 8]), said)
        self.assertIn(" --nodes=2 --ntasks=8 --ntasks-per-node=4 --cpus-per-task=36 ", self.log("launched")[-1])
        self.assertNotIn("WARNING: 4 GPUs", said)
        self.assertIn("WARNING: 4 GPUs and 1 ranks a node", self.submit("slurm", "exchange", "--nodes=2")[1])

    def test_interrupted_job_goes_on(self):
        self.rules("--memspace system=1 out of luck")
        code, said = self.local("node", MATRIX_SIZES="64+128", SPACES="device", SIZE="S", ITERATIONS="3")
        self.assertEqual((code, "FAILED: thesis-system: exit 1" in said), (1, True), said)
        here = self.results()
        self.assertEqual(sorted(pathlib.Path(each).stem for each in here), [
            "links", "membench", "migration", "patterns", "thesis-device", "thesis-managed", "thesis-managed-pre-touched",
            "transpose-128", "transpose-128-device", "transpose-128-double", "transpose-64"])
        self.assertIn("himeno --size S --iterations 3 --first-touch host --memspace managed --pre-touch device", said)
        (self.bin / "runs").unlink()
        self.rules()
        code, said = self.local("thesis", "membench", SIZE="S", ITERATIONS="3")
        self.assertEqual((code, len(self.runs()), len(self.results())), (0, 2, len(here) + 2), said)

    def test_endless_run_is_ended(self):
        self.rules("membench=endless")
        code, said = self.local("membench", LIMIT="1")
        self.assertEqual((code, "FAILED: membench: ended after 1 s" in said), (1, True), said)

    def test_endless_ranks_end_the_job(self):
        self.rules("--memspace managed=124 ended")
        code, said = self.local("thesis")
        self.assertEqual((code, said.count(": ended after 900 s")), (1, 2), said)
        self.assertIn("results/here/thesis-system.h5", self.results())
        code, said = self.local("strong", RANKS="2", SWEEPS="single", SPACES="device+managed+system")
        self.assertEqual((code, said.count("== strong-2-")), (1, 2), said)

    def test_killed_ranks_end_their_run_alone(self):
        for code in ("137", "9"):  # of Open MPI and srun; of MPICH
            self.rules(f"--memspace managed={code} killed")
            failed, said = self.local("strong", RANKS="2", SWEEPS="single", SPACES="managed+system", SITE=code)
            self.assertIn(f"FAILED: strong-2-managed-single: killed, perhaps out of memory (exit {code})\n", said)
            self.assertEqual((failed, f"results/{code}/strong-2-transpose.h5" in self.results()), (1, True))

    def test_failures_are_named_after_a_refusal(self):
        self.rules("--memspace system=1 out of luck")
        (self.checkout / "build/bin/transpose").unlink()
        code, said = self.local("thesis", "transpose")
        self.assertEqual(code, 2)
        self.assertIn("measure.sh: no transpose in build/bin", said)
        self.assertEqual(said.count("\nFAILED: thesis-system"), 2, said)

    def test_failures_are_named_after_qdel(self):
        self.rules("--memspace device=1 out of luck", "--memspace managed=endless")
        path = self.folder / "log"
        with open(path, "w", encoding="utf-8") as log:
            job = subprocess.Popen(["jobscripts/local.sh", "thesis"], cwd=self.checkout, stdout=log, env={
                **self.environment(), "SITE": "here", "PRESET": "openmp"})  # fmt: skip
        while not any("--memspace managed" in run for run in self.runs()):
            time.sleep(0.1)
        job.terminate()
        self.assertEqual(job.wait(timeout=60), 143)
        self.assertEqual(path.read_text().splitlines()[-2:], ["FAILED: thesis-device: exit 1",
                                                              "FAILED: thesis-managed: the job was ended from outside"])

    def test_pbs_on_one_node_is_named(self):
        nodes = ("-l", "select=2:mpiprocs=1:ompthreads=72")
        code, said = self.submit("miyabi-g", "check", *nodes)
        self.assertEqual((code, "WARNING" in said, "on 2 nodes" in said), (0, False, True), said)
        code, said = self.submit("miyabi-g", "check", *nodes, "-l", "place=pack")
        self.assertIn("WARNING: 1 nodes for 2 ranks: ask for -l place=scatter", said)

    def test_pbs_results_are_readable_for_the_group(self):
        self.assertEqual(self.submit("miyabi-g", "membench")[0], 0)
        self.assertTrue((self.checkout / "results/miyabi-g/membench.h5").stat().st_mode & 0o040)

    def test_open_mpi_without_the_library_of_pbs_reads_the_nodes(self):
        for tm, hostfile in (("1", False), ("0", True)):
            self.assertEqual(self.submit("miyabi-c", "exchange", "-l", "select=2:mpiprocs=1", TM=tm, RESULTS=f"results/{tm}")[0], 0)
            self.assertEqual("--hostfile" in self.log("launched")[-1], hostfile, self.log("launched"))

    def test_variables_of_mpi_with_commas(self):
        page = """STEPS=membench,MPI_ENV="MPI_VARIABLE=b,c D=e\""""
        code, said = self.run_command("qsub", "-v", page, "jobscripts/miyabi-g.sh")
        self.assertEqual((code, "[b,c 72]" in self.runs()[0]), (0, True), said)
        self.assertNotEqual(self.run_command("qsub", "-v", "STEPS=membench,MPI_ENV=A=b,c", "jobscripts/miyabi-g.sh")[0], 0)

    def test_another_folder_is_told(self):
        (self.checkout / "jobscripts").rename(self.checkout / "scripts")
        for site in SITES:
            code, said = self.submit(site, "membench", folder="scripts")
            self.assertEqual((code, said.splitlines()[-1]),
                             (2, "submit it from the checkout"))

    def test_modules_that_are_not_there_end_the_job(self):
        self.command("module", "[[ $1 != load ]] || exit 1\n")
        for site in SITES:
            self.assertEqual(self.submit(site, "membench", MODULES="nosuch")[0], 1)
        self.assertEqual(self.results(), [])

    def test_check_gives_verdicts(self):
        self.rules("--memspace system=3 no HMM", "--halo nccl=3 no NCCL here", "--halo peer=4 rank 1: 3 points differ",
                   "--halo staged=124 ended", "--memspace managed=1 crash", "--memspace host-pinned=137 killed")
        code, said = self.local("check", RANKS="2", PRESET="cuda")
        verdicts = {line[:36].strip(): " ".join(line[36:].split()) for line in said.splitlines()}
        self.assertEqual(code, 1, said)
        for what, verdict in {"memory device": "served", "memory system": "refused himeno: no HMM",
                              "messages by nccl on 1 nodes": "refused himeno: no NCCL here",
                              "messages by peer on 1 nodes": "wrong himeno: rank 1: 3 points differ",
                              "messages by staged on 1 nodes": "failed ended after 60 s: himeno: ended",
                              "messages of managed on 1 nodes": "failed exit 1: himeno: crash",
                              "memory host-pinned": "failed killed, perhaps out of memory (exit 137): himeno: killed"}.items():
            self.assertEqual(verdicts.get(what), verdict, said)
        self.assertIn("device pointers by MPI: served on 1 nodes\n", said)
        self.assertIn("device pointers by MPI: not known, it takes two GPUs", self.local("check", PRESET="cuda")[1])
        self.assertNotIn("device pointers", self.local("check")[1])

    def test_check_shows_the_first_paragraph_of_a_launcher(self):
        message = ["------", "The application was started", "  by srun, and MPI", "knows nothing of it.", "", "Configure as needed."]
        self.command("himeno", "".join(f"echo '{line}'\n" for line in message) + "exit 1\n", self.checkout / "build/bin")
        code, said = self.local("check")
        self.assertIn("failed   exit 1: The application was started by srun, and MPI knows nothing of it. \n", said)
        self.assertEqual((code, said.count("FAILED: memory device: failed\n")), (1, 1))

    def test_refusals(self):
        def refused(says, answer):
            self.assertEqual(answer[0], 2, answer[1])
            self.assertIn("measure.sh: " + says, answer[1].splitlines()[-1])
            self.assertEqual(self.runs(), [])

        refused("no step 'thsis': there are check build", self.local("thsis"))
        refused("name a step", self.local())
        refused("a job script starts it", self.run_command("jobscripts/measure.sh", "check", SITE="here", PRESET="openmp"))
        self.command("nvidia-smi", "exit 9\n")
        refused("no GPU in this job: ask for one", self.submit("pegasus", "membench"))
        shutil.rmtree(self.checkout / "build")
        refused("no himeno in build/bin: run the step build first, or set BIN", self.local("thesis"))
        code, said = self.run_command("qsub", "-v", "STEPS=check", "jobscripts/pegasus.sh")
        self.assertNotEqual(code, 0)
        self.assertIn("NQSV_MPI_VER: name it in -v", said.splitlines()[-1])

    def test_build_downloads_nothing(self):
        for site, preset in (("miyabi-g", "miyabi-g"), ("miyabi-c", "openmp"), ("pegasus", "pegasus"), ("slurm", "cuda"),
                             ("vista", "miyabi-g")):
            code, said = self.submit(site, "build", CXX="/opt/nvidia/bin/nvc++", CMAKE_ARGS="-DA=1")
            configured = "-DFETCHCONTENT_FULLY_DISCONNECTED=ON -DBUILD_TESTING=OFF -DA=1, CXX=g++\n"
            self.assertEqual(code, 0, said)
            self.assertIn(f"cmake --fresh --preset {preset} {configured}cmake --build --preset {preset} ", said)
        self.assertIn(", CXX=clang++-16\n", self.local("build", CXX="clang++-16")[1])
        self.command("cmake", '[[ $1 != --build ]] && echo "cmake version 3.25.1"\n')
        code, said = self.local("build", "membench")
        self.assertEqual((code, self.results(), said.splitlines()[-1]), (1, [], "FAILED: build"), said)
        self.command("cmake", 'echo "cmake version 3.22.1"\n')
        code, said = self.local("build")
        self.assertEqual((code, "cmake is version 3.22.1, and 3.25 or newer is needed" in said), (2, True), said)

    def test_work_of_others_is_named(self):
        self.command("ps", 'echo "somebody 99.5 quantum"; echo "$(id -un) 99.5 mine"; echo "root 0.1 systemd"\n')
        said = self.local("membench")[1]
        self.assertEqual([line for line in said.splitlines() if "WARNING" in line],
                         ["WARNING: others work here: somebody 99.5 quantum"])

    def test_two_ranks_share_no_core(self):
        mpirun = shutil.which(os.environ.get("MPIRUN", "mpirun"))
        if len(os.sched_getaffinity(0)) < 2 or not mpirun or b"Open" not in subprocess.check_output([mpirun, "--version"]):
            self.skipTest("it takes Open MPI and two cores")
        (self.bin / "mpirun").unlink()
        (self.bin / "mpirun").symlink_to(mpirun)
        self.command("membench", f"grep Cpus_allowed_list /proc/self/status >{self.folder}/$$.cpus\n", self.checkout / "build/bin")
        mpi = {name: value for name, value in os.environ.items() if name.startswith("OMPI_MCA_")}
        mpi |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        code, said = self.local("exchange", RANKS="2", **mpi)
        self.assertEqual(code, 0, said)
        first, second = (path.read_text() for path in self.folder.glob("*.cpus"))
        self.assertNotEqual(first, second, said)


if __name__ == "__main__":
    unittest.main()
