# Plots of what ran, or would run: speed and time by memory, sweep by sweep, roofline, scaling, model.
import re
import textwrap

import style
from probes import of_probe
from rows import bars, beside, chart, dot, finish, sides, stick

PUBLISHED = {"color": "0.35", "marker": "v", "markerfacecolor": "white", "markersize": 4.5}


def ranked(answer):
    """The rows of the first problem, the sides that have some, and its memories, the fastest first."""
    rows = [row for row in answer["ranking"] if row["problem"] == answer["problem"]]
    names = [name for name in sides(answer) if any(row["side"] == name for row in rows)]
    return rows, names, list(dict.fromkeys(row["memory"] for row in sorted(rows, key=lambda r: r["to_best"])))


def of_problem(draw):
    """A plot of {memory: {side: case}}: of the first problem, the fastest memory first, the sides
    in order."""

    def plot(answer):
        cases = {(case["case"], case["side"]): case for case in answer["cases"]}
        rows, _, order = ranked(answer)
        memories = {memory: {} for memory in order}
        for row in rows:
            memories[row["memory"]][row["side"]] = cases[row["case"], row["side"]]
        return draw(answer, memories) if memories else ()

    return plot


def speed(answer, memories):
    names = sides(answer)

    def draw(axes, y, side, case):
        if case["limit_speed"]:
            stick(axes[0], case["limit_speed"], y, "limit of this memory, measured")
        dot(axes[0], case["speed"], y, names.index(side), side, case["speeds"])
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
    figure, axes = style.tiles(len(differing), 2.4 if len(differing) < 3 else 1.6)
    for axis, (memory, series) in zip(axes.flat, differing.items()):
        for side, s in series.items():
            looks = style.marked_line(sides(answer).index(side), 3) | {"markevery": [0]}
            axis.plot(s["step"], [1e3 * second for second in s["seconds"]], label=side, **looks)
        style.name_panel(axis, memory, axes)
        style.log_scale(axis, "x")
        style.log_scale(axis, "y", few=True)
    style.name_axes(axes, len(differing), "sweep", "time (ms)")
    yield style.Plot("sweeps", figure, problem=answer["problem"])


def ceilings(answer, side):
    """[(name, GB/s)] of what the probe link measured on this side."""
    rates = [row for of, row in of_probe(answer, "link") if of == side]
    for name, wanted in style.PLOTS["roofline"]["ceilings"].items():
        found = [row for row in rates if all(row.get(k) == v for k, v in wanted.items())]
        if found:  # smaller copies are of a cache
            yield name, max(found, key=lambda row: row["bytes"])["value"]


def fused_sweeps(case):
    found = re.search(r"temporal:(\d+)", case["problem"])
    return int(found[1]) if found else 1


def roofline(answer):
    """GFLOPS over the operations a byte that crosses from memory: of T fused sweeps T times as many
    as of one. At most 15 points a side."""
    most = 15
    for side in sides(answer):
        cases = [c for c in answer["cases"] if c["side"] == side and c["ranks"] == 1]
        cases = [c for c in cases if c["unit"] == "GFLOPS"]
        distinct = {(c["problem"], c["memory"]): c for c in cases}  # of several numbers of steps one
        known, points = list(ceilings(answer, side)), list(distinct.values())[:most]
        if not known or not points:
            continue
        figure, axes = style.panels(1, 1, 3.6)
        axis = axes[0, 0]
        ends = [1e9, 0.0]
        for number, case in enumerate(points):
            x = fused_sweeps(case) * case["speed"] / case["bandwidth_gbs"]
            ends = [min(ends[0], x), max(ends[1], x)]
            looks = style.marker(number) | {"linestyle": "none"}
            label = "\n".join(textwrap.wrap(f"{case['problem']}, {case['memory']}", 42))
            axis.plot([x], [case["speed"]], label=label, **looks)
        ends = [ends[0] / 2, ends[1] * 2]
        for (name, gbs), dashes in zip(known, style.LINES):
            looks = {"color": "black", "linewidth": 1.1, "linestyle": dashes, "zorder": 1}
            axis.plot(ends, [gbs * x for x in ends], label=f"{name}: {gbs:.4g} GB/s", **looks)
        axis.set(xlim=ends, xlabel="operations a byte (flop/byte)", ylabel="speed (GFLOPS)")
        style.log_scale(axis, "x")
        style.log_scale(axis, "y")
        yield style.Plot("roofline", figure, [side], side=side)


def total(answer):
    """The time of all phases over the number of steps, a panel a side: once + number x step."""
    rows, names, memories = ranked(answer)
    if len(memories) < 2:
        return
    figure, axes = style.tiles(len(names), 2.6)
    counts = [10 ** (n / 10) for n in range(0, 46)]
    for axis, name in zip(axes.flat, names):
        own = [row for row in rows if row["side"] == name]
        for row in own:
            times = [row["once"] + n * row["step_seconds"] for n in counts]
            axis.plot(counts, times, label=row["memory"], **style.line(memories.index(row["memory"])))
        for n, a in enumerate(own):
            for b in own[:n]:
                longer = a["step_seconds"] - b["step_seconds"]
                at = (b["once"] - a["once"]) / longer if abs(longer) > 0.02 * b["step_seconds"] else 0
                if counts[0] < at < counts[-1]:
                    time = a["once"] + at * a["step_seconds"]
                    axis.plot([at], [time], "o", color="black", markerfacecolor="white", markersize=4)
        style.name_panel(axis, name, axes)
    for axis in axes.flat:
        style.log_scale(axis, "x", few=True)
        style.log_scale(axis, "y", few=True)
        axis.set_xticks([1, 10, 100, 1000, 10000])
    style.name_axes(axes, len(names), "number of steps", "time of all phases (s)")
    yield style.Plot("total", figure, problem=answer["problem"])


def touch(answer):
    """A map of the time of all phases: memory down, who touched it first across, a panel a side."""
    rows, names, _ = ranked(answer)
    cells, memories, touches = {}, {}, {}
    for row in rows:
        words = row["memory"].split(", ")
        by = next((word for word in words if word.startswith("filled by ")), "filled by GPU")
        memory = ", ".join(word for word in words if not word.startswith("filled by "))
        memories[memory] = touches[by] = None
        cells[row["side"], memory, by] = row["seconds"]
    if len(touches) < 2 or len(memories) < 2:
        return
    figure, axes = style.tiles(len(names), 0.9 + 0.3 * len(memories))
    ends = min(cells.values()), max(cells.values())
    for axis, name in zip(axes.flat, names):
        own = {(m, by): seconds for (side, m, by), seconds in cells.items() if side == name}
        style.matrix(axis, own, list(memories), list(touches), lambda s: f"{style.number(s)} s", ends, less=True)
        style.name_panel(axis, name, axes)
    style.name_axes(axes, len(names), "", "")
    yield style.Plot("touch", figure, problem=answer["problem"])


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


def scaling(answer):
    """A plot for each problem: a curve a side and kind of step."""
    problems = {}
    for row in answer["scaling"]:
        if row.get("rate"):
            problem, _, label = row["curve"].partition(", ")
            of = problems.setdefault((row["scaling"], problem), {})
            of.setdefault(f"{row['side']}: {label}", []).append(row)
    what = "PREDICTION, not measured: scaling" if answer["predictions"] else "Scaling"
    for (kind, problem), curves in problems.items():
        curves = {label: points for label, points in curves.items() if len(points) > 1}
        if not curves:
            continue
        figure, axes = style.panels(1, 2, 2.6)
        rate, efficiency = axes[0]
        for number, (label, points) in enumerate(curves.items()):
            ranks = [p["ranks"] for p in points]
            looks = style.marked_line(number)
            rate.plot(ranks, [p["rate"] for p in points], label=label, **looks)
            perfect = [p["perfect_rate"] for p in points]
            rate.plot(ranks, perfect, color="0.6", linewidth=0.8, linestyle=":", label="ideal")
            spread = [(p["ranks"], *p["rates"]) for p in points if p.get("rates")]
            if spread:
                rate.vlines(*zip(*spread), color=looks["color"], linewidth=2.5, alpha=0.5)
            known = [(p["ranks"], p["predicted"]) for p in points if p.get("predicted")]
            if len(known) > 1:
                dashes = {"color": looks["color"], "linestyle": "--", "label": "dashed: predicted"}
                rate.plot(*zip(*known), linewidth=1.2, **dashes)
            efficiency.plot(ranks, [100 * p["efficiency"] for p in points], **looks)
        efficiency.axhline(100, color="0.6", linewidth=0.8, linestyle=":")
        rate.set(ylabel=f"rate ({points[0]['unit']})", title="rate")
        efficiency.set(ylabel="efficiency (%)", title="against the fewest ranks")
        efficiency.set_ylim(0, max(110, efficiency.get_ylim()[1]))
        style.log_scale(rate, "y")
        for axis in (rate, efficiency):
            axis.set_xscale("log", base=2)
            axis.xaxis.set_major_formatter(lambda n, _: f"{n:g}")
            axis.minorticks_off()
            axis.set_xlabel("ranks")
        same = "The same problem" if kind == "strong" else "The same work a rank"
        values = {"what": what, "kind": kind, "problem": problem, "same": same}
        yield style.Plot("scaling", figure, [kind, problem], **values)


def model(answer):
    rows = [row for row in answer["model"] if row["predicted"]]
    if not rows:
        return
    figure, axes = style.panels(1, 1, 3.6)
    axis, names = axes[0, 0], sides(answer)
    for row in rows:
        looks = style.marker(names.index(row["side"])) | {"linestyle": "none", "alpha": 0.85}
        looks["marker"] = {"himeno": "o", "heat": "^", "transpose": "s"}.get(row["program"], "D")
        label = f"{row['side']}, {row['program']}"
        axis.plot(row["measured"], row["predicted"], label=label, **looks)
    times = [row[which] for row in rows for which in ("measured", "predicted")]
    ends = [min(times) / 1.3, max(times) * 1.3]
    axis.plot(ends, ends, color="0.35", linewidth=1.0, label="prediction = measurement")
    band = ([0.85 * end for end in ends], [1.15 * end for end in ends])
    axis.fill_between(ends, *band, color="0.88", zorder=0.5, label="within 15 %")
    axis.set(xlim=ends, ylim=ends, xlabel="measured (s)", ylabel="predicted (s)")
    style.log_scale(axis, "x")
    style.log_scale(axis, "y")
    yield style.Plot("model", figure)


PLOTS = {of.__name__: of_problem(of) for of in (speed, phases, sweeps)}
PLOTS |= {of.__name__: of for of in (roofline, total, touch, prediction, scaling, model)}
