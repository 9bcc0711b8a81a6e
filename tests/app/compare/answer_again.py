# The figures of memcompare, computed once more from the result files: h5py reads them, and nothing of app/compare is used.
# Cases, rankings, scaling, rates of membench, the screen with its intervals, csv; then every number of --full and of
# Markdown is one of the JSON.
import csv
import io
import json
import math
import os
import re
import statistics
import unittest

from cli_support import CommandLine
from recomputed_sides import SAMPLES, SIDES, Side, half_width, shown, t_95


class Again(CommandLine):
    answer = None  # asked once: it takes seconds
    ours = {}  # of a side's case, by its label

    @classmethod
    def setUpClass(cls):
        cls.sides = {name: Side(name) for name in SIDES}

    def setUp(self):
        super().setUp()
        self.folders = [os.path.join(SAMPLES, name) for name in SIDES]
        if Again.answer:
            return
        Again.answer = json.loads(self.good(*self.folders, "--format", "json"))
        for name, side in self.sides.items():
            theirs = sorted((c for c in self.answer["cases"] if c["side"] == name), key=lambda c: c["seconds"] + c["speed"])
            ours = sorted(side.cases, key=lambda case: shown(case).seconds + shown(case).speed)
            self.assertEqual(len(theirs), len(ours), name)
            self.ours |= {(name, c["case"]): case for c, case in zip(theirs, ours)}

    def near(self, theirs, ours, what):
        if ours is None:
            return self.assertIsNone(theirs, what)
        self.assertIsNotNone(theirs, what)
        self.assertLessEqual(abs(theirs - ours), 1e-9 + 1e-8 * abs(ours), f"{what}: {theirs} is not {ours}")

    def test_cases(self):
        self.assertEqual((self.answer["schema"], self.answer["schema_version"]), ("memstencil-comparison", 3))
        self.assertEqual(([side["side"] for side in self.answer["sides"]], self.answer["base"]), (SIDES, SIDES[0]))
        for c in self.answer["cases"]:
            case = self.ours[c["side"], c["case"]]
            one = shown(case)
            wanted = {"runs": len(case), "half_width": half_width(case, one.steps), "seconds": one.seconds, "median_step": one.median}
            wanted |= {"first_step": one.series[0], "speed": one.speed, "bandwidth_gbs": one.bandwidth, "steps": one.steps}
            wanted |= {"limit_gbs": one.limit or None, "fraction": one.fraction if one.limit else None, "ranks": one.ranks}
            wanted["limit_speed"] = one.limit / one.bandwidth * one.speed if one.limit else None
            for to, of in (("joules_a_step", "joules_per_iteration"), ("mean_watts",) * 2, ("gflops_a_watt", "gflops_per_watt")):
                wanted[to] = one.energy.get(of)
            for name, figure in wanted.items():
                self.near(c[name], figure, (c["side"], c["case"], name))
            pace = min(one.all, one.median * one.steps)
            parts = one.once | {"steps": pace, "beyond": one.all - pace, "messages": one.messages}
            for name, seconds in parts.items():
                self.near(c["parts"][name], seconds, (c["case"], name))

    def test_rankings(self):
        of_problem = {}
        for row in self.answer["ranking"]:
            one = shown(self.ours[row["side"], row["case"]])
            self.near(row["seconds"], one.at(row["steps"]), row["case"])
            self.near(row["step_seconds"], one.step, row["case"])
            self.near(row["once"], one.at(row["steps"]) - row["steps"] * one.step, row["case"])
            self.assertEqual(row["extrapolated"], abs(one.steps - row["steps"]) > 0.05 * row["steps"])
            of = of_problem.setdefault((one.task, one.kind), {}).setdefault(row["side"], {})
            of[one.memory] = (row, one.at(row["steps"]))
        for sides in of_problem.values():
            for side, rows in sides.items():
                for memory, (row, seconds) in rows.items():
                    self.near(row["to_best"], seconds / min(other for _, other in rows.values()), row["case"])
                    base = sides.get(SIDES[0], {}).get(memory) if side != SIDES[0] else None
                    self.near(row["to_base"], seconds / base[1] if base else None, row["case"])

    def test_scaling(self):
        first = {}
        self.assertEqual({row["curve"].split()[0] for row in self.answer["scaling"]}, {"himeno", "heat", "transpose"})
        for row in self.answer["scaling"]:
            curve = row["side"], row["scaling"], row["curve"]
            found = [shown(c) for c in self.sides[row["side"]].cases]
            one = next(o for o in found if math.isclose(o.speed, row["rate"]) and o.ranks == row["ranks"])
            base = first.setdefault(curve, one)
            self.near(row["speedup"], one.bandwidth / base.bandwidth, curve)
            efficiency = one.bandwidth / base.bandwidth * base.processors / one.processors
            self.near(row["efficiency"], efficiency, curve)
            self.near(row["perfect_rate"], one.speed / efficiency, curve)

    def test_rates_of_membench(self):
        for pair in self.answer["probe_pairs"]:
            for side, value in pair["values"].items():
                self.assertIn(float(f"{value:.9g}"), self.sides[side].rates[pair["probe"]], (side, pair["row"]))
            for side, ratio in pair["to_base"].items():
                self.near(ratio, pair["values"][side] / pair["values"][SIDES[0]], pair["row"])

    def interval(self, here, there, steps):
        """Of two cases of one process each: the ends of the ratio of their means of logarithms."""
        logs = [[math.log(each.at(steps)) for each in case] for case in (here, there)]
        parts = [statistics.variance(values) / len(values) for values in logs]
        degrees = sum(parts) ** 2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, logs))
        low = math.floor(degrees)
        t = t_95(low) + (degrees - low) * (t_95(low + 1) - t_95(low))
        wider = math.log1p(max(0.05, 3 * max(statistics.stdev(values) for values in logs)))
        middle, half = statistics.mean(logs[0]) - statistics.mean(logs[1]), t * math.sqrt(sum(parts)) + wider
        return math.exp(middle - half), math.exp(middle + half)

    def test_the_screen(self):
        """Placements: seconds, intervals, ratios; the headline has those of the first row; what is best is on the second line."""
        screen, steps, seen = self.answer["screen"], self.answer["ranking"][0]["steps"], 0
        of = {(r["side"], r["memory"]): r for r in self.answer["ranking"] if r["problem"] == self.answer["problem"]}
        for row in screen["blocks"][0]["rows"]:
            case = {side: self.ours[side, of[side, row["name"]]["case"]] for side in row["sides"]}
            for side, cell in row["sides"].items():
                seconds = shown(case[side]).at(steps)
                self.near(cell["seconds"], seconds, (side, row["name"]))
                half = half_width(case[side], steps)
                self.assertAlmostEqual(cell["half_width"] or 0, half or 0, 6)
                if side != SIDES[0] and SIDES[0] in case:
                    self.near(cell["times_the_base"], shown(case[SIDES[0]]).at(steps) / seconds, row["name"])
                    for end, wanted in zip(("low", "high"), self.interval(case[SIDES[0]], case[side], steps)):
                        self.assertAlmostEqual(cell[end], wanted, 5, (side, row["name"]))
                    self.assertEqual(cell["told"], cell["low"] > 1 or cell["high"] < 1)
                    seen += 1
        self.assertGreaterEqual(seen, 6)
        first = screen["blocks"][0]["rows"][0]["sides"]
        for said in screen["headline"]:
            if found := re.match(r"(\S+) is ([\d.]+) times \(\D*([\d.]+) %.*?\) as fast as (\S+)(?: at|:)", said):
                fast, times, percent, slow = found.groups()
                cell, ratio = first[fast], first[slow]["seconds"] / first[fast]["seconds"]
                self.assertEqual(times, f"{ratio:.2f}")
                half = max(cell["high"] / cell["times_the_base"] - 1, 1 - cell["low"] / cell["times_the_base"])
                self.assertEqual(percent, f"{100 * half:.0f}")
                seen += 1
            if said.startswith("Each at its best: "):
                work = self.answer["task"]
                best = {s: min(r["seconds"] for r in self.answer["ranking"] if r["side"] == s
                               and r["task"].partition(", ranks")[0] == work) for s in SIDES}  # fmt: skip
                for side, times in re.findall(r"(\S+) ([\d.]+) times \(", said):
                    self.assertEqual(times, f"{best[SIDES[0]] / best[side]:.2f}")
                    seen += 1
        self.assertGreaterEqual(seen, 9)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.good(*self.folders, "--format", "csv"))))
        ours = sorted(one.seconds for side in self.sides.values() for case in side.cases for one in case)
        self.assertEqual(len(rows), len(ours))
        for theirs, seconds in zip(sorted(float(row["seconds"]) for row in rows), ours):
            self.assertAlmostEqual(theirs / seconds, 1, 7)
        stand = sorted(float(row["seconds"]) for row in rows if row["stands"] == "true")
        ours = sorted(shown(case).seconds for side in self.sides.values() for case in side.cases)
        for theirs, seconds in zip(stand, ours, strict=True):
            self.assertAlmostEqual(theirs / seconds, 1, 7)

    def test_every_number_of_the_tables_and_of_the_page_is_one_of_the_json(self):
        known = set()

        def digits(text):
            return text.lstrip("-~0.").replace(".", "").rstrip("0") or "0"

        def take(value):
            if isinstance(value, dict):
                return [take(each) for each in value.values()]
            if isinstance(value, list):
                return [take(each) for each in value]
            if isinstance(value, str):
                return [known.add(digits(number)) for number in re.findall(r"[\d.]+", value)]
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                known.update(digits(f"{abs(value):.{n}f}") for n in range(7))
                known.update(digits(f"{100 * abs(value):.{n}f}") for n in (0, 1))
                known.update(digits(f"{abs(value):.{n}g}".split("e")[0]) for n in range(2, 6))

        take(self.answer)
        texts = [self.good(*self.folders, "--full"), self.good(*self.folders, "--format", "markdown")]
        for text in texts:
            for cell in re.findall(r"(?<=[| ])[-~]?\d+\.\d+(?=(?: x| %)? *(?:[|\n]|  ))", text):
                self.assertIn(digits(cell), known, cell)


if __name__ == "__main__":
    unittest.main()
