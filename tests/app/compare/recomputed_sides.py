# Sides, cases and their times for answer_again.py, read from the result files by h5py: nothing of app/compare is used.
import functools
import math
import os
import re
import statistics
import sys

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

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
        if steps < self.steps:
            swept = self.all * sum(self.series[: max(1, len(self.series) * steps // self.steps)]) / sum(self.series)
        else:
            swept = self.all + (steps - self.steps) * self.tail
        return sum(self.once.values()) + swept + self.messages * steps / self.steps

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
