# The figures of memcompare, computed once more from the result files: h5py reads them, and nothing of app/compare is used.
# Cases, rankings, scaling, rates of membench, the screen with its intervals, csv; then every number of --full and of
# Markdown is one of the JSON.
import csv
import functools
import io
import json
import math
import os
import re
import statistics
import sys
import unittest

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from cli_support import CommandLine

SAMPLES = os.path.join(os.environ["MEMSTENCIL_INPUTS"], "reference/samples")
SIDES = ["h100", "h100-x2", "h200"]
PHASES = {"allocate": "allocate", "initialise": "initialise", "upload": "upload", "pre-touch": "pre_touch"}
PHASES |= {"download": "download", "free": "free"}
COMMON = ("memspace", "advise", "pages", "prefetch", "allocation", "first-touch", "coefficients", "pre-touch", "pitch")


def value_of(value):
    if isinstance(value, h5py.Empty) or getattr(value, "size", 1) == 0:  # null, in version 2 and 3
        return None
    value = value.decode() if isinstance(value, bytes) else value
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def tree(group):
    made = {name: value_of(value) for name, value in group.attrs.items()}
    for name, item in group.items():
        made[name] = tree(item) if isinstance(item, h5py.Group) else item[()]
        if isinstance(made[name], dict) and made[name] and all(re.fullmatch(r"\d{4}", key) for key in made[name]):
            made[name] = [made[name][key] for key in sorted(made[name])]
    return made


def runs_of(file):
    with h5py.File(file) as opened:
        whole = tree(opened)
    repeats = whole.pop("repeats", None) or [{}]
    return [whole | repeat | {"file": file} for repeat in repeats]


def middle(values):
    return sorted(values)[(len(values) - 1) // 2]


class Timed:
    """The steps of a run: of a transpose, those of one variant."""

    def __init__(self, run, variant=None):
        phases, self.run = run["phases"], run
        self.gpu = run["exec"] == "device"
        self.ranks = math.prod(run["ranks"]) if hasattr(run["ranks"], "__len__") else run["ranks"]
        gpus = {rank["gpu"] for rank in run["provenance"]["ranks"] if rank.get("gpu")}
        self.processors = len(gpus) or self.ranks
        self.once = {to: phases.get(of, 0.0) for of, to in PHASES.items()}
        self.messages = phases.get("halo", 0.0) + phases.get("reduce", 0.0)
        # Files from before an option was added lack it, which is its default; True became 1.
        options = [run["options"].get(key) or "default" for key in COMMON]
        options = tuple(str(int(value) if isinstance(value, bool) else value) for value in options)
        self.memory = (run["exec"], run["memspace"]["effective"], options, run.get("halo") or run.get("messages"))
        source = run if variant is None else variant
        self.energy = source.get("energy", {}).get("gpus", {})
        if variant is None:
            self.series = list(run["sweeps"]["seconds"])
            self.steps, self.all = run["iterations"], phases["sweeps"]
            self.kind = (run["sweep"], run.get("layout"), tuple(run["ranks"]))
            self.task = (run["program"], tuple(run["extents"]), run["options"].get("coefficients"), self.ranks)
            self.speed, self.unit, self.bandwidth = run["mflops"] / 1000, "GFLOPS", run["bandwidth_gbs"]
            self.limit = run["limit"]["gbs"]
            self.fraction = self.bandwidth / self.limit
        else:
            self.series = list(variant["seconds"])
            self.steps, self.all = len(self.series), sum(self.series)
            self.kind = (variant["name"], variant.get("tile", 32), len(run["variants"]) > 2 and len(run["variants"]))
            self.task = (run["program"], run["rows"], run["columns"], run["type"], self.ranks)
            self.speed = self.bandwidth = variant["gbs"]["median"]
            self.unit, self.fraction = "GB/s", variant.get("fraction") or variant.get("of_copy") or 0
            self.limit = self.bandwidth / self.fraction if self.fraction else 0
        self.median = statistics.median(self.series)
        self.tail = statistics.median(self.series[len(self.series) // 2 :])
        self.step = self.tail + self.messages / self.steps

    def at(self, steps):
        return sum(self.once.values()) + self.all + (steps - self.steps) * self.tail + self.messages * steps / self.steps

    @property
    def seconds(self):
        return self.at(self.steps)

    def key(self):
        machine = self.run["machine"]
        build = machine["program"]["git_revision"], machine["program"]["compiler"], machine["cpu"]["cores"]
        return self.task, self.kind, self.steps, self.memory, build


class Side:
    def __init__(self, name):
        folder, cases = os.path.join(SAMPLES, name), {}
        self.both_ways, self.rates = None, {}
        for file in sorted(os.listdir(folder)):
            for run in runs_of(os.path.join(folder, file)):
                if run["program"] == "membench":
                    self.take(run)
                for variant in run.get("variants", [None] if run["program"] != "membench" else []):
                    timed = Timed(run, variant)
                    cases.setdefault(timed.key(), []).append(timed)
        for timed in (each for of in cases.values() for each in of):
            if timed.unit == "GB/s" and timed.run["limit"]["kind"] == "link" and self.both_ways:
                timed.limit, timed.fraction = self.both_ways, timed.bandwidth / self.both_ways
        self.cases = list(cases.values())

    def take(self, run):
        """Medians of every column with samples, and the two ways of the link at once."""
        at_once = {}
        for probe in run["probes"]:
            found = self.rates.setdefault(probe["name"], set())
            for block in probe.get("rows", []):
                for name, values in block.items():
                    if name not in ("samples", "sample_counts", "experiments") and getattr(values, "dtype", "O") != "O":
                        found.update(float(f"{value:.9g}") for value in values if not isinstance(value, bytes))
                for values in block.get("samples", {}).values():  # those of a row follow those of the row before
                    counts, start = iter(block["sample_counts"]), 0
                    for experiments in block["experiments"]:
                        end = start + sum(int(next(counts)) for _ in range(int(experiments)))
                        found.add(float(f"{statistics.median(values[start:end]):.9g}"))
                        start = end
                if probe["name"] == "link":
                    for n, direction in enumerate(block["direction"]):
                        if b" against " in direction and block["by"][n] == b"kernel" and block["memory"][n] == b"pinned":
                            at_once[direction] = max(at_once.get(direction, (0, 0)), (block["bytes"][n], block["gbs"][n]))
        if at_once:
            self.both_ways = sum(gbs for _, gbs in at_once.values())


@functools.cache
def t_95(freedom):
    """The two-sided 95 % quantile of Student's t: half of its density between 0 and t is 0.475."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def area(to, parts=2000):  # Simpson's rule
        values = [(1 + (to * n / parts) ** 2 / freedom) ** (-(freedom + 1) / 2) for n in range(parts + 1)]
        return scale * to / parts / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))

    low, high = 1.0, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if area(middle) < 0.475 else (low, middle)
    return low


def shown(case):
    return sorted(case, key=lambda each: each.seconds)[(len(case) - 1) // 2]


def half_width(case, steps):
    """Of a case's 95 % interval: over the repeats of one process, or over the medians of several."""
    processes = {}
    for each in case:
        processes.setdefault(each.run["file"], []).append(math.log(each.at(steps)))
    logs = [statistics.median(of) for of in processes.values()] if len(processes) > 1 else next(iter(processes.values()))
    return math.expm1(t_95(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))) if len(logs) > 1 else None


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
        for c in self.answer["cases"]:
            case = self.ours[c["side"], c["case"]]
            one = shown(case)
            wanted = {"runs": len(case), "half_width": half_width(case, one.steps), "seconds": one.seconds, "median_step": one.median}
            wanted |= {"first_step": one.series[0], "speed": one.speed, "bandwidth_gbs": one.bandwidth, "steps": one.steps}
            wanted |= {"limit_gbs": one.limit or None, "fraction": one.fraction if one.limit else None, "ranks": one.ranks}
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
        for row in self.answer["scaling"]:
            curve = row["side"], row["scaling"], row["curve"]
            found = [shown(c) for c in self.sides[row["side"]].cases]
            one = next(o for o in found if math.isclose(o.speed, row["rate"]) and o.ranks == row["ranks"])
            base = first.setdefault(curve, one)
            self.near(row["speedup"], one.bandwidth / base.bandwidth, curve)
            self.near(row["efficiency"], one.bandwidth / base.bandwidth * base.processors / one.processors, curve)

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
                for side, times in re.findall(r"(\S+) (?:not told, )?([\d.]+) times \(", said):
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
