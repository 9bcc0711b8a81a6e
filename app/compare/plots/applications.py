# Plots of applications: speed and time by memory, sweeps, scaling, sizes, energy, the model.
import textwrap

import style
from rows import Rows, beside, dot, stick

PARTS = "allocate initialise upload pre_touch steps beyond messages download free".split()
PUBLISHED = {"color": "0.35", "marker": "v", "markerfacecolor": "white", "markersize": 4.5}
CEILINGS = {
    "device memory": {"direction": "device copy", "by": "kernel"},
    "host memory": {"direction": "host copy", "by": "vectorised"},
    "link, host to device": {"direction": "HtoD", "memory": "pinned", "by": "copy engine"},
    "link, device to host": {"direction": "DtoH", "memory": "pinned", "by": "copy engine"},
}


def sides(answer):
    return [side["side"] for side in answer["sides"]]


def of_problem(answer):
    """{memory: {side: case}} of the first problem, the fastest memory first, the sides in order."""
    if not answer.get("problem"):
        return {}
    cases = {(c["problem"], c["memory"], c["side"]): c for c in answer["cases"]}
    rows = [row for row in answer["ranking"] if row["problem"] == answer["problem"]]
    found = {row["memory"]: {} for row in sorted(rows, key=lambda row: row["to_best"])}
    for row in rows:
        case = cases[row["problem"], row["memory"], row["side"]]
        found[row["memory"]][row["side"]] = case
    return found


def chart(groups, draw, columns=1):
    """A row for each name of {group: {name: item}}: draw(axes, y, name, item)."""
    rows = Rows(groups)
    figure, axes = rows.panels(columns)
    for group, of in groups.items():
        for name, item in of.items():
            draw(axes[0], rows.y[group, name], name, item)
    return rows, figure, axes


def finish(rows, axes, xlabel, log=True):
    if log:
        style.log_scale(axes[0, 0], "x")
    axes[0, 0].set(xlabel=xlabel + (", logarithmic" if log else ""))
    rows.label(axes)


def speed(answer):
    memories, names = of_problem(answer), sides(answer)
    if not memories:
        return

    def draw(axes, y, side, case):
        if case["limit_gbs"]:
            limit = case["speed"] * case["limit_gbs"] / case["bandwidth_gbs"]
            stick(axes[0], limit, y, "limit of this memory, measured")
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
    yield style.Plot(
        "speed",
        f"Speed by memory: {answer['problem']}",
        "A marker at the black line uses its memory fully: the limit was measured in the same run.",
        figure,
        lead=True,
    )


def bars(axis, y, parts, names, text):
    """A bar of the shares of the named parts, and a text right of it."""
    left, whole = 0.0, sum(parts.values())
    for name in names:
        share = 100 * parts[name] / whole
        axis.barh(y, share, 0.8, left, label=name, **style.bar(names.index(name)))
        left += share
    beside(axis, y, text)


def large(parts, least):
    return [name for name, part in parts.items() if part > least * sum(parts.values())]


def phases(answer):
    memories = of_problem(answer)
    if not memories:
        return
    cases = [case for of in memories.values() for case in of.values()]
    shown = {name for case in cases for name in large(case["parts"], 1e-3)}
    names = [part for part in PARTS if part in shown]

    def draw(axes, y, _, case):
        text = f"{style.number(case['seconds'])} s, {case['steps']}"
        bars(axes[0], y, case["parts"], names, text)

    rows, figure, axes = chart(memories, draw)
    axes[0, 0].set(xlim=(0, 100))
    label = "share of the time of all phases (%); right: that time, and the number of steps"
    finish(rows, axes, label, log=False)
    yield style.Plot(
        "phases",
        f"Where the time goes: {answer['problem']}",
        "steps: at the pace of their median; beyond: what they took more, as the moving of pages.",
        figure,
        columns=4,
        lead=True,
    )


def sweeps(answer):
    def differ(seconds):
        return max(seconds) > 1.5 * sorted(seconds)[len(seconds) // 2]

    differing = {}
    for memory, of in of_problem(answer).items():
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
        axis.set_title("\n".join(textwrap.wrap(memory, 40 // columns + 8)), loc="left")
        style.log_scale(axis, "x")
        style.log_scale(axis, "y", few=True)
    style.name_axes(axes, len(differing), "sweep", "time (ms)")
    yield style.Plot(
        "sweeps",
        f"Sweep by sweep: {answer['problem']}",
        "Of the memories whose sweeps differ, both scales logarithmic. A line that falls shows "
        "pages that move.",
        figure,
        lead=True,
    )


def scaling(answer):
    predicted = bool(answer["predictions"])
    for kind in ("strong", "weak"):
        curves = {}
        for row in answer["scaling"]:
            if row["scaling"] == kind and row.get("rate"):
                curves.setdefault((row["unit"], f"{row['side']}: {row['curve']}"), []).append(row)
        curves = {key: points for key, points in curves.items() if len(points) > 1}
        units = list(dict.fromkeys(unit for unit, _ in curves))
        if not units:
            continue
        figure, axes = style.panels(len(units), 2, 2.6)
        for number, ((unit, label), points) in enumerate(curves.items()):
            rate, efficiency = axes[units.index(unit)]
            ranks = [p["ranks"] for p in points]
            looks = style.marked_line(number)
            rate.plot(ranks, [p["rate"] for p in points], label=label, **looks)
            perfect = [points[0]["rate"] * p["speedup"] / p["efficiency"] for p in points]
            rate.plot(ranks, perfect, color="0.6", linewidth=0.8, linestyle=":")
            known = [(p["ranks"], p["predicted"]) for p in points if p.get("predicted")]
            if len(known) > 1:
                dashes = {"color": looks["color"], "linestyle": "--", "label": "dashed: predicted"}
                rate.plot(*zip(*known), linewidth=1.2, **dashes)
            efficiency.plot(ranks, [100 * p["efficiency"] for p in points], **looks)
        for (rate, efficiency), unit in zip(axes, units):
            rate.set(ylabel=f"rate ({unit})", title="rate; dotted: perfect")
            efficiency.set(ylabel="efficiency (%)", title="against the fewest ranks")
            efficiency.set_ylim(0, max(110, efficiency.get_ylim()[1]))
            style.log_scale(rate, "y")
            for axis in (rate, efficiency):
                axis.set_xscale("log", base=2)
                axis.xaxis.set_major_formatter(lambda n, _: f"{n:g}")
                axis.minorticks_off()
                axis.set_xlabel("ranks")
        same = "The same problem" if kind == "strong" else "The same work a rank"
        yield style.Plot(
            "scaling",
            f"{'PREDICTION, not measured: s' if predicted else 'S'}caling, {kind}",
            f"{same} on more ranks. On the dotted line twice the GPUs, or cores, give twice the "
            "rate.",
            figure,
            [kind],
            columns=1,
        )


def over_size(answer, name, title, caption, point_of, xlabel, mark=None):
    """Speed over a size, a panel a unit; `point_of(case)`: (line, x) or None."""
    units = {}
    for case in answer["cases"]:
        if point := point_of(case):
            of = units.setdefault(case["unit"], {})
            of.setdefault(point[0], []).append((point[1], case["speed"]))
    units = {u: {k: sorted(v) for k, v in of.items() if len(v) > 1} for u, of in units.items()}
    units = {u: of for u, of in units.items() if of}
    if not units:
        return
    figure, axes = style.panels(len(units), 1, 2.6)
    number = 0
    for axis, (unit, curves) in zip(axes.flat, units.items()):
        for label, points in curves.items():
            axis.plot(*zip(*points), label=label, **style.marked_line(number))
            number += 1
        axis.set(ylabel=f"speed ({unit})", xlabel=xlabel, ylim=(0, None))
        if mark:
            style.level(axis, 1, mark)
        style.log_scale(axis, "x")
    yield style.Plot(name, title, caption, figure)


def capacity(answer):
    memory = {side["side"]: side["gpu_memory_bytes"] for side in answer["sides"]}

    def point(case):
        if case["ranks"] > 1 or case["step"] != "sweep" or not memory[case["side"]]:
            return None
        kind = case["problem"].split(", ", 1)[-1]
        label = f"{case['side']}: {case['program']} {kind}, {case['memory']}"
        return label, case["bytes"] / memory[case["side"]]

    return over_size(
        answer,
        "capacity",
        "Speed over the size of the arrays, relative to the GPU's memory",
        "Right of the upright line the arrays are larger than the GPU's memory.",
        point,
        "bytes of arrays / bytes of GPU memory",
        mark="GPU's memory",
    )


def transposes(answer):
    def point(case):
        if case["ranks"] > 1 or case["variant"] not in ("copy", "naive", "tuned"):
            return None
        kind = ", ".join(case["problem"].split(", ")[1:])
        return f"{case['side']}: {kind}, {case['memory']}", case["bytes"] / 1e9

    return over_size(
        answer,
        "transposes",
        "Transpose over the size of the matrices",
        "Medians. Where both matrices fit the L2, it is the L2 that is seen. As "
        "[ufrgs-thesis] 4.7.",
        point,
        "bytes of both matrices (GB)",
    )


def variants(answer):
    problems, names = {}, sides(answer)
    for case in answer["cases"]:
        if case["step"] == "transpose" and case["ranks"] == 1:
            words = [word for word in case["problem"].split(", ") if word != case["variant"]]
            of = problems.setdefault((", ".join(words), case["memory"]), {})
            of.setdefault(case["variant"], {})[case["side"]] = case

    def draw(axes, y, _, cases):
        for side, case in cases.items():
            dot(axes[0], case["speed"], y, names.index(side), side)
        beside(axes[0], y, " / ".join(style.number(case["speed"]) for case in cases.values()))

    for (problem, memory), of in problems.items():
        if len(of) < 3:
            continue
        rows, figure, axes = chart({"": of}, draw)
        axes[0, 0].set(xlim=(0, None))
        finish(rows, axes, "bandwidth (GB/s); right: medians", log=False)
        yield style.Plot(
            "variants",
            f"{problem[0].upper()}{problem[1:]}, {memory}: by variant",
            "Bytes read and written. A variant near 'copy' loses nothing to the transposition.",
            figure,
            [problem, memory],
        )


def energy(answer):
    """For every memory of the problem, or not at all."""
    memories, names = of_problem(answer), sides(answer)
    every = [case for of in memories.values() for case in of.values()]
    if not every or not all(case["joules_a_step"] for case in every):
        return

    def draw(axes, y, side, case):
        dot(axes[0], case["joules_a_step"], y, names.index(side), side)
        beside(axes[0], y, f"{style.number(case['joules_a_step'])} J")

    rows, figure, axes = chart(memories, draw)
    step = every[0]["step"]
    finish(rows, axes, f"energy of a {step} on the GPU (J)")
    title = f"Energy of a {step}: {answer['problem']}"
    yield style.Plot("energy", title, "Further left is cheaper.", figure)


def ceilings(answer, side):
    """[(name, GB/s)] of what the probe link measured on this side."""
    rates = [
        row
        for probe in answer["probes"]
        if (probe["side"], probe["probe"]) == (side, "link")
        for row in probe["rows"]
    ]
    for name, wanted in CEILINGS.items():
        found = [row["value"] for row in rates if all(row.get(k) == v for k, v in wanted.items())]
        if found:
            yield name, max(found)


def roofline(answer):
    """At most 15 points a side, grid codes before others."""
    most = 15

    def draw(axes, y, _, case):
        dot(axes[0], case["bandwidth_gbs"], y, 0 if case["step"] == "sweep" else 1)
        beside(axes[0], y, style.number(case["bandwidth_gbs"]))

    for side in sides(answer):
        cases = [c for c in answer["cases"] if c["side"] == side and c["ranks"] == 1]
        cases = [c for c in cases if c["variant"] in ("", "tuned")]
        points = {}
        for case in sorted(cases, key=lambda c: c["step"] != "sweep")[:most]:
            points.setdefault(case["problem"], {})[case["memory"]] = case
        known = list(ceilings(answer, side))
        if not known or not points:
            continue
        rows, figure, axes = chart(points, draw)
        for (name, gbs), dashes in zip(known, style.LINES):
            looks = {"color": "black", "linewidth": 1.1, "linestyle": dashes, "zorder": 1}
            axes[0, 0].axvline(gbs, label=f"{name}: {gbs:.4g} GB/s", **looks)
        finish(rows, axes, "bandwidth (GB/s)")
        yield style.Plot(
            "roofline",
            f"Bandwidth roofline of {side}",
            "Black lines: what each memory and each way of the link give (probe link). A marker on "
            "a line uses that memory fully; right of it fused sweeps or a cache; between lines "
            "something else, as pages.",
            figure,
            [side],
            columns=2,
        )


def model(answer):
    rows = [row for row in answer["model"] if row["predicted"]]
    if not rows:
        return
    figure, axes = style.panels(1, 1, 3.6)
    axis, names = axes[0, 0], sides(answer)
    for row in rows:
        looks = style.marker(names.index(row["side"])) | {"linestyle": "none", "alpha": 0.85}
        looks["marker"] = "s" if row["program"] == "transpose" else "o"
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
    yield style.Plot(
        "model",
        "Model: predicted and measured time of all phases",
        "Each point is a case, predicted from what membench measured on the same machine.",
        figure,
    )


def prediction(answer):
    """Time and its causes, a row for each machine and memory that is predicted."""
    predictions = answer["predictions"] or {"machines": []}
    machines = [machine["machine"] for machine in predictions["machines"]]
    memories, causes = {}, {}
    for machine in predictions["machines"]:
        for row in machine["memories"]:
            if row["seconds"]:
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
    yield style.Plot(
        "prediction",
        f"PREDICTION, not measured: {predictions['what']}",
        "Left: predicted time of a whole run. Right: the causes of that time.",
        figure,
        lead=True,
    )


PLOTS = [
    (of.__name__, of)
    for of in (speed, phases, sweeps, capacity, energy, prediction, model, scaling, roofline)
    + (variants, transposes)
]
