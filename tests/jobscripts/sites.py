# Stand-ins of the sites' schedulers and commands: a job script submitted to one runs as under that scheduler, on one or
# two local ranks and a small grid.
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = os.environ["MEMSTENCIL_SOURCE"]
BIN = os.environ["MEMSTENCIL_BIN"]
MPIRUN = os.environ.get("MPIRUN", "")

# Small enough for a test; the scripts take these for trials of a user, too.
TRIAL = {
    "SIZE": "XS",
    "ITERATIONS": "4",
    "SCALING_ITERATIONS": "4",
    "SWEEPS": "single",
    "WEAK_BLOCK": "32 32 64",  # is SIZE, as the usual block is XL
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

# Starts real ranks here, where there are several. Each run has Open MPI's session folder for itself: the daemon of the
# run before may still be removing a common one. An mpirun under whose modules OMPI_MCA_mca_base_env_list is set refuses -x.
# Ranks that are not given as many cores as they have threads would be bound to one core.
MPIRUN_STAND_IN = """#!/bin/bash
echo "mpirun $*" >>"$STAND_INS/log"
ranks=1 given=1 mine=()
while (($#)); do
  case $1 in
    --version) echo "mpirun (Open MPI) 4.1.4"; exit 0 ;;
    -np) ranks=$2; shift 2 ;;
    --map-by) [[ $2 =~ ^(node|ppr:1:node):PE=([0-9]+)$ ]] && given=${BASH_REMATCH[2]}; shift 2 ;;
    --use-hwthread-cpus) shift ;;
    --nqsv-stand-in) shift ;;
    -x) echo "mpirun: -x and mca_base_env_list exclude each other" >&2; exit 213 ;;
    *) mine=("$@"); break ;;
  esac
done
[[ " ${mine[*]} " =~ " OMP_NUM_THREADS="([0-9]+)" " ]] && threads=${BASH_REMATCH[1]}
((given == ${threads:-1})) || { echo "mpirun: $threads threads of a rank are given $given cores" >&2; exit 213; }
OMPI_MCA_orte_tmpdir_base=$(mktemp -d -p "$STAND_INS")
export OMPI_MCA_orte_tmpdir_base
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
OMPI_MCA_orte_tmpdir_base=$(mktemp -d -p "$STAND_INS")
export OMPI_MCA_orte_tmpdir_base
((ranks == 1)) && exec "$@"
exec $REAL_MPIRUN -np "$ranks" "$@"
"""


def compiler(defined):
    """One that knows these names, {name: value}, and no other."""
    values = " ".join(defined.get(name, name) for name in ("__NVCOMPILER", "__clang_major__", "__GNUC__"))
    return f'#!/bin/bash\n[[ $1 == -E ]] && echo "is: {values}"\n'


CMAKE = """#!/bin/bash
[[ $1 == --version ]] && { echo "cmake version 3.25.1"; exit 0; }
echo "cmake $*" >>"$STAND_INS/log"
"""

# Copies the script away and runs it with what the scheduler sets and -v names, and nothing else that the submitting shell
# had. A list of -v is taken to end at a blank.
QSUB_PBS = """#!/bin/bash
echo "qsub $*" >>"$STAND_INS/log"
variables=() nodes=1
while (($# > 1)); do
  [[ $1 == -v ]] && IFS=, read -ra variables <<<"${2%% *}"
  [[ $1 == -l && $2 == select=* ]] && { nodes=${2#select=}; nodes=${nodes%%:*}; }
  shift
done
cp "$1" "$STAND_INS/spooled"
for ((n = 0; n < nodes; n++)); do echo "mg$n"; done >"$STAND_INS/nodes"
cd / && exec env -i "${variables[@]}" $KEPT PBS_O_WORKDIR="$SUBMITTED_IN" PBS_JOBID=42.opbs PBS_NODEFILE="$STAND_INS/nodes" \\
  REAL_MPIRUN="$REAL_MPIRUN" OMPI_MCA_mca_base_env_list=A bash "$STAND_INS/spooled"
"""

QSUB_NQSV = """#!/bin/bash
echo "qsub $*" >>"$STAND_INS/log"
variables=()
while (($# > 1)); do
  [[ $1 == -v ]] && IFS=, read -ra variables <<<"${2%% *}"
  shift
done
cp "$1" "$STAND_INS/spooled"
cd / && exec env -i "${variables[@]}" $KEPT PBS_O_WORKDIR="$SUBMITTED_IN" PBS_JOBID=0:42.nqsv NQSV_MPIOPTS="--nqsv-stand-in --nqsv-stand-in" \\
  REAL_MPIRUN="$REAL_MPIRUN" bash "$STAND_INS/spooled"
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

# Stands for himeno, transpose or membench, and leaves the file of its --output.
PROGRAM = """#!/bin/bash
[[ $1 == --version ]] && { echo "a stand-in, HDF5 1.10"; exit 0; }
echo "OMP_NUM_THREADS=$OMP_NUM_THREADS ${0##*/} $*" >>"$STAND_INS/log"
while (($#)); do
  [[ $1 == --output ]] && touch "$2"
  shift
done
"""

SITES = {
    "miyabi-g": {"qsub": QSUB_PBS, "mpirun": MPIRUN_STAND_IN},
    "pegasus": {"qsub": QSUB_NQSV, "mpirun": MPIRUN_STAND_IN},
    "generic": {"sbatch": SBATCH, "srun": SRUN, "mpirun": MPIRUN_STAND_IN},
}


class SiteTest(unittest.TestCase):
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
        self.executable(os.path.join(self.stand_ins, name), text)

    def executable(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def environment(self, site, **more):
        for name, text in {"module": MODULE, **SITES[site]}.items():
            self.stand_in(name, text)
        path = self.stand_ins + ":" + os.environ["PATH"]
        # A job has these by itself: they stand for its login, and for the machine.
        kept = {"PATH": path, "HOME": self.folder, "STAND_INS": self.stand_ins,
                "OMPI_MCA_orte_tmpdir_base": self.folder}
        return {
            **kept,
            "KEPT": " ".join(f"{key}={value}" for key, value in kept.items()),
            "BIN": BIN,
            "PRESET": "openmp",
            **TRIAL,
            "SUBMITTED_IN": self.checkout,
            "REAL_MPIRUN": MPIRUN,
            "PROJECT": "gz00",
            "QUEUE": "stand-in",
            "MPI_VERSION": "4.1.8/stand-in",
            "MODULES": "gcc openmpi",
            **more,
        }

    def submit(self, site, *arguments, script="submit.sh", environment=None, **more):
        done = subprocess.run(
            [os.path.join(self.checkout, "jobscripts", site, script), *arguments],
            cwd="/",
            env=environment or self.environment(site, **more),
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
