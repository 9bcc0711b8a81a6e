# memcompare --known: kept samples next to themselves, slowed down, and of GPUs that are not kept.
import glob
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

SAMPLE = pathlib.Path(os.environ["MEMSTENCIL_INPUTS"]) / "reference/samples/h100"
GOOD, USAGE, MACHINE = 0, 2, 3


def slower(file, by):
    """All seconds of a run of himeno are longer by this factor."""
    for run in [file, *file.get("repeats", {}).values()]:
        for name in run["phases"].attrs:
            run["phases"].attrs[name] *= by
        run["sweeps/seconds"][...] *= by
        for name, power in (("mflops", -1), ("bandwidth_gbs", -1), ("solve_seconds", 1), ("total_seconds", 1)):
            run.attrs[name] *= by**power
        run["limit"].attrs["fraction"] /= by


class Known(CommandLine):
    def mine(self, *names, edit=None):
        """A folder with files of the sample, each after `edit`."""
        os.makedirs(self.path("my"))
        for name in names:
            for source in glob.glob(str(SAMPLE / name)):
                copy = shutil.copy(source, self.path("my"))
                if edit is not None:
                    with synthetic.edited(copy) as file:
                        edit(file)
        return self.path("my")


class Verdicts(Known):
    def test_a_sample_is_normal_next_to_itself_where_the_program_is_installed(self):
        prefix, build = self.path("prefix"), pathlib.Path(os.environ["PROGRAM"]).parents[1]
        subprocess.run(["cmake", "--install", str(build), "--prefix", prefix, "--component", "programs"],
                       check=True, capture_output=True)  # fmt: skip
        self.assertFalse(any(path.is_symlink() for path in pathlib.Path(prefix).rglob("*")))
        done = subprocess.run([prefix + "/bin/memcompare", str(SAMPLE), "--known"], capture_output=True, text=True,
                              check=True)  # fmt: skip
        self.assertIn("next to kept h100 (NVIDIA H100 80GB HBM3)", done.stdout)
        normal, figures = re.search(r"(\d+) of (\d+) figures are normal", done.stdout).groups()
        self.assertEqual(normal, figures)
        self.assertGreater(int(figures), 40)
        self.assertEqual(len(re.findall(r" 1\.000  normal$", done.stdout, re.M)), int(figures))
        for probe in ("link", "latency"):
            self.assertRegex(done.stdout, f"(?m)^{probe}, ")

    def test_a_slower_clock_makes_runs_slower_and_is_named(self):
        def edit(file):
            clocks = file["machine/gpu/nvidia_smi"].attrs
            clocks["max_sm_clock_mhz"] *= 0.9
            if file.attrs["program"].decode() == "himeno":
                slower(file, 1 / 0.9)

        folder = self.mine("himeno-XL-device-*", "membench-all-*", edit=edit)
        answer = json.loads(self.good(folder, "--known", "--format", "json"))
        himeno = [row for row in answer["figures"] if row["figure"].startswith("himeno")]
        self.assertGreater(len(himeno), 3)
        for row in himeno:
            self.assertAlmostEqual(row["times_as_fast"], 0.9, delta=1e-6, msg=row["figure"])
            told = row["low"] is None or row["high"] < 1
            self.assertEqual(row["verdict"], "slower" if told else "normal", row)
        self.assertIn("slower", [row["verdict"] for row in himeno])
        self.assertEqual({row["verdict"] for row in answer["figures"] if row not in himeno}, {"normal"})
        values = {fact["fact"]: fact["values"] for fact in answer["facts"]}["largest SM clock (MHz)"]
        self.assertEqual(values, {"kept h100": "1980.0", "my": "1782.0"})

    def test_one_run_on_each_side_tells_nothing(self):
        def edit(file):
            if file.attrs["program"].decode() == "himeno":
                slower(file, 3)

        folder = self.mine("himeno-1024x1024x1536-*", "membench-all-*", edit=edit)
        answer = json.loads(self.good(folder, "--known", "--format", "json"))
        runs = [row for row in answer["figures"] if row["figure"].startswith("himeno")]
        self.assertEqual([row["verdict"] for row in runs], ["not told: one run each"])


class Refused(Known):
    def test_a_gpu_that_is_not_kept_names_those_that_are(self):
        def of_less_power(file):
            file["machine/gpu/nvidia_smi"].attrs["power_limit_watts"] = 350.0

        mentions = ["NVIDIA H100 80GB HBM3 (85.02 GB, 350 W)", "kept are samples of NVIDIA H100 80GB HBM3 (85.02 GB, 700 W)"]
        self.refused(MACHINE, mentions, self.mine("himeno-XL-device-*", edit=of_less_power), "--known")

    def test_a_host_is_not_kept(self):
        run = synthetic.himeno(synthetic.ONE, 2000)
        run["machine"]["gpu"] = None
        path = synthetic.write_file(self.path("host.h5"), run)
        self.refused(MACHINE, "a host without a GPU", path, "--known")

    def test_results_of_two_gpus(self):
        folder = self.mine("himeno-XL-device-*")
        run = synthetic.himeno(synthetic.OTHER, 2000)
        synthetic.write_file(os.path.join(folder, "other.h5"), run)
        self.refused(USAGE, "one GPU", folder, "--known")
        limits = itertools.cycle((700.0, 350.0))

        def of_two_limits(file):
            file["machine/gpu/nvidia_smi"].attrs["power_limit_watts"] = next(limits)

        shutil.rmtree(folder)
        self.refused(USAGE, "one GPU", self.mine("himeno-XL-device-*1.h5", "himeno-M-*1.h5", edit=of_two_limits), "--known")

    def test_what_is_missing_has_its_command(self):
        self.refused(MACHINE, "membench link", self.mine("himeno-XL-device-*"), "--known")
        shutil.rmtree(self.path("my"))
        self.refused(MACHINE, "himeno --size XL", self.mine("membench-all-*"), "--known")

    def test_other_options_and_two_sides(self):
        sides = [str(SAMPLE), "b=" + self.mine("himeno-XL-device-*")]
        self.refused(USAGE, "one side", *sides, "--known")
        for more in (["--fail-above", "5"], ["--html", "page.html"], ["--plots", "p"], ["--format", "csv"]):
            self.refused(USAGE, "--known", str(SAMPLE), "--known", *more)


if __name__ == "__main__":
    unittest.main()
