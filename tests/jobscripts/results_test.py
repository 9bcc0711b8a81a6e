# What the job scripts measure has to stand in one result file. The steps are the same at every site, and walk_test.py
# runs them at each: here they take turns.
import os
import sys
import unittest

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from sites import BIN, MPIRUN, SiteTest


class JobResults(SiteTest):
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

    def test_the_thesis_cases_go_into_one_file(self):
        done = self.good("pegasus", "thesis")
        name, runs = self.runs()
        self.assertEqual(name, "pegasus-thesis-42.h5")
        # Each of the four memory spaces ran, or was said to be beyond this machine.
        passed_over = done.stdout.count("this machine cannot do it")
        self.assertEqual(runs, [("himeno", "XS", (1, 1, 1))] * (4 - passed_over))
        self.assertGreater(len(runs), 1, self.told)

    @unittest.skipUnless(MPIRUN, "built without MPI")
    def test_scaling_goes_over_the_nodes(self):
        for site, step, last in (("miyabi-g", "strong", ("XS", 2)), ("generic", "weak", ("64x32x64", 2))):
            with self.subTest(site=site, step=step):
                self.setUp()
                done = self.good(site, step, "2", SPACES="managed system", SWEEPS="single temporal:2")
                _, runs = self.runs()
                passed_over = done.stdout.count("this machine cannot do it")
                # One and two ranks, in each memory space, by each kind of sweep.
                self.assertEqual(len(runs), 2 * 2 * 2 - passed_over, self.told)
                self.assertGreater(len(runs), 3, self.told)
                program, size, ranks = runs[-1]
                self.assertEqual((program, size, ranks[0] * ranks[1] * ranks[2]), ("himeno", *last))

    def test_membench_leaves_a_run_of_all_probes(self):
        self.good("miyabi-g", "membench")
        _, runs = self.runs()
        self.assertEqual([run[0] for run in runs], ["membench"], self.told)

    @unittest.skipUnless(MPIRUN, "built without MPI")
    def test_messages_between_nodes_are_measured_over_all_numbers_of_them(self):
        done = self.good("pegasus", "exchange", "2")
        self.assertEqual(self.runs()[1], [("membench", None, None)], self.told)
        self.assertIn("== 2 x membench exchange ", done.stdout)

    def test_a_paper_probe_is_a_job_of_its_own(self):
        self.good("generic", "paper-link")
        name, runs = self.runs()
        self.assertIn("-paper-link-", name)
        self.assertEqual([run[0] for run in runs], ["membench"], self.told)

    @unittest.skipUnless(os.path.exists(os.path.join(BIN, "transpose")), "this build has no transpose")
    def test_transpose_adds_its_runs(self):
        done = self.good("miyabi-g", "transpose")
        _, runs = self.runs()
        self.assertEqual({run[0] for run in runs}, {"transpose"})
        self.assertEqual(len(runs) + done.stdout.count("this machine cannot do it"), 11, self.told)

    def test_local_needs_no_scheduler(self):
        self.good("generic", "thesis", script="local.sh", SITE="here")
        name, runs = self.runs()
        self.assertTrue(name.startswith("here-thesis-"), name)
        self.assertGreater(len(runs), 1, self.told)


if __name__ == "__main__":
    unittest.main()
