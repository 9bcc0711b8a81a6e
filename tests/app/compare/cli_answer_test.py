# What memcompare says of two sides: the first screen, the JSON that everything is drawn from, and the check of an upgrade.
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

try:
    import h5py  # noqa: F401  (synthetic needs it)
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

INPUTS = os.environ["MEMSTENCIL_INPUTS"]
SIDES = [os.path.join(INPUTS, "reference/samples", side) for side in ("h100", "h200")]
USAGE, SLOWER = 2, 5


class Answer(CommandLine):
    def answer(self, *arguments):
        return json.loads(self.good(*arguments, "--format", "json"))

    def one(self, name, *runs):
        return synthetic.write_folder(self.path(name), list(runs))


class Screen(Answer):
    def test_in_a_terminal_it_is_as_wide_as_that(self):
        for columns in (80, 160):
            words = " ".join([os.environ["PROGRAM"], *SIDES])
            text = subprocess.run(["script", "-qec", f"stty cols {columns}; {words}", "/dev/null"], cwd=self.folder,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout  # fmt: skip
            widest = max(len(line.rstrip("\r\n")) for line in text.splitlines())
            self.assertLessEqual(widest, columns)
            self.assertEqual(widest > 100, columns > 100, text)

    def test_names_with_a_dot_or_a_slash_name_sides(self):
        plain = self.good("a=" + SIDES[0], "b=" + SIDES[1], "--full")
        for names in ("v1.0", "v1.1"), ("old/x", "new/x"):
            text = self.good(*(f"{name}={side}" for name, side in zip(names, SIDES)), "--full")
            self.assertEqual(len(re.findall(r"\S+", text)), len(re.findall(r"\S+", plain)))

    def test_sides_without_a_common_memory_are_ranked_best_against_best(self):
        fast = self.one("fast", synthetic.himeno(synthetic.OTHER, 4000, space="system"))
        slow = self.one("slow", synthetic.himeno(synthetic.ONE, 1000))
        answer = self.answer(fast, slow)
        self.assertIn("fast (", answer["sentences"][0])
        self.assertIn("system", answer["sentences"][0])
        self.assertEqual(
            {row["memory"] for row in answer["ranking"]}, {"system, filled by host", "device, filled by host"}
        )

    def test_where_pages_were_is_said_of_memory_that_can_move(self):
        run = synthetic.himeno(synthetic.OTHER, 1000, space="system")
        run["residency"] = {"pages": 10, "moved": False, "before": {"on_host": 1.0, "on_gpu": 0.0, "not_mapped": 0.0}}
        self.assertIn("pages stayed on the host", self.good(self.one("one", run), "--full"))


class Json(Answer):
    def test_runs_are_predicted_where_membench_ran_and_missing_rates_are_named(self):
        rows = self.answer(SIDES[0])["model"]
        self.assertEqual({row["program"] for row in rows if row["predicted"]}, {"himeno", "heat", "transpose"})
        bare = self.one("bare", synthetic.himeno(synthetic.ONE, 2000), synthetic.membench(synthetic.ONE))
        rows = self.answer(bare)["model"]
        self.assertIn("allocate, device memory", rows[0]["not_predicted"])
        self.assertIsNone(rows[0]["predicted"])

    def test_published_figures_and_theory_stand_next_to_ours(self):
        thesis = os.path.join(INPUTS, "reference/thesis-2024.toml")
        answer = self.answer(SIDES[1], "--reference", thesis, "--machine", os.path.join(INPUTS, "machines/h200.toml"))
        row = next(r for r in answer["published"] if r["where"].get("direction") == "HtoD")
        self.assertAlmostEqual(row["to_published"], row["ours"] / 410)
        case = next(c for c in answer["cases"] if c["memory"].startswith("device"))
        self.assertAlmostEqual(case["fraction_of_theory"], case["bandwidth_gbs"] / 4800)


class Sides(Answer):
    def names(self, *arguments):
        return [side["side"] for side in self.answer(*arguments)["sides"]]

    def test_an_argument_is_a_side_and_a_name_takes_several(self):
        for name, gbs in (("before", 1000), ("after", 2000)):
            self.one(name, synthetic.himeno(synthetic.ONE, gbs, iterations=3))
        self.assertEqual(self.names("before", "after/"), ["before", "after"])
        self.assertEqual(self.names("before/0001.h5", "after/0001.h5"), ["before/0001", "after/0001"])
        self.assertEqual(self.names("old=before", "new=after"), ["old", "new"])
        self.assertEqual(self.names("all=before", "all=after"), ["all"])
        os.symlink("after", self.path("latest"))
        self.assertEqual(self.answer("latest/", "before")["base"], "latest")

    def test_hidden_folders_and_lost_found_are_passed_over(self):
        folder = self.one("runs", synthetic.himeno(synthetic.ONE, 1000))
        for name in ("lost+found", ".snapshot"):
            os.mkdir(os.path.join(folder, name))
            self.write(os.path.join("runs", name, "bad.h5"), "no result")
        self.assertEqual(self.answer(folder)["sides"][0]["runs"], 1)

    def test_a_folder_that_cannot_be_read_is_named(self):
        folder = self.one("runs", synthetic.himeno(synthetic.ONE, 1000))
        os.mkdir(os.path.join(folder, "closed"), 0)
        os.chmod(self.folder, 0o755)
        somebody = None if os.getuid() else lambda: os.setuid(65534)  # root may read everything
        try:
            done = self.run_program(folder, preexec_fn=somebody)
        except PermissionError:
            self.skipTest("another user does not reach the program")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertRegex(done.stderr, r"^memcompare: cannot read \S*/runs/closed: Permission denied\n$")

    def test_copies_of_a_file_are_one_run_and_named(self):
        folder = self.one("runs", synthetic.himeno(synthetic.ONE, 2000))
        shutil.copy(os.path.join(folder, "0001.h5"), os.path.join(folder, "copy.h5"))
        answer = self.answer(folder)
        self.assertEqual(answer["sides"][0]["runs"], 1)
        self.assertIsNone(answer["cases"][0]["half_width"])
        self.assertIn("copy.h5", answer["notes"][-1])

    def test_a_folder_of_two_machines_has_both_and_predicts_none_by_the_other(self):
        os.mkdir(self.path("both"))
        for name in ("h100/himeno-L-*17Z-1.h5", "h100/membench-all-*.h5", "h200/himeno-L-single.h5"):
            shutil.copy(*glob.glob(os.path.join(INPUTS, "reference/samples", name)), self.path("both"))
        answer = self.answer("both")
        self.assertEqual(answer["sides"][0]["gpu"], "NVIDIA H100 80GB HBM3 or NVIDIA H200")
        self.assertEqual([row["predicted"] is None for row in answer["model"]], [False, True])

    def test_a_link_next_to_its_result_is_no_second_run(self):
        folder = self.one("runs", synthetic.himeno(synthetic.ONE, 2000))
        os.symlink("0001.h5", os.path.join(folder, "latest.h5"))
        self.assertEqual(self.answer(folder)["sides"][0]["runs"], 1)


class Upgrade(Answer):
    def runs(self, name, *speeds):
        return self.one(name, *(synthetic.himeno(synthetic.ONE, gbs) for gbs in speeds))

    def test_a_last_side_that_is_slower_than_allowed_ends_with_code_5(self):
        before, after = self.runs("before", 2000, 2010, 2020), self.runs("after", 1000, 1005, 1010)
        done = self.run_program(before, after, "--fail-above", "10")
        self.assertEqual(done.returncode, SLOWER)
        self.assertIn("after is slower than before", done.stderr)
        self.good(after, before, "--fail-above", "10")
        self.good(before, after, "--fail-above", "500")

    def test_what_lies_inside_the_interval_is_no_failure(self):
        self.good(self.runs("before", 500, 2000, 2200), self.runs("after", 1500, 1490), "--fail-above", "1")

    def test_one_process_of_a_case_cannot_fail(self):
        before, after = self.runs("before", 2000), self.runs("after", 1000)
        self.refused(USAGE, ["run each command at least twice", "pair.sh"], before, after, "--fail-above", "5")

    def test_cases_that_cannot_fail_are_counted(self):
        twice, once = synthetic.himeno(synthetic.ONE, 2000), synthetic.himeno(synthetic.ONE, 2000)
        once["options"]["prefetch"] = True
        sides = [self.one(name, twice, twice | {"label": name}, once) for name in ("before", "after")]
        done = self.run_program(*sides, "--fail-above", "50")
        self.assertEqual((done.returncode, done.stderr), (0, "memcompare: 1 of 2 cases of before have two processes on both sides\n"))


class Csv(Answer):
    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.good(*arguments, "--format", "csv"))))

    def test_a_row_is_a_repeat_and_one_of_a_case_stands(self):
        folder = self.one("runs", *(synthetic.himeno(synthetic.ONE, gbs) for gbs in (1000, 2000, 3000)))
        rows, case = self.rows(folder), self.answer(folder)["cases"][0]
        self.assertEqual(len(rows), 3)
        stands = [row for row in rows if row["stands"] == "true"]
        self.assertEqual(len(stands), 1)
        for column, member in (("seconds", "seconds"), ("sweep_seconds", "median_step"), ("gbs", "bandwidth_gbs"),
                               ("limit_gbs", "limit_gbs"), ("steps", "steps"), ("ranks", "ranks")):  # fmt: skip
            self.assertAlmostEqual(float(stands[0][column]), case[member], 6, column)
        self.assertAlmostEqual(float(stands[0]["mflops"]) / 1000, case["speed"], 3)
        self.assertEqual(stands[0]["side"], "runs")
        self.assertEqual((stands[0]["program"], stands[0]["kind"], stands[0]["flags"]), ("himeno", "single", ""))

    def test_points_of_membench_are_rows(self):
        rows = self.rows(self.one("probes", synthetic.membench(synthetic.ONE)), "--probes")
        self.assertIn("link", {row["probe"] for row in rows})
        self.assertTrue(all(float(row["value"]) >= 0 for row in rows if row["column"]))
        self.refused(USAGE, "goes with --format csv", "probes", "--probes")
        self.refused(USAGE, "no run of an application", "probes", "--format", "csv")
        self.refused(USAGE, "rows of results alone", "probes", "--format", "csv", "--html", "page.html")


if __name__ == "__main__":
    unittest.main()
