# Runs of result files, as plain dictionaries, and what all plots look up in them.
import re

import h5py
import numpy

from measured import as_measured


LONGEST = 100  # characters: more would leave no room for what is drawn


def shortened(value):
    """Texts of a file may have any length and characters: those within are cut, and made
    printable."""
    if isinstance(value, str):
        text = "".join(c if c.isprintable() else "?" for c in value[: LONGEST + 1])
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
    if isinstance(value, list):
        return [shortened(each) for each in value]
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    return value


def _scalar(value):
    """An attribute, or a text that is too long for one. Texts have a fixed length: h5py gives
    bytes."""
    if isinstance(value, h5py.Empty):
        return None
    value = value.item() if isinstance(value, numpy.generic) else value
    return shortened(value.decode(errors="replace") if isinstance(value, bytes) else value)


def _record(group):
    """docs/reference/result-format.md, read back: a dictionary, or the list that members
    0001, 0002, ... are."""
    record = {name: _scalar(value) for name, value in group.attrs.items()}
    for name, member in group.items():
        if isinstance(member, h5py.Group):
            record[name] = _record(member)
        elif member.ndim == 0:
            record[name] = _scalar(member[()])
        else:
            texts = member.dtype.kind == "S"
            record[name] = [_scalar(each) for each in member[:]] if texts else member[:].tolist()
    numbered = [f"{n + 1:04}" for n in range(len(group))]
    if group.keys() and not group.attrs and sorted(group) == numbered:
        return [record[name] for name in numbered]
    return record


class Side:
    """A machine, or a file: its label, its theory by figure, and its runs. `memory` of a himeno or
    transpose run is what compare calls where and how its arrays lie; `identity` of a himeno run is
    all that makes it this case."""

    def __init__(self, plan, files):
        self.label = plan["label"]
        self.theory = plan["theory"]
        self.runs = []
        for run in plan["runs"]:
            with h5py.File(files[run["file"]], "r") as file:
                record = _record(file)
            of_compare = {"memory": run.get("memory"), "identity": run.get("identity")}
            self.runs.append(record | of_compare)

    def of_program(self, program):
        return [run for run in self.runs if run["program"] == program]

    def probes(self, name):
        """The probe of each membench run that measured it."""
        return [
            as_measured(probe)
            for run in self.of_program("membench")
            for probe in run["probes"]
            if probe["name"] == name and not probe.get("skipped")
        ]

    def measurements(self, name, **parameters):
        """Measurements of the probe whose parameters are these; of several runs the later
        last."""
        return [
            measurement
            for probe in self.probes(name)
            for measurement in probe["measurements"]
            if all(
                measurement.get("parameters", {}).get(key) == value
                for key, value in parameters.items()
            )
        ]

    def himeno(self):
        return [run for run in self.of_program("himeno") if "sweeps" in run]


def experiments(measurement):
    """Each experiment's series; the one series where their lengths are not known to be equal."""
    count, samples = measurement.get("experiments", 1), measurement["samples"]
    if count < 2 or len(samples) % count:
        return [samples]
    length = len(samples) // count
    return [samples[n * length : (n + 1) * length] for n in range(count)]


def sizes(measurements):
    """Array sizes that occur, in bytes, rising."""
    return sorted({measurement["parameters"]["bytes"] for measurement in measurements})


def size_text(size):
    """In powers of two or of ten, whichever is the rounder number: "1 GiB", "4 GB"."""
    texts = [
        f"{size / factor:.4g} {unit}"
        for units in (
            (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1)),
            (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1)),
        )
        for unit, factor in [next(each for each in units if size >= each[1] or each[1] == 1)]
    ]
    return min(texts, key=lambda text: len(text.split()[0]))


def median(values):
    return sorted(values)[len(values) // 2]


def file_name(*parts):
    """Of a plot: the parts, without what a shell or a file system would mind; "1 GiB" is 1GiB."""
    text = re.sub(r"(\d) ([kKMG]i?B)\b", r"\1\2", "-".join(map(str, parts)))
    return re.sub(r"[^A-Za-z0-9.]+", "-", text)


def ranks(run):
    return int(numpy.prod(run.get("ranks", [1])))
