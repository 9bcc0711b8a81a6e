# Each job script is submitted to a stand-in of its scheduler, which runs it as that scheduler would, on one or two
# local ranks and a small grid: what it measures has to stand in one result file.
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

ROOT = os.environ["MEMSTENCIL_SOURCE"]
BIN = os.environ["MEMSTENCIL_BIN"]
MPIRUN = os.environ.get("MPIRUN", "")

# Small enough for a test; the scripts take these for trials of a user, too.
TRIAL = {
    "SIZE": "XS",
    "ITERATIONS": "4",
    "SCALING_ITERATIONS": "4",
    "WEAK_BLOCK": "16 16 32",
    "MATRIX": "64",
    "MATRIX_SIZES": "32:64:32",
    "THREADS": "1",
    # Bound, all tests that run at the same time would share the first core.
    "OMP_PROC_BIND": "false",
    "MEMBENCH_ARGS": "--size 1MB --repeats 2 --experiments 1",
}

MODULE = """#!/bin/bash
echo "module $*" >>"$STAND_INS/log"
"""

# Starts real ranks here, where there are several. An mpirun under whose modules OMPI_MCA_mca_base_env_list is set refuses -x.
MPIRUN_STAND_IN = """#!/bin/bash
echo "mpirun $*" >>"$STAND_INS/log"
ranks=1 mine=()
while (($#)); do
  case $1 in
    -np) ranks=$2; shift 2 ;;
    -npernode) shift 2 ;;
    --nqsv-stand-in) shift ;;
    -x) echo "mpirun: -x and mca_base_env_list exclude each other" >&2; exit 213 ;;
    *) mine=("$@"); break ;;
  esac
done
((ranks == 1)) && exec "${mine[@]}"
exec $REAL_MPIRUN -np "$ranks" "${mine[@]}"
"""

SRUN = """#!/bin/bash
echo "srun $*" >>"$STAND_INS/log"
ranks=1
while [[ ${1:-} == --* ]]; do
  [[ $1 == --ntasks=* ]] && ranks=${1#*=}
  shift
done
((ranks == 1)) && exec "$@"
exec $REAL_MPIRUN -np "$ranks" "$@"
"""

CMAKE = """#!/bin/bash
echo "cmake $*" >>"$STAND_INS/log"
"""

# Copies the script away and runs it with what the scheduler sets, and nothing that the submitting shell had.
QSUB_PBS = """#!/bin/bash
echo "qsub $*" >>"$STAND_INS/log"
variables=() nodes=1
while (($# > 1)); do
  [[ $1 == -v ]] && IFS=, read -ra variables <<<"$2"
  [[ $1 == -l && $2 == select=* ]] && { nodes=${2#select=}; nodes=${nodes%%:*}; }
  shift
done
cp "$1" "$STAND_INS/spooled"
for ((n = 0; n < nodes; n++)); do echo "mg$n"; done >"$STAND_INS/nodes"
cd / && exec env -i "${variables[@]}" $KEPT PBS_O_WORKDIR="$SUBMITTED_IN" PBS_JOBID=42.opbs PBS_NODEFILE="$STAND_INS/nodes" \\
  WEAK_BLOCK="$WEAK_BLOCK" MEMBENCH_ARGS="$MEMBENCH_ARGS" REAL_MPIRUN="$REAL_MPIRUN" OMPI_MCA_mca_base_env_list=A bash "$STAND_INS/spooled"
"""

QSUB_NQSV = """#!/bin/bash
echo "qsub $*" >>"$STAND_INS/log"
variables=()
while (($# > 1)); do
  [[ $1 == -v ]] && IFS=, read -ra variables <<<"$2"
  shift
done
cp "$1" "$STAND_INS/spooled"
cd / && exec env -i "${variables[@]}" $KEPT PBS_O_WORKDIR="$SUBMITTED_IN" PBS_JOBID=0:42.nqsv NQSV_MPIOPTS="--nqsv-stand-in --nqsv-stand-in" \\
  WEAK_BLOCK="$WEAK_BLOCK" MEMBENCH_ARGS="$MEMBENCH_ARGS" REAL_MPIRUN="$REAL_MPIRUN" bash "$STAND_INS/spooled"
"""

SBATCH = """#!/bin/bash
echo "sbatch $*" >>"$STAND_INS/log"
for argument in "$@"; do
  [[ $argument == --nodes=* ]] && export SLURM_JOB_NUM_NODES=${argument#*=}
  [[ $argument == --export=ALL,* ]] && export "${argument#--export=ALL,}"
done
cp "${!#}" "$STAND_INS/spooled"
export SLURM_JOB_ID=42 SLURM_SUBMIT_DIR=$SUBMITTED_IN
cd / && exec bash "$STAND_INS/spooled"
"""

SITES = {
    "miyabi-g": {"qsub": QSUB_PBS, "mpirun": MPIRUN_STAND_IN},
    "pegasus": {"qsub": QSUB_NQSV, "mpirun": MPIRUN_STAND_IN},
    "generic": {"sbatch": SBATCH, "srun": SRUN, "mpirun": MPIRUN_STAND_IN},
}


class JobScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-jobs-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # The scripts as a checkout has them, so that a job may write where it was submitted.
        self.checkout = os.path.join(self.folder, "checkout")
        shutil.copytree(os.path.join(ROOT, "jobscripts"), os.path.join(self.checkout, "jobscripts"))
        self.stand_ins = os.path.join(self.folder, "stand-ins")
        os.mkdir(self.stand_ins)

    def stand_in(self, name, text):
        path = os.path.join(self.stand_ins, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def environment(self, site, **more):
        for name, text in {"module": MODULE, **SITES[site]}.items():
            self.stand_in(name, text)
        path = self.stand_ins + ":" + os.environ["PATH"]
        given = {
            "PATH": path,
            "HOME": self.folder,
            "STAND_INS": self.stand_ins,
            "BIN": BIN,
            "PRESET": "openmp",
            **TRIAL,
            **more,
        }
        kept = [f"{key}={value}" for key, value in given.items() if " " not in value]
        return {
            **given,
            "KEPT": " ".join(kept),
            "SUBMITTED_IN": self.checkout,
            "REAL_MPIRUN": MPIRUN,
            "PROJECT": "gz00",
            "QUEUE": "stand-in",
            "MPI_VERSION": "4.1.8/stand-in",
            "MODULES": "gcc openmpi",
        }

    def submit(self, site, *arguments, script="submit.sh", **more):
        done = subprocess.run(
            [os.path.join(self.checkout, "jobscripts", site, script), *arguments],
            cwd="/",
            env=self.environment(site, **more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )
        self.told = f"{site} {arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def good(self, site, *arguments, **more):
        done = self.submit(site, *arguments, **more)
        self.assertEqual(done.returncode, 0, self.told)
        return done

    def log(self):
        with open(os.path.join(self.stand_ins, "log"), encoding="utf-8") as file:
            return file.read()

    def runs(self):
        """(program, size or rows or probes, ranks) of each run of the job's one result file."""
        folder = os.path.join(self.checkout, "results")
        files = os.listdir(folder)
        self.assertEqual(len(files), 1, self.told)
        with h5py.File(os.path.join(folder, files[0])) as file:
            found = []
            for run in file["runs"].values():
                self.assertIn("hostname", run["machine"].attrs)
                ranks = tuple(run["ranks"][:].tolist()) if "ranks" in run else None
                found.append((run.attrs["program"], run.attrs.get("size"), ranks))
            return files[0], found

    def test_each_site_runs_the_thesis_cases_into_one_file(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                done = self.good(site, "thesis", SITE="here")
                name, runs = self.runs()
                self.assertTrue(name.endswith("-thesis-42.h5"), name)
                # Each of the four memory spaces ran, or was said to be beyond this machine.
                passed_over = done.stdout.count("this machine cannot do it")
                self.assertEqual(runs, [("himeno", "XS", (1, 1, 1))] * (4 - passed_over))
                self.assertGreater(len(runs), 1, self.told)

    def test_each_site_scales_over_its_nodes(self):
        if not MPIRUN:
            self.skipTest("built without MPI")
        for site in SITES:
            for step, last in (("strong", ("XS", 2)), ("weak", ("32x16x32", 2))):
                with self.subTest(site=site, step=step):
                    self.setUp()
                    self.good(site, step, "2")
                    _, runs = self.runs()
                    self.assertEqual(len(runs), 2, self.told)
                    program, size, ranks = runs[1]
                    self.assertEqual((program, size, ranks[0] * ranks[1] * ranks[2]), ("himeno", *last))

    def test_membench_adds_a_run_for_all_and_one_for_each_paper_probe_that_runs_here(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                done = self.good(site, "membench")
                _, runs = self.runs()
                self.assertEqual({run[0] for run in runs}, {"membench"})
                # The probes that need a GPU are passed over, and said to be.
                passed_over = done.stdout.count("this machine cannot do it")
                self.assertEqual(len(runs) + passed_over, 4, self.told)

    @unittest.skipUnless(os.path.exists(os.path.join(BIN, "transpose")), "this build has no transpose")
    def test_transpose_adds_its_runs(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                done = self.good(site, "transpose")
                _, runs = self.runs()
                self.assertEqual({run[0] for run in runs}, {"transpose"})
                self.assertEqual(len(runs) + done.stdout.count("this machine cannot do it"), 8, self.told)

    def test_build_configures_with_the_preset_of_the_site(self):
        for site, preset in (("miyabi-g", "miyabi-g"), ("pegasus", "pegasus"), ("generic", "openmp")):
            with self.subTest(site=site):
                self.setUp()
                self.stand_in("cmake", CMAKE)
                self.good(site, "build")
                self.assertIn(f"cmake --preset {preset}\ncmake --build --preset {preset} ", self.log())

    def test_local_needs_no_scheduler(self):
        self.good("generic", "thesis", script="local.sh", SITE="here")
        name, runs = self.runs()
        self.assertTrue(name.startswith("here-thesis-"), name)
        self.assertGreater(len(runs), 1, self.told)

    def test_the_scheduler_is_told_project_queue_and_nodes(self):
        self.good("miyabi-g", "thesis")
        self.assertIn("qsub -W group_list=gz00 -q stand-in -l select=1:mpiprocs=1 ", self.log())
        self.assertIn("module load nvidia nv-hpcx cmake", self.log())
        self.setUp()
        self.good("pegasus", "thesis")
        self.assertIn(
            "qsub -A gz00 -q stand-in -b 1 -T openmpi -v NQSV_MPI_VER=4.1.8/stand-in,STEP=thesis,NODES=1", self.log()
        )
        self.assertIn("mpirun --nqsv-stand-in --nqsv-stand-in -np 1 -npernode 1 ", self.log())
        self.setUp()
        self.good("generic", "thesis")
        self.assertIn("sbatch --account=gz00 --partition=stand-in --nodes=1 ", self.log())

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

    def test_an_unknown_step_fails_and_says_what_there_is(self):
        done = self.submit("generic", "sleep", script="local.sh")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("there are build, membench, thesis, strong, weak and transpose", done.stderr)

    def test_a_run_that_fails_ends_the_job(self):
        done = self.submit("generic", "thesis", script="local.sh", SIZE="no-size")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("failed with 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
