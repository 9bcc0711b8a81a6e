# docs/clusters.md over two imitated hosts: each site's jobs, with stand-ins for its scheduler, up to
# the report. With WALK_BUNDLE=ARCHIVE in an unpacked bundle, which is configured without a network
# at the site `generic`; its programs are those of MEMSTENCIL_BIN. Commands and output are printed.
import os
import shlex
import shutil
import subprocess
import sys
import unittest

import imitated_hosts

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from sites import BIN, CMAKE, SITES, SiteTest

BUNDLE = os.environ.get("WALK_BUNDLE")
MPIRUN = shutil.which(os.environ.get("MPIRUN", "mpirun"))
STEPS = ["build", "thesis", "exchange 2", "transpose 2", "strong 2", "weak 2"]

# Configures; in place of the compilation come programs that are there.
CONFIGURE = f"""#!/bin/bash
[[ $1 == --version ]] || echo "cmake $*" >>"$STAND_INS/log"
[[ $1 == --build ]] || exec {shutil.which("cmake")} "$@"
mkdir -p "build-$3/bin" && cp {BIN}/* "build-$3/bin"
"""


class Walk(SiteTest):
    def at(self, site):
        super().setUp()
        if BUNDLE:
            shutil.rmtree(self.checkout)
            os.mkdir(self.checkout)
            unpack = ["tar", "xzf", BUNDLE, "--strip-components=1", "-C", self.checkout]
            subprocess.run(unpack, check=True)
        self.stand_in("cmake", CONFIGURE if BUNDLE and site == "generic" else CMAKE)
        environment = self.environment(site)
        environment["PATH"] = BIN + ":" + environment["PATH"]  # another program may have the same name
        environment["REAL_MPIRUN"] = shlex.join(self.hosts.mpirun(2, MPIRUN)[3:-2])
        environment.pop("BIN" if BUNDLE and site == "generic" else "", None)
        return environment

    def walk(self, command, environment):
        """On the first host, which is login node and the first of a job's nodes."""
        done = subprocess.run(
            [self.hosts.agent, "node1", command],
            cwd=self.checkout,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        if BUNDLE:
            print(f"$ {command}\n{done.stdout}", end="")
        self.assertEqual(done.returncode, 0, command + "\n" + done.stdout)
        return done.stdout

    def hosts_of_runs(self):
        """Of each number of ranks, all sets of hosts that its runs had."""
        found = {}
        folder = os.path.join(self.checkout, "results")
        for name in os.listdir(folder):
            with h5py.File(os.path.join(folder, name)) as file:
                for run in file["runs"].values():
                    hosts = [host.decode() for host in run["provenance/hosts"][:]]
                    ranks = len(run["provenance/ranks"])
                    found.setdefault(ranks, set()).add(tuple(hosts))
        return found

    def test_leads_to_a_report_with_every_host_at_each_site(self):
        self.hosts = imitated_hosts.Hosts(2)
        self.addCleanup(self.hosts.close)
        for site in SITES:
            with self.subTest(site=site):
                environment = self.at(site)
                if BUNDLE:
                    self.walk("pwd; ls; ip -brief address; ip route", environment)
                for step in STEPS:
                    self.walk(f"jobscripts/{site}/submit.sh {step}", environment)
                self.assertEqual(
                    self.hosts_of_runs(), {1: {("node1",)}, 2: {("node1", "node2")}}
                )
                page = " --html report.html" if BUNDLE else ""
                said = self.walk("compare --by machine results/*.h5" + page, environment)
                self.assertNotIn("What differs between", said)


if __name__ == "__main__":
    imitated_hosts.enter()
    unittest.main()
