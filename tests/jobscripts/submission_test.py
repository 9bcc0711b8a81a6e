# What the job scripts say to scheduler and build, and what they refuse.
import os
import subprocess
import unittest

from sites import CMAKE, PROGRAM, SITES, SiteTest


class JobSubmission(SiteTest):
    def programs(self, *names, text=PROGRAM):
        """A folder with stand-ins of these programs."""
        folder = os.path.join(self.folder, "programs")
        os.makedirs(folder, exist_ok=True)
        for name in names:
            self.executable(os.path.join(folder, name), text)
        return folder

    def test_build_configures_with_the_preset_of_the_site_and_downloads_nothing(self):
        for site, preset in (("miyabi-g", "miyabi-g"), ("pegasus", "pegasus"), ("generic", "openmp")):
            with self.subTest(site=site):
                self.setUp()
                self.stand_in("cmake", CMAKE)
                self.good(site, "build")
                arguments = "-DFETCHCONTENT_FULLY_DISCONNECTED=ON -DBUILD_TESTING=OFF -DMEMSTENCIL_HDF5=ON"
                configured = f"cmake --fresh --preset {preset} {arguments}\n"
                self.assertIn(f"{configured}cmake --build --preset {preset} ", self.log())

    def test_the_scheduler_is_told_project_queue_and_nodes(self):
        self.good("miyabi-g", "thesis", WALLTIME="00:30:00")
        self.assertIn(
            "qsub -W group_list=gz00 -q stand-in -l select=1:mpiprocs=1 -l walltime=00:30:00 ", self.log()
        )
        self.assertIn("module load nvidia nv-hpcx cmake", self.log())
        self.setUp()
        self.good("pegasus", "thesis", WALLTIME="2:00:00")
        self.assertIn(
            "qsub -A gz00 -q stand-in -b 1 -l elapstim_req=02:00:00 -T openmpi -v NQSV_MPI_VER=4.1.8/stand-in,STEP=thesis,NODES=1", self.log()
        )
        self.assertIn("mpirun --nqsv-stand-in --nqsv-stand-in -np 1 --map-by ppr:1:node:PE=1 ", self.log())
        self.setUp()
        self.good("generic", "thesis")
        self.assertIn("sbatch --account=gz00 --partition=stand-in --nodes=1 --time=01:00:00 ", self.log())

    def test_a_gpu_is_asked_for_where_the_build_needs_one(self):
        for preset, asks in (("openmp", False), ("cuda", True)):
            with self.subTest(preset=preset):
                self.setUp()
                self.good("generic", "thesis", PRESET=preset, BIN=self.programs("himeno"))
                self.assertEqual("--gpus-per-node=1" in self.log(), asks, self.log())

    def test_srun_is_told_the_kind_of_mpi(self):
        self.good("generic", "thesis", SRUN_MPI="pmix", BIN=self.programs("himeno"))
        self.assertIn("srun --mpi=pmix --nodes=1 ", self.log())

    def test_ranks_that_srun_starts_alone_are_told(self):
        alone = """#!/bin/bash
while [[ $1 == --* ]]; do [[ $1 == --ntasks=* ]] && export SLURM_STEP_NUM_TASKS=${1#*=}; shift; done
exec "$@"
"""
        environment = self.environment("generic")
        self.stand_in("srun", alone)
        done = self.submit("generic", "strong", "2", environment=environment)
        self.assertIn("himeno: srun started 2 ranks (SLURM_STEP_NUM_TASKS), and MPI (", done.stderr)

    def test_a_trial_of_the_submitting_shell_reaches_the_job(self):
        for site in ("miyabi-g", "pegasus"):
            with self.subTest(site=site):
                self.setUp()
                self.good(site, "thesis", SIZE="16x16x16", ITERATIONS="3")
                self.assertIn(",SIZE=16x16x16,ITERATIONS=3", self.log())
                self.assertIn("himeno --size 16x16x16 --iterations 3 ", self.log())

    def test_every_setting_reaches_the_job_at_every_site(self):
        given = {
            "BIN": os.path.join(self.folder, "my programs, 100%25"),
            "RESULTS": "my results",
            "SPACES": "system managed",
            "THREADS": "3",
            "SWEEPS": "temporal:2",
            "WEAK_BLOCK": "16 32 64",
            "MEMBENCH_ARGS": "--size 2MB --repeats 3",
            "SITE": "generic",  # of the other sites it is fixed
        }
        for site in SITES:
            for step, wanted in (
                ("thesis", ("--memspace system", "--memspace managed", "OMP_NUM_THREADS=3")),
                ("weak", ("himeno --size 16x32x64 ", "--memspace managed --sweep temporal:2")),
                ("membench", ("membench all --size 2MB --repeats 3 ",)),
            ):
                with self.subTest(site=site, step=step):
                    self.setUp()
                    os.makedirs(given["BIN"], exist_ok=True)
                    for program in ("himeno", "membench"):
                        self.executable(os.path.join(given["BIN"], program), PROGRAM)
                    self.good(site, step, "1", **given)
                    for each in (*wanted, f"--output my results/{site}-{step}-42.h5"):
                        self.assertIn(each, self.log())
                    self.assertNotIn("--memspace device --first-touch", self.log())

    def test_a_place_that_is_not_filled_in_is_named(self):
        for site, variable in (("miyabi-g", "PROJECT"), ("pegasus", "MPI_VERSION"), ("generic", "QUEUE")):
            with self.subTest(site=site):
                self.setUp()
                done = self.submit(site, "thesis", **{variable: ""})
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"{variable}: fill it in in jobscripts/{site}/site.sh", done.stderr)

    def test_a_checkout_under_home_is_refused_on_miyabi(self):
        script = ". jobscripts/miyabi-g/site.sh; PWD=/home/u00/memstencil; check_place"
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.checkout, capture_output=True, text=True, timeout=60, check=False
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("put the checkout under /work/", done.stderr)

    def test_threads_are_the_processors_there_are_whatever_openmp_was_told(self):
        processors = len(os.sched_getaffinity(0))
        done = subprocess.run(
            ["bash", "-c", ". jobscripts/generic/site.sh; echo $THREADS"],
            cwd=self.checkout,
            env=os.environ | {"OMP_NUM_THREADS": str(processors + 1)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        self.assertEqual(done.stdout, f"{processors}\n")

    def test_scaling_needs_the_number_of_nodes_and_nobody_guesses_it(self):
        for site in SITES:
            for arguments, says in (
                (("strong",), "strong needs the number of nodes"),
                (("weak",), "weak needs the number of nodes"),
                (("exchange",), "exchange needs the number of nodes"),
                (("exchange", "1"), "it needs two nodes or more"),
                (("strong", "4x"), "4x is no number of nodes"),
                (("thesis", "0"), "0 is no number of nodes"),
                (("thesis", "-1"), "-1 is no number of nodes"),
                (("thesis", "4"), "thesis runs on one node: leave 4 out"),
                (("build", "2"), "build runs on one node: leave 2 out"),
                (("paper-link", "2"), "paper-link runs on one node: leave 2 out"),
            ):
                with self.subTest(site=site, arguments=arguments):
                    self.setUp()
                    done = self.submit(site, *arguments)
                    self.assertEqual(done.returncode, 2, self.told)
                    self.assertIn(says, done.stderr)
                    self.assertNotIn("unbound variable", done.stderr)

    def test_scaling_ends_with_all_the_nodes(self):
        once = '#!/bin/bash\nwhile [[ $1 == --* ]]; do shift; done\nexec "$@"\n'
        for step, last in (("strong", "himeno --size XS "), ("weak", "himeno --size 96x64x64 --ranks 3x2x1 ")):
            with self.subTest(step=step):
                self.setUp()
                environment = self.environment("generic", BIN=self.programs("himeno"), SPACES="managed")
                self.stand_in("srun", once)
                done = self.submit("generic", step, "6", environment=environment)
                runs = [line for line in done.stdout.splitlines() if line.startswith("== ")]
                self.assertEqual([run.split()[1] for run in runs], ["1", "2", "4", "6"], self.told)
                self.assertIn(last, runs[-1])

    def test_a_rank_for_each_gpu_of_a_node_is_started_and_scaling_begins_within_one(self):
        once = '#!/bin/bash\necho "srun $*" >>"$STAND_INS/log"\nwhile [[ $1 == --* ]]; do shift; done\nexec "$@"\n'
        environment = self.environment("generic", PRESET="cuda", BIN=self.programs("himeno"), SPACES="managed",
                                       RANKS_PER_NODE="4")
        self.stand_in("srun", once)
        done = self.submit("generic", "strong", "2", environment=environment)
        self.assertEqual(done.returncode, 0, self.told)
        runs = [line for line in done.stdout.splitlines() if line.startswith("== ")]
        self.assertEqual([run.split()[1] for run in runs], ["1", "2", "4", "8"], self.told)
        self.assertIn(" --gpus-per-node=4 --time=01:00:00 --ntasks-per-node=4 ", self.log())
        for asked in ("--nodes=1 --ntasks=1 --ntasks-per-node=1 ", "--nodes=1 --ntasks=2 --ntasks-per-node=2 ",
                      "--nodes=1 --ntasks=4 --ntasks-per-node=4 ", "--nodes=2 --ntasks=8 --ntasks-per-node=4 "):
            self.assertIn("srun " + asked, self.log())

    def test_messages_within_a_node_need_no_second_one(self):
        done = self.good("generic", "exchange", "1", RANKS_PER_NODE="2", BIN=self.programs("membench"))
        self.assertIn("== 2 x membench exchange ", done.stdout)

    def test_steps_may_leave_their_runs_in_one_file(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                programs = self.programs("membench")
                for step in (["membench"], ["exchange", "2"]):
                    self.good(site, *step, RESULT="results/rates.h5", BIN=programs)
                    self.assertIn("--output results/rates.h5 --append ", self.log().splitlines()[-1])

    def test_transposes_scale_with_as_many_rows_a_rank_as_one_has(self):
        told = self.submit("generic", "transpose", "2", SPACES="managed", BIN=self.programs("transpose")).stdout
        runs = [line.split() for line in told.splitlines() if "--memspace managed" in line]
        self.assertEqual([(run[1], run[5]) for run in runs], [("1", "64"), ("1", "64"), ("2", "64"), ("2", "128")])

    def test_a_submission_says_the_node_hours_that_it_asks_for(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                done = self.good(site, "strong", "3", WALLTIME="00:10:00", BIN=self.programs("himeno"))
                self.assertIn("strong: 3 nodes for at most 00:10:00, 0.50 node-hours; 12 minutes are expected; that is too short",
                              done.stderr)

    def test_a_walltime_is_given_in_any_form_and_told_in_one(self):
        for given, told in (("30:00", "00:30:00, 0.50"), ("1-00:00:00", "24:00:00, 24.00"), ("", "01:00:00, 1.00"),
                            ("01:30:00", "01:30:00, 1.50"), ("100:00:09", "100:00:09, 100.00")):
            for site in SITES:
                with self.subTest(given=given, site=site):
                    done = self.good(site, "thesis", WALLTIME=given, BIN=self.programs("himeno"))
                    self.assertIn(f"thesis: 1 node for at most {told} node-hours; 16 minutes are expected\n", done.stderr)

    def test_what_is_no_walltime_is_refused(self):
        for given in ("banana", "90", "0:00", "1-2", "01:99:00", "-1:00:00"):
            for site in SITES:
                with self.subTest(given=given, site=site):
                    done = self.submit(site, "thesis", WALLTIME=given)
                    self.assertEqual(done.returncode, 2, self.told)
                    self.assertIn(f"WALLTIME={given} is no time; write hours:minutes:seconds", done.stderr)

    def test_a_step_here_says_what_is_expected_too(self):
        done = self.good("generic", "thesis", script="local.sh", BIN=self.programs("himeno"))
        self.assertIn("thesis: 16 minutes are expected of a GPU", done.stderr)

    def test_a_job_gets_the_memory_of_its_node_and_the_shell_that_it_is_written_for(self):
        for site, line in (("miyabi-g", "#PBS -S /bin/bash"), ("pegasus", "#PBS -S /bin/bash"),
                           ("generic", "#SBATCH --mem=0")):
            with open(os.path.join(self.checkout, "jobscripts", site, "job.sh"), encoding="utf-8") as file:
                self.assertIn(line + "\n", file.read())

    def test_each_paper_probe_is_a_step_of_its_own(self):
        for probe in ("link", "patterns", "migration"):
            with self.subTest(probe=probe):
                self.setUp()
                self.good("miyabi-g", f"paper-{probe}", BIN=self.programs("membench"))
                self.assertIn(f"membench {probe} --paper ", self.log())
                self.assertEqual(self.log().count(" membench "), 1, self.log())

    def test_results_of_a_slurm_job_have_the_name_of_the_cluster_not_of_a_node(self):
        programs = self.programs("himeno")
        self.good("generic", "thesis", BIN=programs, SLURM_CLUSTER_NAME="bebop")
        self.assertIn("--output results/bebop-thesis-42.h5 ", self.log())

    def test_programs_of_quickstart_are_found(self):
        programs = os.path.join(self.checkout, "build/bin")
        os.makedirs(programs)
        self.executable(os.path.join(programs, "himeno"), PROGRAM)
        self.good("generic", "thesis", script="local.sh", BIN="")
        self.assertIn("himeno --size XS ", self.log())

    def test_programs_that_are_missing_are_said_before_anything_runs(self):
        done = self.submit("generic", "thesis", script="local.sh", BIN="")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("no himeno in build-openmp/bin or build/bin", done.stderr.splitlines()[-1])
        self.assertNotIn("mpirun ", self.log())

    def test_programs_without_hdf5_are_said_before_anything_runs(self):
        programs = self.programs("himeno", text=PROGRAM.replace("HDF5 1.10", "HDF5 none"))
        for site in SITES:
            with self.subTest(site=site):
                done = self.submit(site, "thesis", BIN=programs)
                self.assertEqual(done.returncode, 2, self.told)
                self.assertIn("himeno was built without HDF5 and cannot write results", done.stderr)
                self.assertNotIn("== 1 x himeno", done.stdout)

    def test_what_mpirun_refuses_is_said_once_and_in_one_line(self):
        environment = self.environment("generic", BIN=self.programs("himeno"))
        self.stand_in("mpirun", """#!/bin/bash
[[ $1 == --version ]] && exit
printf '%s\\n' ------ 'mpirun has detected an attempt to run as root.' '' 'Running as root is discouraged.' ------ >&2
exit 1
""")
        done = self.submit("generic", "thesis", script="local.sh", environment=environment)
        self.assertEqual(done.returncode, 2, self.told)
        _, refused = done.stderr.splitlines()
        self.assertIn("himeno does not start: mpirun has detected an attempt to run as root.", refused)

    def test_a_job_of_which_nothing_could_run_fails(self):
        programs = self.programs("himeno", text="#!/bin/bash\n[[ $1 == --version ]] || exit 3\n")
        done = self.submit("generic", "thesis", script="local.sh", BIN=programs)
        self.assertEqual(done.returncode, 3, self.told)
        self.assertIn("no run was possible", done.stderr)

    def test_an_unknown_step_fails_and_says_what_there_is_before_it_is_submitted(self):
        for site, script in (("generic", "local.sh"), *((site, "submit.sh") for site in SITES)):
            with self.subTest(site=site, script=script):
                done = self.submit(site, "sleep", script=script)
                self.assertEqual(done.returncode, 2, self.told)
                self.assertIn("there are build, membench, exchange, thesis, transpose, strong, weak, paper-link, paper-patterns", done.stderr)
                self.assertFalse(os.path.exists(os.path.join(self.checkout, "results")), self.told)

    def test_a_run_that_fails_ends_the_job(self):
        done = self.submit("generic", "thesis", script="local.sh", SIZE="no-size")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("failed with 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
