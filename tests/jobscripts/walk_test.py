# docs/clusters.md as a user walks it: every command of its blocks "console cluster", with stand-ins for the scheduler.
import os
import re
import subprocess
import unittest

from sites import BIN, CMAKE, MPIRUN, ROOT, SITES, SiteTest

STEPS = ["thesis", "membench", "transpose", "strong", "weak", "paper-link"]  # those that need no GPU


def walk():
    with open(os.path.join(ROOT, "docs/clusters.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```console cluster\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


class Walk(SiteTest):
    @unittest.skipUnless(MPIRUN and os.path.exists(os.path.join(BIN, "transpose")), "built without MPI or transpose")
    def test_every_command_of_the_page_runs_at_each_site(self):
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                self.stand_in("cmake", CMAKE)
                os.symlink(os.path.join(ROOT, "inputs"), os.path.join(self.checkout, "inputs"))
                environment = self.environment(site)
                environment["PATH"] = BIN + ":" + environment["PATH"]  # another program may have the same name
                if site != "miyabi-g":
                    environment["SPACES"] = "device managed"  # all four take minutes
                for command in self.at(site):
                    # The trial's sizes win, so that the whole set takes seconds.
                    command = re.sub(r"\b(SIZE|ITERATIONS|QUEUE|PRESET)=\S+ ", "", command)
                    done = subprocess.run(["bash", "-c", f"site={site}; {command}"], cwd=self.checkout,
                                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                          timeout=300, check=False)
                    told = f"{site}: {command}\n{done.stdout}{done.stderr}"
                    if re.search("paper-(patterns|migration)", command) and "no run was possible" in told:
                        continue  # without a GPU
                    self.assertEqual(done.returncode, 0, told)
                self.left()

    def at(self, site):
        """The commands, without drawings and messages of many ranks, which take long, but at one site."""
        commands = walk()
        self.assertGreater(len(commands), 10)
        return [command for command in commands if site == "miyabi-g" or not re.search("--html|exchange", command)]

    def left(self):
        found = os.listdir(os.path.join(self.checkout, "results"))
        for step in STEPS:
            self.assertTrue(any(f"-{step}-" in file for file in found), (step, found))
        # strong and weak hold a case in common, and are one machine all the same.
        with open(os.path.join(self.checkout, "report.md"), encoding="utf-8") as file:
            self.assertNotIn("What differs between", file.read())


if __name__ == "__main__":
    unittest.main()
