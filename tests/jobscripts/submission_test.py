# What the job scripts say to scheduler and build, and what they refuse.
import os
import subprocess
import unittest

from sites import CMAKE, PROGRAM, SITES, SiteTest


class JobSubmission(SiteTest):
    def test_build_configures_with_the_preset_of_the_site_and_downloads_nothing(self):
        for site, preset in (("miyabi-g", "miyabi-g"), ("pegasus", "pegasus"), ("generic", "openmp")):
            with self.subTest(site=site):
                self.setUp()
                self.stand_in("cmake", CMAKE)
                self.good(site, "build")
                configured = f"cmake --preset {preset} -DFETCHCONTENT_FULLY_DISCONNECTED=ON\n"
                self.assertIn(f"{configured}cmake --build --preset {preset} ", self.log())

    def test_the_scheduler_is_told_project_queue_and_nodes(self):
        self.good("miyabi-g", "thesis", WALLTIME="00:30:00")
        self.assertIn(
            "qsub -W group_list=gz00 -q stand-in -l select=1:mpiprocs=1 -l walltime=00:30:00 ", self.log()
        )
        self.assertIn("module load nvidia nv-hpcx cmake", self.log())
        self.setUp()
        self.good("pegasus", "thesis")
        self.assertIn(
            "qsub -A gz00 -q stand-in -b 1 -l elapstim_req=02:00:00 -T openmpi -v NQSV_MPI_VER=4.1.8/stand-in,STEP=thesis,NODES=1", self.log()
        )
        self.assertIn("mpirun --nqsv-stand-in --nqsv-stand-in -np 1 --map-by ppr:1:node:PE=1 ", self.log())
        self.setUp()
        self.good("generic", "thesis")
        self.assertIn("sbatch --account=gz00 --partition=stand-in --nodes=1 --time=02:00:00 ", self.log())

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
                environment = self.environment(site)
                environment[variable] = ""
                done = subprocess.run(
                    [os.path.join(self.checkout, "jobscripts", site, "submit.sh"), "thesis"],
                    env=environment,
                    capture_output=True,
                    text=True,
                    timeout=60,
                    check=False,
                )
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
                (("strong", "4x"), "4x is no number of nodes"),
                (("thesis", "0"), "0 is no number of nodes"),
                (("thesis", "-1"), "-1 is no number of nodes"),
            ):
                with self.subTest(site=site, arguments=arguments):
                    self.setUp()
                    done = self.submit(site, *arguments)
                    self.assertEqual(done.returncode, 2, self.told)
                    self.assertIn(says, done.stderr)
                    self.assertNotIn("unbound variable", done.stderr)

    def test_a_submission_says_the_node_hours_that_it_asks_for(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                self.stand_in("cmake", CMAKE)
                done = self.good(site, "build", "3", WALLTIME="00:20:00")
                self.assertIn("build: 3 nodes for at most 00:20:00, 1.00 node-hours", done.stderr)

    def test_each_paper_probe_is_a_step_of_its_own(self):
        os.makedirs(programs := os.path.join(self.folder, "programs"))
        for probe in ("link", "patterns", "migration"):
            with self.subTest(probe=probe):
                self.setUp()
                os.makedirs(programs, exist_ok=True)
                self.executable(os.path.join(programs, "membench"), PROGRAM)
                self.good("miyabi-g", f"paper-{probe}", BIN=programs)
                self.assertIn(f"membench {probe} --paper ", self.log())
                self.assertEqual(self.log().count(" membench "), 1, self.log())

    def test_results_of_a_slurm_job_have_the_name_of_the_cluster_not_of_a_node(self):
        os.makedirs(programs := os.path.join(self.folder, "programs"))
        self.executable(os.path.join(programs, "himeno"), PROGRAM)
        environment = self.environment("generic", BIN=programs) | {"SLURM_CLUSTER_NAME": "bebop"}
        submit = os.path.join(self.checkout, "jobscripts/generic/submit.sh")
        subprocess.run([submit, "thesis"], env=environment, capture_output=True, timeout=60, check=True)
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
        self.assertEqual(len(done.stderr.splitlines()), 1, self.told)
        self.assertIn("no himeno in build-openmp/bin or build/bin", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.stand_ins, "mpirun.log")))

    def test_a_job_of_which_nothing_could_run_fails(self):
        os.makedirs(programs := os.path.join(self.folder, "programs"))
        self.executable(os.path.join(programs, "himeno"), "#!/bin/bash\nexit 3\n")
        done = self.submit("generic", "thesis", script="local.sh", BIN=programs)
        self.assertEqual(done.returncode, 3, self.told)
        self.assertIn("no run was possible", done.stderr)

    def test_a_build_is_told_the_compiler_and_where_libraries_are(self):
        self.stand_in("cmake", '#!/bin/bash\necho "cmake with $CXX, $CMAKE_PREFIX_PATH" >>"$STAND_INS/log"\n')
        self.stand_in("my-g++", "#!/bin/bash\necho 12\n")
        for site in SITES:
            with self.subTest(site=site):
                self.good(site, "build", CXX="my-g++", CMAKE_PREFIX_PATH="/opt/hdf5")
                self.assertIn("cmake with my-g++, /opt/hdf5", self.log())
                os.remove(os.path.join(self.stand_ins, "log"))

    def test_a_compiler_that_is_too_old_is_named_before_the_build(self):
        self.stand_in("old-g++", "#!/bin/bash\necho 8\n")
        self.stand_in("cmake", CMAKE)
        for site in SITES:
            with self.subTest(site=site):
                done = self.submit(site, "build", CXX="old-g++")
                self.assertEqual(done.returncode, 2, self.told)
                self.assertIn("old-g++ is version 8, and 11 or newer is needed", done.stderr)

    def test_an_unknown_step_fails_and_says_what_there_is_before_it_is_submitted(self):
        for site, script in (("generic", "local.sh"), *((site, "submit.sh") for site in SITES)):
            with self.subTest(site=site, script=script):
                done = self.submit(site, "sleep", script=script)
                self.assertEqual(done.returncode, 2, self.told)
                self.assertIn("there are build, membench, paper-link, paper-patterns, paper-migration, thesis, strong, weak and transpose", done.stderr)
                self.assertFalse(os.path.exists(os.path.join(self.checkout, "results")), self.told)

    def test_a_run_that_fails_ends_the_job(self):
        done = self.submit("generic", "thesis", script="local.sh", SIZE="no-size")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("failed with 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
