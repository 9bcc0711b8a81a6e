# How the job scripts are submitted, what they start and build, by stand-ins of the sites' schedulers.
import os
import shutil
import subprocess
import unittest

from jobs import PROGRAM, SITES, Jobs


class Submitted(Jobs):
    def test_options_win_over_the_lines_of_the_file(self):
        wanted = {"miyabi-g": {"-W": "group_list=GROUP", "-q": "regular-g", "-l select": "select=1:mpiprocs=1:ompthreads=72",
                               "-l place": "place=scatter"},
                  "miyabi-c": {"-W": "group_list=GROUP", "-q": "regular-c", "-l select": "select=1:mpiprocs=1",
                               "-l place": "place=scatter"},
                  "pegasus": {"-A": "PROJECT", "-q": "gen_S", "-b": "1", "-T": "openmpi", "--cpunum-lhost": "48",
                              "--gpunum-lhost": "1"},
                  "vista": {"--account": "PROJECT", "--partition": "gh", "--nodes": "1"},
                  "slurm": {"--account": "ACCOUNT", "--nodes": "1", "--gpus-per-node": "1", "--mem": "450G"}}
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                code, said = self.submit(site, "membench", *(["--mem=450G"] if site == "slurm" else []))
                self.assertEqual((code, self.results()), (0, [f"results/{site}/membench.h5"]), said)
                self.assertEqual(self.asked() | wanted[site], self.asked())
                self.assertTrue((self.checkout / self.results()[0]).stat().st_mode & 0o040, "the group cannot read it")

    def test_scaling_uses_the_nodes_of_the_job(self):
        nodes = {"miyabi-g": ("-l", "select=4:mpiprocs=1:ompthreads=72"), "miyabi-c": ("-l", "select=4:mpiprocs=1"),
                 "pegasus": ("-b", "4"), "slurm": ("--nodes=4",), "vista": ("--nodes=4",)}
        for site, option in nodes.items():
            with self.subTest(site=site):
                self.setUp()
                # All sites start the same runs: one has all steps.
                steps, spaces = ("strong+weak+heat", "system+device") if site == "slurm" else ("strong", "system")
                code, said = self.submit(site, steps, *option, SPACES=spaces, SWEEPS="temporal:2", SIZE="S",
                                         MPI_ENV="MPI_VARIABLE=everywhere", THREADS="3")
                self.assertEqual(code, 0, said)
                if site == "slurm":
                    self.assertEqual(self.ranks(), [1, 1, 1, 2, 2, 2, 4, 4, 4, 1, 1, 2, 2, 4, 4])
                    self.assertIn(f"results/{site}/weak-4-device-temporal2.h5", self.results())
                    self.assertIn("himeno --size 1024x1024x1024 --ranks 2x2x1 --iterations 300 --memspace system --sweep",
                                  said)  # fmt: skip
                    self.assertIn("-- heat-4: no program heat in this build", said)
                else:
                    self.assertEqual(self.ranks(), [1, 1, 2, 2, 4, 4])
                # Nothing that the job exports is there on other nodes; env in front of the program is.
                self.assertEqual([run for run in self.runs() if "[everywhere 3]" not in run], [])
                self.assertEqual(len(self.runs()), sum(self.ranks()))

    def test_one_rank_a_gpu(self):
        self.command("nvidia-smi", '[[ $1 == -L ]] && printf "GPU %d: a GPU\\n" 0 1 2 3\n')
        code, said = self.submit("slurm", "exchange", "--nodes=2", "--ntasks-per-node=4", SRUN_MPI="pmix")
        self.assertEqual((code, self.ranks()), (0, [2, 4, 8]), said)
        self.assertIn(" --nodes=2 --ntasks=8 --ntasks-per-node=4 --cpus-per-task=36 ", self.launched()[-1])
        self.assertNotIn("WARNING: 4 GPUs", said)
        self.assertIn("-- heat-6: ", self.submit("slurm", "heat", "--nodes=6")[1])
        self.assertIn("-- exchange: ", self.submit("slurm", "exchange")[1])
        self.assertIn("WARNING: 4 GPUs and 1 ranks a node", self.submit("slurm", "exchange", "--nodes=2")[1])

    def test_srun_takes_the_mpi_that_is_named(self):
        for named in ("pmi2", ""):  # by itself none, since the programs here have no Open MPI
            code, said = self.run_command("sbatch", "--nodes=2", "jobscripts/slurm.sh", STEPS="exchange", SRUN_MPI=named)
            self.assertEqual(code, 0, said)
            self.assertEqual("--mpi=pmi2" in self.launched()[-1], bool(named))
            self.assertEqual("--mpi" in self.launched()[-1], bool(named))
            shutil.rmtree(self.checkout / "results")

    def test_pbs_on_one_node_is_named(self):
        nodes = ("-l", "select=2:mpiprocs=1:ompthreads=72")
        code, said = self.submit("miyabi-g", "check", *nodes)
        self.assertEqual((code, "place=scatter" in said, "on 2 nodes" in said), (0, False, True), said)
        code, said = self.submit("miyabi-g", "check", *nodes, "-l", "place=pack")
        self.assertIn("WARNING: 1 nodes for 2 ranks: ask for -l place=scatter", said)

    def test_open_mpi_without_the_library_of_pbs_reads_the_nodes(self):
        for tm, hostfile in (("1", False), ("0", True)):
            self.assertEqual(self.submit("miyabi-c", "exchange", "-l", "select=2:mpiprocs=1", TM=tm, RESULTS=f"results/{tm}")[0], 0)
            self.assertEqual("--hostfile" in self.launched()[-1], hostfile, self.launched())

    def test_variables_of_mpi_with_commas(self):
        page = """STEPS=membench,MPI_ENV="MPI_VARIABLE=b,c D=e\""""
        code, said = self.run_command("qsub", "-v", page, "jobscripts/miyabi-g.sh")
        self.assertEqual((code, "[b,c 72]" in self.runs()[0]), (0, True), said)
        self.assertNotEqual(self.run_command("qsub", "-v", "STEPS=membench,MPI_ENV=A=b,c", "jobscripts/miyabi-g.sh")[0], 0)

    def test_another_folder_is_named(self):
        (self.checkout / "jobscripts").rename(self.checkout / "scripts")
        for site in SITES:
            code, said = self.submit(site, "membench", folder="scripts")
            self.assertEqual((code, said.splitlines()[-1]), (2, "submit it from the checkout"))

    def test_modules_that_are_not_there_end_the_job(self):
        for site in SITES:
            self.assertEqual(self.submit(site, "membench", MODULES="nosuch")[0], 1)
        self.assertEqual(self.results(), [])

    def test_build_downloads_nothing_and_takes_all_processors(self):
        for site, preset in (("miyabi-g", "miyabi-g"), ("miyabi-c", "openmp"), ("pegasus", "pegasus"), ("slurm", "cuda"),
                             ("vista", "miyabi-g")):
            code, said = self.submit(site, "build", CXX="/opt/nvidia/bin/nvc++", CMAKE_ARGS="-DA=1")
            configured = "-DFETCHCONTENT_FULLY_DISCONNECTED=ON -DBUILD_TESTING=OFF -DA=1, CXX=g++\n"
            self.assertEqual(code, 0, said)
            # OMP_NUM_THREADS, which PBS sets to 1, is not the number of processors.
            built = f"cmake --build --preset {preset} --parallel {len(os.sched_getaffinity(0))}, CXX=g++\n"
            self.assertIn(f"cmake --fresh --preset {preset} {configured}{built}", said)
        self.assertIn(", CXX=clang++-16\n", self.local("build", CXX="clang++-16")[1])

    def test_failed_build_measures_no_old_programs(self):
        self.command("himeno", PROGRAM, self.checkout / "build-openmp/bin")
        self.command("cmake", '[[ $1 != --build ]] && echo "cmake version 3.25.1"\n')
        code, said = self.local("build", "thesis")
        self.assertEqual((code, self.results(), said.splitlines()[-1]), (1, [], "FAILED: build"), said)

    def test_old_cmake_is_named(self):
        self.command("cmake", 'echo "cmake version 3.22.1"\n')
        code, said = self.local("build")
        self.assertEqual((code, "cmake is version 3.22.1, and 3.25 or newer is needed" in said), (2, True), said)

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
