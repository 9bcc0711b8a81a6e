# What tests of jobscripts/ share: a checkout with stand-ins for schedulers, launchers and programs.
import json
import os
import pathlib
import shutil
import subprocess
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

    def log(self, key):
        path = self.bin / "log"
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [line[key] for line in lines if key in line]

    def runs(self):
        return (self.bin / "runs").read_text().splitlines() if (self.bin / "runs").exists() else []

    def results(self):
        return sorted(path.relative_to(self.checkout).as_posix() for path in self.checkout.glob("results/*/*"))
