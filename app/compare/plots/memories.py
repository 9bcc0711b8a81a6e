# Plots of what ran, or would run, in each memory: speed and time, sweep by sweep, energy, roofline.
import textwrap

import style
from probes import of_probe
from rows import bars, beside, chart, dot, finish, sides, stick

PUBLISHED = {"color": "0.35", "marker": "v", "markerfacecolor": "white", "markersize": 4.5}
CEILINGS = {
    "device memory": {"direction": "device copy", "by": "kernel"},
    "host memory": {"direction": "host copy", "by": "vectorised"},
    "link, host to device": {"direction": "HtoD", "memory": "pinned", "by": "copy engine"},
    "link, device to host": {"direction": "DtoH", "memory": "pinned", "by": "copy engine"},
}


def of_problem(draw):
    """A plot of {memory: {side: case}}: of the first problem, the fastest memory first, the sides
    in order."""

    def plot(answer):
        cases = {(case["case"], case["side"]): case for case in answer["cases"]}
        rows = [row for row in answer["ranking"] if row["problem"] == answer["problem"]]
        memories = {row["memory"]: {} for row in sorted(rows, key=lambda row: row["to_best"])}
        for row in rows:
            memories[row["memory"]][row["side"]] = cases[row["case"], row["side"]]
        return draw(answer, memories) if memories else ()

    return plot


def speed(answer, memories):
    names = sides(answer)

    def draw(axes, y, side, case):
        if case["limit_speed"]:
            stick(axes[0], case["limit_speed"], y, "limit of this memory, measured")
        dot(axes[0], case["speed"], y, names.index(side), side)
        beside(axes[0], y, style.number(case["speed"]))
        for row in answer["published"]:
            if (row["side"], row["case"], row["unit"]) == (side, case["case"], case["unit"]):
                label = f"published: {row['published']}, {row['source']}"
                label = "\n".join(textwrap.wrap(label, 70))
                axes[0].plot([row["low"]], [y], linestyle="none", label=label, **PUBLISHED)

    rows, figure, axes = chart(memories, draw)
    unit = next(case["unit"] for of in memories.values() for case in of.values())
    finish(rows, axes, f"speed of the steps ({unit})")
    yield style.Plot("speed", figure, problem=answer["problem"])


def large(parts, least):
    return [name for name, part in parts.items() if part > least * sum(parts.values())]


def phases(answer, memories):
    cases = [case for of in memories.values() for case in of.values()]
    shown = {name for case in cases for name in large(case["parts"], 1e-3)}
    names = [part for part in cases[0]["parts"] if part in shown]

    def draw(axes, y, _, case):
        text = f"{style.number(case['seconds'])} s, {case['steps']}"
        bars(axes[0], y, case["parts"], names, text)

    rows, figure, axes = chart(memories, draw)
    axes[0, 0].set(xlim=(0, 100))
    label = "share of the time of all phases (%); right: that time, and the number of steps"
    finish(rows, axes, label, log=False)
    yield style.Plot("phases", figure, problem=answer["problem"])


def sweeps(answer, memories):
    def differ(seconds):
        return max(seconds) > 1.5 * sorted(seconds)[len(seconds) // 2]

    differing = {}
    for memory, of in memories.items():
        series = {side: case["series"] for side, case in of.items() if case["series"]}
        if any(differ(s["seconds"]) for s in series.values()):
            differing[memory] = series
    if not differing:
        return
    columns = min(2, len(differing))
    lines = -(-len(differing) // columns)
    high = 2.4 if lines == 1 else 1.6
    figure, axes = style.panels(lines, columns, high, sharex=True, sharey=True)
    for axis, (memory, series) in zip(axes.flat, differing.items()):
        for side, s in series.items():
            looks = style.marked_line(sides(answer).index(side), 3) | {"markevery": [0]}
            axis.plot(s["step"], [1e3 * second for second in s["seconds"]], label=side, **looks)
        style.name_panel(axis, memory, columns)
        style.log_scale(axis, "x")
        style.log_scale(axis, "y", few=True)
    style.name_axes(axes, len(differing), "sweep", "time (ms)")
    yield style.Plot("sweeps", figure, problem=answer["problem"])


def energy(answer, memories):
    """For every memory of the problem, or not at all."""
    names = sides(answer)
    every = [case for of in memories.values() for case in of.values()]
    if not all(case["joules_a_step"] for case in every):
        return

    def draw(axes, y, side, case):
        dot(axes[0], case["joules_a_step"], y, names.index(side), side)
        beside(axes[0], y, f"{style.number(case['joules_a_step'])} J")

    rows, figure, axes = chart(memories, draw)
    step = every[0]["step"]
    finish(rows, axes, f"energy of a {step} on the GPU (J)")
    yield style.Plot("energy", figure, step=step, problem=answer["problem"])


def ceilings(answer, side):
    """[(name, GB/s)] of what the probe link measured on this side."""
    rates = [row for of, row in of_probe(answer, "link") if of == side]
    for name, wanted in CEILINGS.items():
        found = [row for row in rates if all(row.get(k) == v for k, v in wanted.items())]
        if found:  # smaller copies are of a cache
            yield name, max(found, key=lambda row: row["bytes"])["value"]


def roofline(answer):
    """At most 15 points a side, grid codes before others."""
    most = 15

    def draw(axes, y, _, case):
        dot(axes[0], case["bandwidth_gbs"], y, 0 if case["step"] == "sweep" else 1)
        beside(axes[0], y, style.number(case["bandwidth_gbs"]))

    for side in sides(answer):
        cases = [c for c in answer["cases"] if c["side"] == side and c["ranks"] == 1]
        cases = [c for c in cases if c["variant"] in ("", "tuned")]
        cases.sort(key=lambda c: c["step"] != "sweep")
        distinct = {(c["problem"], c["memory"]): c for c in cases}  # of several numbers of steps one
        points = {}
        for (problem, memory), case in list(distinct.items())[:most]:
            points.setdefault(problem, {})[memory] = case
        known = list(ceilings(answer, side))
        if not known or not points:
            continue
        rows, figure, axes = chart(points, draw)
        for (name, gbs), dashes in zip(known, style.LINES):
            looks = {"color": "black", "linewidth": 1.1, "linestyle": dashes, "zorder": 1}
            axes[0, 0].axvline(gbs, label=f"{name}: {gbs:.4g} GB/s", **looks)
        finish(rows, axes, "bandwidth (GB/s)")
        yield style.Plot("roofline", figure, [side], side=side)


def prediction(answer):
    """Time and its causes, a row for each machine and memory that is predicted."""
    predictions = answer["predictions"] or {"machines": []}
    machines = [machine["machine"] for machine in predictions["machines"]]
    memories, causes = {}, {}
    for machine in predictions["machines"]:
        for row in machine["memories"]:
            if "seconds" in row:
                memories.setdefault(row["memory"], {})[machine["machine"]] = row
                causes |= dict.fromkeys(large(row["causes"], 0.01))
    if not memories:
        return

    def draw(axes, y, machine, row):
        dot(axes[0], row["seconds"], y, machines.index(machine))
        bars(axes[1], y, row["causes"], list(causes), f"{style.number(row['seconds'])} s")

    rows, figure, axes = chart(memories, draw, 2)
    axes[0, 1].set(xlabel="share of the time (%)", xlim=(0, 100))
    finish(rows, axes, "predicted time (s)")
    yield style.Plot("prediction", figure, what=predictions["what"])


PLOTS = {of.__name__: of_problem(of) for of in (speed, phases, sweeps, energy)}
PLOTS |= {of.__name__: of for of in (roofline, prediction)}
