# Figures 5.1 to 5.8 of [tsukuba-thesis-2024] beside the kept sample of an H200, whose GPU does not reach
# system-allocated memory, and beside a machine that does not exist and whose GPU does.
import glob
import json
import os
import re
import unittest

import synthetic
from two_machines import INPUTS, THESIS, TwoMachines

try:
    import matplotlib  # noqa: F401

    HAS_MATPLOTLIB = True
except ImportError:
    HAS_MATPLOTLIB = False
needs_matplotlib = unittest.skipUnless(HAS_MATPLOTLIB, "this Python has no matplotlib (Debian: python3-matplotlib)")

SAMPLE = [os.path.join(INPUTS, "reference/thesis-samples/h200")]
OTHER_MEMORY = "memory: system in the source"
HIMENO = "himeno-speed-XL-single-device"


def of_himeno(space, gbs):
    return synthetic.himeno(synthetic.OTHER, gbs, 4000, space=space, iterations=3000)


class Thesis(TwoMachines):
    def rows(self, *files):
        comparison = json.loads(self.good(*files, *THESIS, "--format", "json"))
        return self.table(comparison, "Beside published figures: Miyabi-G in the Tsukuba thesis")["rows"]

    def plots(self, *files):
        """{name: its texts}"""
        self.good(*files, *THESIS, "--plots", self.path("plots"))
        texts = {}
        for path in glob.glob(os.path.join(self.path("plots"), "*.svg")):
            with open(path, encoding="utf-8") as file:
                texts[os.path.basename(path)[:-4]] = " ".join(re.findall(r"<text[^>]*>([^<]+)</text>", file.read()))
        return texts

    def reaching(self):
        """A machine whose GPU reaches system-allocated memory, with a managed run besides."""
        runs = [of_himeno("device", 3500), of_himeno("system", 3400), of_himeno("managed", 3480)]
        return synthetic.write_folder(self.path("gh200"), [*runs, synthetic.membench(synthetic.OTHER)])


class Sample(Thesis):
    def test_managed_memory_stands_marked_where_the_gpu_does_not_reach_system_allocated(self):
        rows = self.rows(*SAMPLE)
        alone = {row["note"] for row in rows if row["machine"] == "no such result"}
        self.assertEqual(alone, {"figure 5.8: system-allocated against managed memory"})
        found = [row for row in rows if row["ours"] is not None]
        self.assertEqual({number for row in found for number in re.findall(r"5\.[1-8]", row["note"])} & {"5.5", "5.6"}, {"5.5", "5.6"})
        for row in found:
            of_system = re.search("(memory|memspace) system", row["published for"])
            expected = f"other {of_system[1]}: system in the source" if of_system else None
            self.assertEqual(row["differs"], expected, row["published for"])
            self.assertEqual(of_system is not None, "managed" in row["our case"] and "memspace managed" not in row["published for"])

    def test_levels_and_differences_are_those_of_the_sample(self):
        ours = {(row["published for"].split(", once")[0], row["published"]): row["ours"] for row in self.rows(*SAMPLE)}
        pattern = "membench, bytes 4000000000, memory system, pattern 5, probe patterns"
        self.assertAlmostEqual(ours[pattern, "3000"], 3359, delta=1)
        last = "membench, bytes 8000000000, memory system, mode plain, phase device 2, probe migration"
        self.assertAlmostEqual(ours[last, "-500.0 to 500.0"], 6, delta=1)
        slower = [value for (what, published), value in ours.items() if published == "-20.00"]
        self.assertAlmostEqual(slower[0], 2147 - 2512, delta=1)

    @needs_matplotlib
    def test_each_figure_is_drawn_with_the_values_of_the_thesis(self):
        plots = self.plots(*SAMPLE)
        wanted = {
            "link-host-copy": ["310 to 360"],
            "link-device-copy": ["3200"],
            "link-htod": ["410"],
            "link-dtoh": ["240 to 300"],
            "patterns-4GB": ["at least 310", "410 to 450", "240 to 300", "3000", "3200", OTHER_MEMORY],
            "patterns-8GB": ["at least 310", "2300 to 2500", "2200 to 2700", OTHER_MEMORY],
            "migration-4GB": ["3000", "240 to 300", "at least 0 against device 1", OTHER_MEMORY],
            "migration-8GB": ["2300 to 2500", "-500 to 500 against device 1", OTHER_MEMORY],
            HIMENO: ["-20 against device", "-100 against device", "other memspace: system in the source"],
        }
        for name, values in wanted.items():
            self.assertIn("Miyabi-G in the Tsukuba thesis", plots[name])
            for value in values:
                self.assertIn(value, plots[name], name)

    def test_the_answer_says_how_many_figures_were_found_and_the_farthest(self):
        text = " ".join(self.good(*SAMPLE, *THESIS).split())
        self.assertIn("of its 25 figures 24 stand beside a result, 19 of these in another memory", text)
        self.assertIn("Farthest below: h200, HtoD pinned, copy engine, 8.000 GB: 55.34 against 410.0 GB/s (0.13 x)", text)
        self.assertIn("Farthest above: h200, device copy kernel, 4.000 GB", text)


class SystemAllocated(Thesis):
    def test_stands_beside_the_thesis_without_a_mark(self):
        rows = self.rows(self.reaching())
        found = [row for row in rows if row["ours"] is not None]
        self.assertEqual({row["differs"] for row in found}, {None})
        for probe, count in (("probe patterns", 8), ("probe migration", 3), ("himeno", 3)):
            self.assertEqual(sum(probe in row["published for"] for row in found), count, probe)

    @needs_matplotlib
    def test_is_drawn_so(self):
        plots = self.plots(self.reaching())
        for name in ("patterns-4GB", "migration-4GB", HIMENO):
            self.assertIn("Miyabi-G in the Tsukuba thesis", plots[name])
            self.assertNotIn("in the source", plots[name])
        self.assertIn("-80 against managed", plots[HIMENO])

    def test_an_answer_without_a_counterpart_says_so(self):
        file = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000, iterations=3))
        self.assertIn("of its 25 figures none stand beside a result.", " ".join(self.good(file, *THESIS).split()))


if __name__ == "__main__":
    unittest.main()
