# What tests of jobscripts/ share: a checkout with stand-ins for schedulers, launchers and programs.
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
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

# mpirun and srun. The first rank has the job's environment; the others are as on other nodes, which have nothing of it.
LAUNCHER = """#!/bin/bash
ranks=1 said="${0##*/} $*"
while [[ $1 == -* ]]; do
  case $1 in
    --version) echo "mpirun (Open MPI) 4.1.4"; exit ;;
    --ntasks=*) ranks=${1#*=} ;;
    -np | --nqsv-nodes) ranks=$2; shift ;;
    --map-by | --bind-to | --hostfile) shift ;;
  esac
  shift
done
[[ $1 != hostname ]] || { printf 'node%d\\n' $(seq "$ranks"); exit; }
echo "$ranks $said" >>"$STAND_INS/launched"
"$@"
worst=$?
for ((n = 1; n < ranks; n++)); do
  env -i PATH="$PATH" HOME="$HOME" STAND_INS="$STAND_INS" "$@"
  code=$?
  ((code <= worst)) || worst=$code
done
exit $worst
"""
SCHEDULER = f'exec {sys.executable} -IS {ROOT}/tests/jobscripts/schedulers.py "${{0##*/}}" "$@"\n'
STAND_INS = {
    "qsub": SCHEDULER, "sbatch": SCHEDULER, "mpirun": LAUNCHER, "srun": LAUNCHER, "scontrol": "",
    "ompi_info": '[[ ${TM:-1} == 1 ]] && echo "MCA plm: tm" || echo "MCA plm: rsh"\n',
    "nvidia-smi": '[[ $1 == -L ]] && echo "GPU 0: a GPU"\n',
    "cmake": '[[ $1 == --version ]] && echo "cmake version 3.25.1" || echo "cmake $*, CXX=$CXX"\n',
    # measure.sh waits a second after each failure.
    "sleep": f'[[ $1 != 1 ]] || set 0\nexec {shutil.which("sleep")} "$1"\n',
}  # fmt: skip


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-jobs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.checkout, self.bin = self.folder / "checkout", self.folder / "stand-ins"
        shutil.copytree(ROOT / "jobscripts", self.checkout / "jobscripts")
        for name, text in STAND_INS.items():
            self.command(name, text)
        # A login shell takes its PATH from here, and the function module; a site's own comes by BASH_ENV.
        (self.folder / ".bash_profile").write_text(f'unset BASH_ENV\nexport PATH={self.bin}:$PATH\nmodule() {{ [[ $2 != nosuch ]]; }}\n')
        self.rules()
        for name in ("himeno", "transpose", "membench"):
            self.command(name, PROGRAM, self.checkout / "build/bin")

    def command(self, name, text, folder=None):
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.startswith("#!") else "#!/bin/bash\n" + text)
        path.chmod(0o755)

    def rules(self, *lines):
        (self.bin / "rules").write_text("".join(line + "\n" for line in lines))

    def environment(self):
        return {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder), "STAND_INS": str(self.bin)}

    def run_command(self, *words, **more):
        done = subprocess.run(words, cwd=self.checkout, env=self.environment() | more, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
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

    def asked(self):
        """The options of the job that was submitted last."""
        return json.loads((self.bin / "submitted").read_text())

    def launched(self):
        """Lines of the launchers: the number of ranks, and the command."""
        return (self.bin / "launched").read_text().splitlines()

    def ranks(self):
        return [int(line.split()[0]) for line in self.launched()]

    def runs(self):
        return (self.bin / "runs").read_text().splitlines() if (self.bin / "runs").exists() else []

    def results(self):
        return sorted(path.relative_to(self.checkout).as_posix() for path in self.checkout.glob("results/*/*"))
