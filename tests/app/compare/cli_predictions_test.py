# Predictions for machines that are only described: what is predicted, what is missing, and whose the assumptions are.
import json
import os
import unittest

from cli_support import CommandLine

INPUTS = os.environ["MEMSTENCIL_INPUTS"]
ASSUME = ["--assume", os.path.join(INPUTS, "assume/h100-pcie5.toml")]
USAGE = 2


def machine(name):
    return ["--machine", os.path.join(INPUTS, f"machines/{name}.toml")]


class Predictions(CommandLine):
    def predicted(self, *arguments):
        return json.loads(self.good(*arguments, "--format", "json"))["predictions"]["machines"]

    def memories(self, program, *arguments):
        return {row["memory"]: row for row in self.predicted("--predict", program, *arguments)[0]["memories"]}

    def scaling(self, *arguments):
        return json.loads(self.good("--predict", "himeno", "--nodes", *arguments, "--format", "json"))["scaling"]

    def miyabi_but(self, old, new):
        """Its description, in which one thing is another."""
        with open(os.path.join(INPUTS, "machines/miyabi-g.toml"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        return ["--machine", self.write("m.toml", text.replace(old, new, 1))]

    def test_a_rate_that_nobody_gives_is_named_and_the_row_says_not_predicted(self):
        row = self.memories("himeno", *machine("pegasus"))["device"]
        self.assertNotIn("seconds", row)
        self.assertIn("allocate, device memory", row["missing"])
        self.assertIn("not predicted", row["why"])
        self.assertGreater(row["speed"], 100, "the sweeps are predicted")

    def test_assumptions_fill_what_is_missing_and_are_named(self):
        rows = self.memories("himeno", *machine("pegasus"), *ASSUME)
        for memory in ("device", "managed", "host-pinned"):
            self.assertGreater(rows[memory]["seconds"], 0, memory)
        self.assertIn("not served", rows["system"]["why"])
        text = self.good("--predict", "himeno", *machine("pegasus"), *ASSUME)
        self.assertIn("assumed, since its description", text)
        self.assertIn("PREDICTION, not measured", text)

    def test_all_three_programs_are_predicted_on_every_machine_that_is_described(self):
        for file in sorted(os.listdir(os.path.join(INPUTS, "machines"))):
            for program in ("himeno", "transpose", "heat"):
                rows = self.memories(program, *machine(file[: -len(".toml")]), *ASSUME)
                if file == "horizon.toml":  # nobody has published a bandwidth of it
                    self.assertNotIn("seconds", rows["device"], program)
                else:
                    self.assertGreater(rows["device"]["seconds"], 0, (file, program))

    def test_arrays_larger_than_the_gpu_are_split(self):
        # 120 GB under ATS: what does not fit crosses the link in every sweep.
        rows = self.memories("himeno", "--size", "1024x1024x2048", *machine("miyabi-g"), *ASSUME)
        self.assertIn("does not fit", rows["device"]["why"])
        fits = self.memories("himeno", *machine("miyabi-g"), *ASSUME)
        self.assertLess(rows["system"]["speed"], 0.8 * fits["system"]["speed"])
        self.assertGreater(rows["system"]["causes"]["link"], 0.2 * rows["system"]["seconds"])

    def test_a_row_that_hangs_on_an_assumed_cost_says_so_and_has_a_range(self):
        rows = self.memories("transpose", *machine("miyabi-g"), *ASSUME)
        self.assertIn("allocate registered, host-pinned memory", rows["device"]["assumed"])
        row = rows["host-pinned"]
        self.assertIn("allocate, host-pinned memory", row["assumed"])
        self.assertLess(row["least_seconds"], row["seconds"])
        self.assertGreater(row["most_seconds"], 1.5 * row["seconds"])
        done = self.good("--predict", "transpose", *machine("miyabi-g"), *ASSUME, "--format", "json")
        self.assertIn("cannot be ranked: they hang on assumed figures", json.loads(done)["sentences"][0])

    def test_a_page_shows_the_memories_and_folds_the_scaling_over_nodes(self):
        page = self.path("page.html")
        self.good("--predict", "himeno", "--nodes", "4", *machine("pegasus"), *ASSUME, "--html", page)
        with open(page, encoding="utf-8") as file:
            shown, *folded = file.read().split("<details>")
        self.assertEqual(shown.count("<table>"), 1)
        self.assertIn("<td class=\"text\">host-pinned</td>", shown)
        self.assertRegex(folded[0], r"^<summary>PREDICTION, not measured: scaling over nodes.* <small>\d+ rows?</small>")
        self.assertEqual(folded[0].count("<table>"), 1)

    def test_two_machines_get_a_sentence_and_units(self):
        text = self.good("--predict", "himeno", *machine("pegasus"), *machine("miyabi-g"), *ASSUME)
        self.assertIn("miyabi-g is predicted to be 1.7", text)
        self.assertIn("in unified memory", text)
        self.assertIn("GFLOPS", text)
        self.assertLessEqual(len(text.splitlines()), 60, text)

    def test_the_machines_own_cores_fill_and_its_memory_mode_decides_where_system_memory_lies(self):
        many = self.memories("heat", *machine("miyabi-g"), *ASSUME)["system"]
        few = self.memories("heat", *self.miyabi_but("cores = 72", "cores = 16"), *ASSUME)["system"]
        self.assertGreater(few["causes"]["host memory"] / many["causes"]["host memory"], 3)
        mode = "[parameters.memory_mode]\nvalue = 'driver'\nsource = 's'\n\n[parameters.gpu_multiprocessors]"
        driver = self.memories("heat", *self.miyabi_but("[parameters.gpu_multiprocessors]", mode), *ASSUME)["system"]
        self.assertAlmostEqual(driver["last_step"], driver["first_step"])
        self.assertGreater(driver["last_step"], 3 * many["last_step"])

    def test_first_touch_prefetch_and_kind_of_sweep_are_options(self):
        like = ["himeno", *machine("pegasus"), *ASSUME]
        plain = self.memories(*like)["managed"]
        prefetched = self.memories(*like, "--prefetch")["managed"]
        by_device = self.memories(*like, "--first-touch", "device")["managed"]
        fused = self.memories(*like, "--sweep", "temporal:3")["device"]
        self.assertGreater(plain["first_step"], 10 * prefetched["first_step"])
        self.assertLess(by_device["seconds"], plain["seconds"])
        self.assertGreater(fused["speed"], 2 * self.memories(*like)["device"]["speed"])
        for sweep in ("temporal:0", "temporal:9", "twice"):
            self.refused(USAGE, ["--sweep"], "--predict", *like, "--sweep", sweep)

    def test_scaling_names_the_nodes_that_no_job_gets(self):
        many = ["1024", *machine("miyabi-g"), *ASSUME]
        self.assertTrue({"ranks", "nodes", "speedup", "efficiency"} <= self.scaling(*many)[0].keys())
        text = self.good("--predict", "himeno", "--nodes", *many)
        self.assertLessEqual(len(text.splitlines()), 60, text)
        self.assertIn("no job gets more than 256 nodes", text)
        self.assertIn("do not pay", text)
        self.assertRegex(" ".join(text.split()), r"1024 GPUs are \d+ times as fast as 1 GPU")

    def test_scaling_that_no_rate_predicts_is_named_and_the_rest_is_said(self):
        four = ["4", *machine("miyabi-g")]
        reasons = {row["not_predicted"] for row in self.scaling(*four)}
        self.assertTrue(any("nobody gives" in reason for reason in reasons), reasons)
        text = " ".join(self.good("--predict", "himeno", "--nodes", *four).split())
        self.assertIn("single: not predicted beyond 1 GPU: nobody gives", text)

    def test_assumptions_that_are_none(self):
        for line, why in (("[rates]\nwarp_speed = 9", ["warp_speed", "host_copy"]), ("[rates]\nhost_copy = -9", ["above 0"]),
                          ("[pages]\n'allocate, device' = {start_us = -1, ns_per_byte = 0}", ["at least 0"]),
                          ("[pages]\n'allocate, device' = {start_us = 1, ns_per_byte = -1}", ["at least 0"])):
            assumed = self.write("a.toml", f"name = 'a'\nsource = 's'\n{line}\n")
            self.refused(USAGE, ["a.toml:4", *why], "--predict", "himeno", *machine("pegasus"), "--assume", assumed)

    def test_descriptions_that_make_no_sense(self):
        for old, new, why in (("value = 132", "value = 0.5", "gpu_multiprocessors: an integer from 1"),
                              ("value = 132", "value = 1e30", "gpu_multiprocessors: an integer from 1"),
                              ("gbs = 3200", "gbs = 4200", "more than the theory")):
            self.refused(USAGE, why, "--predict", "himeno", *self.miyabi_but(old, new), *ASSUME)
        one = "[parameters.gpus_per_node]\nvalue = 1"
        self.refused(USAGE, ["2000 nodes of 1000 GPUs", "at most 1000000 GPUs"], "--predict", "himeno", "--nodes", "2000",
                     *self.miyabi_but(one, one + "000"), *ASSUME)  # fmt: skip
        self.refused(USAGE, "miyabi-g is given twice", "--predict", "himeno", *2 * machine("miyabi-g"))

    def test_weak_scaling_is_never_faster_than_so_many_gpus(self):
        weak = [row for row in self.scaling("0", *machine("miyabi-g"), *ASSUME)
                if row["scaling"] == "weak" and "temporal" not in row["curve"]]
        self.assertEqual(weak[-1]["ranks"], 1120)
        for row in weak:
            self.assertLessEqual(row["efficiency"], 1)
            self.assertAlmostEqual(row["perfect_rate"] / (row["rate"] / row["efficiency"]), 1)

    def test_a_grid_that_no_gpu_holds_is_not_predicted(self):
        rows = self.scaling("2", "--size", "2000000000x64x64", *machine("miyabi-g"), *ASSUME)
        self.assertEqual({row["not_predicted"] for row in rows}, {"a rank's part does not fit the GPU's memory"})

    def test_a_billion_sweeps_while_pages_move_slowly_take_no_time_to_predict(self):
        slow = self.miyabi_but("value = 18\n", "value = 1e-9\n")
        row = self.memories("himeno", "--iterations", "1000000000", *slow, *ASSUME)["system"]
        self.assertAlmostEqual(row["last_step"] / row["first_step"], 1, 2)


if __name__ == "__main__":
    unittest.main()
