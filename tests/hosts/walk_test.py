# docs/clusters.md over two imitated hosts: every command of its blocks "console cluster", with stand-ins for the
# schedulers and small sizes, from a clone to the page. With WALK_BUNDLE=ARCHIVE from an unpacked bundle, which Slurm's
# job configures without a network. The programs are those of MEMSTENCIL_BIN. Commands and output are printed.
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import imitated_hosts

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

ROOT, BIN = pathlib.Path(os.environ["MEMSTENCIL_SOURCE"]), os.environ["MEMSTENCIL_BIN"]
BUNDLE = os.environ.get("WALK_BUNDLE")
MPIRUN = shutil.which(os.environ.get("MPIRUN", "mpirun"))
TRIAL = {"PRESET": "openmp", "SIZE": "XS", "ITERATIONS": "4", "SCALING_ITERATIONS": "4", "SPACES": "system",
         "SWEEPS": "single", "WEAK_BLOCK": "32x32x64", "MATRIX_SIZES": "64", "HEAT_SIZE": "32x32x32", "THREADS": "1",
         "OMP_PROC_BIND": "false", "MEMBENCH_ARGS": "--size=1MB+--repeat=2+--experiments=1"}

# In place of the compilation come programs that are there; of a bundle Slurm's job configures.
CMAKE = f"""#!/bin/bash
[[ $1 == --version ]] && echo "cmake version 3.25.1"
[[ $1 == --fresh && -n "{BUNDLE or ''}" && $SITE == slurm ]] && exec {shutil.which("cmake")} "$@"
[[ $1 != --build ]] || {{ mkdir -p "build-$3/bin"; cp {BIN}/* "build-$3/bin"; }}
"""


def commands():
    """(site, command) of each block, in the order of the page."""
    site = None
    for line in (ROOT / "docs/clusters.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            site = line.split()[-1] if line.startswith("```console cluster ") else None
        elif site and line.startswith("$ "):
            yield site, line[2:]


class Walk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-walk-")
        self.addCleanup(folder.cleanup)
        self.checkout, stand_ins = pathlib.Path(folder.name) / "checkout", pathlib.Path(folder.name) / "stand-ins"
        if BUNDLE:
            self.checkout.mkdir()
            unpack = ["tar", "xzf", BUNDLE, "--strip-components=1", "-C", str(self.checkout)]
        else:
            unpack = ["git", "clone", "--quiet", "--shared", str(ROOT), str(self.checkout)]
        subprocess.run(unpack, check=True)
        shutil.copytree(ROOT / "tests/jobscripts", stand_ins)
        for name in ("qsub", "sbatch", "mpirun", "srun", "module", "scontrol", "ompi_info"):
            (stand_ins / name).symlink_to("stand_ins.py")
        (stand_ins / "cmake").write_text(CMAKE)
        (stand_ins / "cmake").chmod(0o755)
        path = f"{stand_ins}:{BIN}:{os.environ['PATH']}"
        (pathlib.Path(folder.name) / ".bash_profile").write_text(f'export PATH={path}\nmodule() {{ command module "$@"; }}\n')
        self.hosts = imitated_hosts.Hosts(2)
        self.addCleanup(self.hosts.close)
        self.environment = {**TRIAL, "PATH": path, "HOME": folder.name, "STAND_INS": str(stand_ins),
                            "OMPI_MCA_orte_tmpdir_base": folder.name,
                            "OTHER_NODES": shlex.join(self.hosts.mpirun(2, MPIRUN)[3:-2])}

    def walk(self, command):
        """On the first host, which is login node and the first of a job's nodes."""
        trial = ",".join(f"{name}={value}" for name, value in TRIAL.items())
        short = command.replace(" -v ", f" -v {trial},")
        for four, two in (("select=4", "select=2"), ("-b 4", "-b 2"), ("--nodes=4", "--nodes=2")):
            short = short.replace(four, two)
        done = subprocess.run([self.hosts.agent, "node1", short], cwd=self.checkout, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=400, check=False)
        print(f"$ {command}\n{done.stdout}", end="", flush=True)
        self.assertEqual(done.returncode, 0, command)
        return done.stdout

    def hosts_of_runs(self, site):
        found = set()
        for path in self.checkout.glob(f"results/{site}/*.h5"):
            with h5py.File(path) as file:
                found.add((len(file["provenance/ranks"]), *(host.decode() for host in file["provenance/hosts"][:])))
        return found

    def test_clusters_page(self):
        said, settings = {}, ""
        for site, command in commands():
            if command.startswith("mpi="):
                settings = command + "; "
            elif site != "local":
                said.setdefault(site, "")
                said[site] += self.walk(settings + command if site == "pegasus" else command)
        for site in ("miyabi-g", "pegasus", "slurm"):
            self.assertRegex(said[site], r"messages by device on 2 nodes +refused")
            self.assertRegex(said[site], r"messages by staged on 2 nodes +served")
            self.assertEqual(self.hosts_of_runs(site), {(1, "node1"), (2, "node1", "node2")})
        self.assertGreater((self.checkout / "page.html").stat().st_size, 10000)


if __name__ == "__main__":
    imitated_hosts.enter()
    unittest.main()
