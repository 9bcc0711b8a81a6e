# What memcompare says of two sides: the first screen, the JSON that everything is drawn from, and the check of an upgrade.
import json
import os
import shutil
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
MACHINES = ["pegasus", "miyabi-g"]
SLOWER = 5


class Answer(CommandLine):
    def sides(self):
        return synthetic.two_sides(self.path, *MACHINES)

    def answer(self, *arguments):
        return json.loads(self.good(*arguments, "--format", "json"))

    def one(self, name, *runs):
        return synthetic.write_folder(self.path(name), list(runs))


class FirstScreen(Answer):
    def test_it_has_at_most_60_lines_and_begins_with_who_is_faster(self):
        text = self.good(*self.sides())
        self.assertLessEqual(len(text.splitlines()), 60, text)
        sentence = text.split("Answer\n- ")[1]
        self.assertTrue(sentence.startswith("miyabi-g is "), sentence)
        self.assertIn("times as fast as pegasus", sentence)

    def test_less_than_a_thousand_rows_stand_behind_it(self):
        left = self.good(*self.sides()).split("Left out: ")[1]
        self.assertLess(int(left.split()[0]), 1000)

    def test_sides_without_a_common_memory_are_ranked_best_against_best(self):
        fast = self.one("fast", synthetic.himeno(synthetic.OTHER, 4000, space="system", first=0.0))
        slow = self.one("slow", synthetic.himeno(synthetic.ONE, 1000, first=0.0))
        answer = self.answer(fast, slow)
        self.assertIn("fast is ", answer["sentences"][0])
        self.assertIn("system", answer["sentences"][0])
        self.assertEqual(
            {row["memory"] for row in answer["ranking"]}, {"system, filled by host", "device, filled by host"}
        )

    def test_sides_without_a_common_problem_are_shown_and_not_ranked(self):
        large = self.one("large", synthetic.himeno(synthetic.ONE, 1000))
        small = self.one("small", synthetic.himeno(synthetic.ONE, 1000, size="L"))
        self.assertIn("ran no problem in common", self.answer(large, small)["sentences"][0])

    def test_where_pages_were_is_said_of_memory_that_can_move(self):
        run = synthetic.himeno(synthetic.OTHER, 1000, space="system")
        run["residency"] = {"pages": 10, "moved": False, "before": {"on_host": 1.0, "on_gpu": 0.0, "not_mapped": 0.0}}
        self.assertIn("pages stayed on the host", self.good(self.one("one", run)))


class Json(Answer):
    def test_sides_cases_and_pairs(self):
        answer = self.answer(*self.sides())
        self.assertEqual(
            (answer["schema"], answer["schema_version"], answer["base"]), ("memstencil-comparison", 2, "pegasus")
        )
        self.assertEqual([side["side"] for side in answer["sides"]], MACHINES)
        case = next(c for c in answer["cases"] if c["memory"] == "device, filled by host" and c["side"] == "miyabi-g")
        self.assertAlmostEqual(case["limit_gbs"], 6000)
        self.assertAlmostEqual(case["limit_speed"] / (6000 * 34 / 56), 1, 2)
        self.assertAlmostEqual(sum(case["parts"].values()), case["seconds"])
        self.assertIn(case["case"], [pair["case"] for pair in answer["pairs"]])

    def test_runs_are_predicted_where_membench_ran_and_missing_rates_are_named(self):
        rows = self.answer(*self.sides())["model"]
        self.assertTrue(any(row["predicted"] for row in rows))
        bare = synthetic.membench(synthetic.ONE, 1.0)
        bare["probes"] = [probe for probe in bare["probes"] if probe["name"] == "link"]
        rows = self.answer(self.one("bare", synthetic.himeno(synthetic.ONE, 2000), bare))["model"]
        self.assertIn("allocate, device memory", rows[0]["not_predicted"])
        self.assertIsNone(rows[0]["predicted"])

    def test_published_figures_stand_next_to_ours(self):
        thesis = os.path.join(INPUTS, "reference/thesis-2024.toml")
        rows = self.answer(*self.sides(), "--reference", thesis)["published"]
        row = next(r for r in rows if r["where"].get("direction") == "HtoD" and r["side"] == "miyabi-g")
        self.assertAlmostEqual(row["to_published"], row["ours"] / 410)

    def test_a_description_gives_theory(self):
        machines = [word for name in MACHINES for word in ("--machine", os.path.join(INPUTS, f"machines/{name}.toml"))]
        case = self.answer(*self.sides(), *machines)["cases"][0]
        self.assertAlmostEqual(case["fraction_of_theory"], 2800 / 2000)


class Sides(Answer):
    def test_a_folder_is_a_side_and_loose_files_are_grouped_by_machine(self):
        for name, gbs in (("before", 1000), ("after", 2000)):
            self.one(name, synthetic.himeno(synthetic.ONE, gbs, iterations=3))
        self.assertEqual([s["side"] for s in self.answer("before", "after/")["sides"]], ["before", "after"])
        files = ["before/0001.h5", "after/0001.h5"]  # of one case: before and after
        self.assertEqual([s["side"] for s in self.answer(*files)["sides"]], ["before/0001", "after/0001"])
        self.good(*files, "--fail-above", "5")
        one = self.answer(*files, "--by", "machine")
        self.assertEqual([s["side"] for s in one["sides"]], ["NVIDIA H100 PCIe"])
        self.assertEqual([s["side"] for s in self.answer(*files, "--by", "folder")["sides"]], ["before", "after"])
        self.assertEqual(self.answer("before", "after", "--base", "after")["base"], "after")
        os.symlink("after", self.path("latest"))
        self.assertEqual(self.answer("before", "latest/", "--base", "latest")["base"], "latest")
        named = self.answer("old=before", "new=after")["sides"]
        self.assertEqual([side["side"] for side in named], ["old", "new"])

    def test_copies_of_a_file_are_one_run_and_named(self):
        folder = self.one("runs", synthetic.himeno(synthetic.ONE, 2000))
        shutil.copy(os.path.join(folder, "0001.h5"), os.path.join(folder, "copy.h5"))
        answer = self.answer(folder)
        self.assertEqual(answer["sides"][0]["runs"], 1)
        self.assertIsNone(answer["cases"][0]["spread"])
        self.assertIn("copy.h5", answer["notes"][-1])

    def test_machines_of_one_gpu_are_named_by_what_differs(self):
        runs = [synthetic.himeno(synthetic.machine("one", "NVIDIA H100 PCIe"), 1000) for _ in range(2)]
        for cores, run in zip((16, 32), runs):
            run["machine"]["cpu"]["cores"] = cores
            self.one(str(cores), run)
        names = [side["side"] for side in self.answer("16", "32", "--by", "machine")["sides"]]
        self.assertEqual(names, ["NVIDIA H100 PCIe, 16 cores", "NVIDIA H100 PCIe, 32 cores"])
        self.assertEqual(self.answer(self.one("both", *runs))["sides"][0]["cores"], [16, 32])

    def test_a_folder_of_two_machines_has_both_and_predicts_none_by_the_other(self):
        machines = (synthetic.ONE, synthetic.OTHER)
        runs = [synthetic.himeno(machine, 2000) for machine in machines] + [synthetic.membench(synthetic.ONE)]
        answer = self.answer(self.one("both", *runs))
        self.assertEqual(answer["sides"][0]["gpu"], "NVIDIA GH200 120GB or NVIDIA H100 PCIe")
        self.assertEqual([row["predicted"] is None for row in answer["model"]], [False, True])

    def test_a_link_next_to_its_result_is_no_second_run(self):
        folder = self.one("runs", synthetic.himeno(synthetic.ONE, 2000))
        os.symlink("0001.h5", os.path.join(folder, "latest.h5"))
        self.assertIn("1 run", self.good(folder))


class ThirdApplication(Answer):
    def test_heat_is_ranked_scaled_and_predicted_as_himeno_is(self):
        of = {"size": "256x256x256", "touch": "device", "first": 0.0}
        runs = [synthetic.heat(synthetic.ONE, 2500, space=space, **of) for space in ("device", "managed")]
        runs += [synthetic.heat(synthetic.ONE, 4000, ranks=(2, 1, 1), **of), synthetic.membench(synthetic.ONE)]
        answer = self.answer(self.one("one", *runs))
        self.assertEqual(answer["problem"], "heat 256x256x256, single")
        self.assertEqual({row["memory"] for row in answer["ranking"]}, {"device", "managed", "device, by MPI from GPU"})
        self.assertEqual([row["ranks"] for row in answer["scaling"]], [1, 2])
        self.assertAlmostEqual(answer["scaling"][1]["speedup"], 1.6)
        self.assertAlmostEqual(answer["scaling"][1]["efficiency"], 0.8)
        self.assertEqual({row["program"] for row in answer["model"]}, {"heat"})
        self.assertIsNotNone(answer["model"][0]["median_step_predicted"])


class Upgrade(Answer):
    def test_a_last_side_that_is_slower_than_allowed_ends_with_code_5(self):
        before = self.one("before", synthetic.himeno(synthetic.ONE, 2000, first=0.0))
        after = self.one("after", synthetic.himeno(synthetic.ONE, 1000, first=0.0))
        done = self.run_program(before, after, "--fail-above", "10")
        self.assertEqual(done.returncode, SLOWER)
        self.assertIn("after is slower than before", done.stderr)
        self.good(after, before, "--fail-above", "10")
        self.good(before, after, "--fail-above", "500")

    def test_what_lies_inside_the_spread_is_no_failure(self):
        before = self.one("before", *(synthetic.himeno(synthetic.ONE, gbs, first=0.0) for gbs in (500, 2000, 2200)))
        after = self.one("after", synthetic.himeno(synthetic.ONE, 1500, first=0.0))
        self.good(before, after, "--fail-above", "1")


if __name__ == "__main__":
    unittest.main()
