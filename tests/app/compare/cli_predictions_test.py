# Predictions for machines that are only described: what is predicted, what is missing, and whose the assumptions are.
import json
import os
import shutil
import subprocess
import unittest

from cli_support import PROGRAM, CommandLine, environment

INPUTS = os.environ["MEMSTENCIL_INPUTS"]
ASSUME = ["--assume", os.path.join(INPUTS, "assume/h100-pcie5.toml")]
HIMENO = os.path.join(os.path.dirname(PROGRAM), "himeno")
USAGE = 2


def machine(name):
    return ["--machine", os.path.join(INPUTS, f"machines/{name}.toml")]


class Predictions(CommandLine):
    def answer(self, program, *arguments):
        return json.loads(self.good("--predict", program, *arguments, "--format", "json"))

    def memories(self, program, *arguments):
        """The cases of the simplest kind of step, by memory space."""
        cases = self.answer(program, *arguments)["cases"]
        return {case["memory"].split(",")[0]: case for case in cases if case["kind"] == cases[0]["kind"]}

    def scaling(self, *arguments):
        return self.answer("himeno", "--nodes", *arguments)["scaling"]

    def miyabi_but(self, old, new):
        """Its description, in which one thing is another."""
        with open(os.path.join(INPUTS, "machines/miyabi-g.toml"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        return ["--machine", self.write("m.toml", text.replace(old, new, 1))]

    def test_all_three_programs_are_predicted_on_every_machine_that_is_described(self):
        for file in sorted(os.listdir(os.path.join(INPUTS, "machines"))):
            for program in ("himeno", "transpose", "heat"):
                answer = self.answer(program, *machine(file[: -len(".toml")]), *ASSUME)
                if file == "horizon.toml":  # nobody has published a bandwidth of it
                    self.assertEqual((answer["cases"], len(answer["left_out"])), ([], 4), program)
                else:
                    self.assertGreater(answer["cases"][0]["seconds"], 0, (file, program))

    def test_published_figures_stand_next_to_predicted_ones(self):
        thesis = ["--reference", os.path.join(INPUTS, "reference/thesis-2024.toml")]
        miyabi = ["himeno", *machine("miyabi-g"), *ASSUME]
        rows = [row for row in self.answer(*miyabi, *thesis)["published"] if row["ours"] is not None]
        self.assertEqual([row["low"] for row in rows], [-100, -80, -20])
        rates = self.memories(*miyabi)
        ours = rates["system"]["speed"] - rates["device"]["speed"]
        self.assertAlmostEqual(rows[0]["ours"], ours)
        self.assertAlmostEqual(rows[0]["to_published"], ours / -100)
        self.assertIn("Published figures, those here and their ratio", self.good("--predict", *miyabi, *thesis))

    def test_first_touch_prefetch_and_kind_of_sweep_are_options(self):
        like = ["himeno", *machine("pegasus"), *ASSUME]
        plain = self.memories(*like)
        prefetched = self.memories(*like, "--prefetch")
        by_device = self.memories(*like, "--first-touch", "device", "--prefetch")
        fused = self.answer(*like, "--sweep", "Temporal:3")["cases"]
        self.assertGreater(plain["managed"]["first_step"], 10 * prefetched["managed"]["first_step"])
        self.assertLess(by_device["managed"]["seconds"], plain["managed"]["seconds"])
        self.assertEqual(set(by_device), {"device", "managed", "host-pinned"}, "a prefetch concerns what migrates")
        self.assertEqual({case["kind"] for case in fused}, {"temporal:3"})
        speeds = {case["memory"].split(",")[0]: case["speed"] for case in fused}
        self.assertGreater(speeds["device"], 2 * plain["device"]["speed"])

    def test_what_himeno_refuses_is_refused_with_its_words(self):
        predict = ["--predict", "himeno", *machine("pegasus")]
        for options in (["--iterations", "2", "--sweep", "temporal:4"], ["--size", "XXL"], ["--size", "2x9x9"]):
            done = subprocess.run([HIMENO, "--exec", "host", *options], env=environment(), capture_output=True,
                                  text=True, check=False)  # fmt: skip
            self.assertEqual(done.returncode, USAGE)
            self.refused(USAGE, done.stderr.strip().removeprefix("himeno: "), *predict, *options)
        for sweep in ("temporal:1", "temporal:257", "twice"):
            self.refused(USAGE, [f"'{sweep}' is not a kind of sweep", "T from 2 to 256"], *predict, "--sweep", sweep)
        streamed = self.answer("himeno", *machine("pegasus"), "--sweep", "temporal:200")
        self.assertEqual([case["memory"].split(",")[0] for case in streamed["cases"]], ["host-pinned"])
        self.assertIn("on the device there are single, temporal:2, temporal:3, temporal:4", streamed["left_out"][0])

    def test_a_machine_is_found_by_its_name_without_the_sources(self):
        installed = self.path("prefix")
        os.makedirs(os.path.join(installed, "bin"))
        shutil.copy(PROGRAM, os.path.join(installed, "bin"))
        share = os.path.join(os.path.dirname(PROGRAM), "../share/memstencil/machines")
        shutil.copytree(share, os.path.join(installed, "share/memstencil/machines"))
        done = subprocess.run([os.path.join(installed, "bin/memcompare"), "--predict", "himeno", "--machine", "pegasus"],
                              env=environment(), cwd="/", capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, self.good("--predict", "himeno", *machine("pegasus")))
        self.refused(USAGE, ["'pegasos'", "alps, ", "miyabi-g, pegasus", "did you mean pegasus"],
                     "--predict", "himeno", "--machine", "pegasos")  # fmt: skip

    def test_a_page_shows_the_memories_and_folds_the_scaling_over_nodes(self):
        page = self.path("page.html")
        done = self.run_program("--predict", "himeno", "--nodes", "64", *machine("pegasus"), *ASSUME, "--html", page, "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("PREDICTION, not measured", text)
        self.assertRegex(text, r"<summary>PREDICTION, not measured: scaling over nodes.* <small>\d+ lines?</small>")

    def test_scaling_names_the_nodes_that_no_job_gets_and_the_rates_that_are_missing(self):
        many, four = ["1024", *machine("miyabi-g"), *ASSUME], ["4", *machine("miyabi-g")]
        row = self.scaling(*many)[-1]
        self.assertLess(row["rates"][0], row["rate"])
        self.assertLess(row["rate"], row["rates"][1])
        self.assertIn("latency of messages, between nodes is not given", {row["not_predicted"] for row in self.scaling(*four)})
        for nodes, said in ((many, "no job gets more than 256 nodes"), (four, "latency of messages, between nodes is not given")):
            self.assertIn(said, " ".join(self.good("--predict", "himeno", "--nodes", *nodes).split()))

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


if __name__ == "__main__":
    unittest.main()
