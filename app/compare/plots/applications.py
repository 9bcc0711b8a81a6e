# Plots of applications: speed and time by memory, sweeps, scaling, sizes, energy, roofline, the model.
import textwrap

import style
from rows import Rows, beside, dot, stick

PARTS = (
    "allocate",
    "initialise",
    "upload",
    "pre_touch",
    "steps",
    "beyond",
    "messages",
    "download",
    "free",
)
LIMIT = {"color": "black", "linewidth": 1.4}
PUBLISHED = {
    "color": "0.35",
    "marker": "v",
    "markerfacecolor": "white",
    "markersize": 4.5,
    "linewidth": 0.8,
}
CEILINGS = {
    "device memory": {"direction": "device copy", "by": "kernel"},
    "host memory": {"direction": "host copy", "by": "vectorised"},
    "link, host to device": {"direction": "HtoD", "memory": "pinned", "by": "copy engine"},
    "link, device to host": {"direction": "DtoH", "memory": "pinned", "by": "copy engine"},
}


def sides(answer):
    return [side["side"] for side in answer["sides"]]


def of_problem(answer):
    """{memory: {side: (ranking row, case)}} of the first problem, the fastest memory first."""
    found = {}
    cases = {(c["problem"], c["memory"], c["side"]): c for c in answer["cases"]}
    rows = [row for row in answer["ranking"] if row["problem"] == answer["problem"]]
    for row in sorted(rows, key=lambda row: row["to_best"]):
        found.setdefault(row["memory"], {})
    for row in rows:  # the sides in their order
        found[row["memory"]][row["side"]] = (row, cases[row["problem"], row["memory"], row["side"]])
    return found


def grouped(memories):
    return Rows([(memory, list(of)) for memory, of in memories.items()])


def speed(answer):
    if not answer.get("problem"):
        return
    memories, names = of_problem(answer), sides(answer)
    rows = grouped(memories)
    figure, axes = rows.panels()
    axis = axes[0, 0]
    published = {}
    for figure_row in answer["published"]:
        published.setdefault((figure_row["side"], figure_row["case"]), []).append(figure_row)
    for memory, of in memories.items():
        for side, (_, case) in of.items():
            y = rows.y[memory, side]
            if case["limit_gbs"]:
                stick(
                    axis,
                    case["speed"] * case["limit_gbs"] / case["bandwidth_gbs"],
                    y,
                    "limit of this memory, measured",
                    **LIMIT,
                )
            dot(axis, case["speed"], y, names.index(side), side)
            beside(axis, y, style.number(case["speed"]))
            for row in published.get((side, case["case"]), []):
                if row["unit"] == case["unit"]:
                    label = "\n".join(
                        textwrap.wrap(f"published: {row['published']}, {row['source']}", 70)
                    )
                    axis.plot([row["low"]], [y], linestyle="none", label=label, **PUBLISHED)
    style.log_scale(axis, "x")
    axis.set(xlabel=f"speed of the steps ({case['unit']}), logarithmic")
    rows.label(axes)
    yield style.Plot(
        "speed",
        f"Speed by memory: {answer['problem']}",
        "A marker at the black line uses its memory fully: the limit was measured in the same run.",
        figure,
        lead=True,
    )


def phases(answer):
    if not answer.get("problem"):
        return
    memories = of_problem(answer)
    every = [case for of in memories.values() for _, case in of.values()]
    shown = [part for part in PARTS if any(c["parts"][part] > 1e-3 * c["seconds"] for c in every)]
    rows = grouped(memories)
    figure, axes = rows.panels()
    axis = axes[0, 0]
    for memory, of in memories.items():
        for side, (row, case) in of.items():
            y, left = rows.y[memory, side], 0.0
            for part in shown:
                share = 100 * case["parts"][part] / case["seconds"]
                axis.barh(y, share, 0.8, left, label=part, **style.bar(PARTS.index(part)))
                left += share
            beside(axis, y, f"{style.number(case['seconds'])} s, {case['steps']}")
    axis.set(
        xlabel="share of the time of all phases (%); right: that time, and the number of steps",
        xlim=(0, 100),
    )
    rows.label(axes)
    yield style.Plot(
        "phases",
        f"Where the time goes: {answer['problem']}",
        "steps: at the pace of their median; beyond: what they took more, as the moving of pages.",
        figure,
        columns=4,
        lead=True,
    )


def sweeps(answer):
    if not answer.get("problem"):
        return
    names = sides(answer)
    differing = {}
    for memory, of in of_problem(answer).items():
        series = {side: case["series"] for side, (_, case) in of.items() if case["series"]}
        if any(
            max(s["seconds"]) > 1.5 * sorted(s["seconds"])[len(s["seconds"]) // 2]
            for s in series.values()
        ):
            differing[memory] = series
    if not differing:
        return
    columns = 2 if len(differing) > 1 else 1
    lines = -(-len(differing) // columns)
    figure, axes = style.panels(
        lines, columns, 2.4 if lines == 1 else 1.6, sharex=True, sharey=True
    )
    for axis, (memory, series) in zip(axes.flat, differing.items()):
        for side, s in series.items():
            looks = style.marked_line(names.index(side), 3) | {"linewidth": 1.1, "markevery": [0]}
            axis.plot(s["step"], [1e3 * second for second in s["seconds"]], label=side, **looks)
        axis.set_title("\n".join(textwrap.wrap(memory, 40 // columns + 8)), loc="left")
        style.log_scale(axis, "x")
        style.log_scale(axis, "y", few=True)
    style.hide_unused(axes, len(differing), "sweep", "time (ms)")
    yield style.Plot(
        "sweeps",
        f"Sweep by sweep: {answer['problem']}",
        "Of the memories whose sweeps differ, both scales logarithmic. A line that falls shows pages that move.",
        figure,
        lead=True,
    )


def scaling(answer):
    rows = answer.get("scaling") or [
        row | {"side": machine["machine"]}
        for machine in (answer.get("predictions") or {}).get("machines", [])
        for row in machine["scaling"]
        if row.get("rate")
    ]
    predictions = bool(answer.get("predictions"))
    for kind in ("strong", "weak"):
        curves = {}
        for row in rows:
            if row["scaling"] == kind:
                curves.setdefault((row["unit"], f"{row['side']}: {row['curve']}"), []).append(row)
        curves = {key: points for key, points in curves.items() if len(points) > 1}
        units = list(dict.fromkeys(unit for unit, _ in curves))
        if not units:
            continue
        figure, axes = style.panels(len(units), 2, 2.6)
        for number, ((unit, label), points) in enumerate(curves.items()):
            rate, efficiency = axes[units.index(unit)]
            ranks = [p["ranks"] for p in points]
            ideal = [points[0]["rate"] * p["speedup"] / p["efficiency"] for p in points]
            looks = style.marked_line(number)
            rate.plot(ranks, [p["rate"] for p in points], label=label, **looks)
            rate.plot(ranks, ideal, color="0.6", linewidth=0.8, linestyle=":")
            known = [(p["ranks"], p["predicted"]) for p in points if p.get("predicted")]
            if len(known) > 1:
                rate.plot(
                    *zip(*known),
                    color=looks["color"],
                    linewidth=1.2,
                    linestyle="--",
                    label="dashed: predicted",
                )
            efficiency.plot(ranks, [100 * p["efficiency"] for p in points], **looks)
        for (rate, efficiency), unit in zip(axes, units):
            rate.set(ylabel=f"rate ({unit})", title="rate; dotted: perfect")
            efficiency.set(ylabel="efficiency (%)", title="against the fewest ranks")
            style.log_scale(rate, "y")
            style.level(efficiency, 100, "")
            for axis in (rate, efficiency):
                axis.set_xscale("log", base=2)
                axis.xaxis.set_major_formatter(lambda n, _: f"{n:g}")
                axis.minorticks_off()
                axis.set_xlabel("ranks")
        style.from_zero(axes[:, 1])
        yield style.Plot(
            "scaling",
            f"{'PREDICTION, not measured: s' if predictions else 'S'}caling, {kind}",
            f"{'The same problem' if kind == 'strong' else 'The same work a rank'} on more ranks. On the "
            "dotted line twice the GPUs, or cores, give twice the rate.",
            figure,
            [kind],
            columns=1,
        )


def over_size(answer, name, title, caption, points_of, xlabel, **looks_of_axis):
    """A panel a unit; `points_of(case)`: (line, x) or None."""
    units = {}
    for case in answer.get("cases", []):
        point = points_of(case)
        if point:
            line = units.setdefault(case["unit"], {}).setdefault(point[0], [])
            line.append((point[1], case["speed"]))
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
        axis.set(ylabel=f"speed ({unit})", xlabel=xlabel)
        style.log_scale(axis, "x")
        if looks_of_axis.get("capacity"):
            style.level(axis, 1, "GPU's memory", upright=True)
        style.from_zero([axis])
    yield style.Plot(name, title, caption, figure, columns=1)


def capacity(answer):
    memory = {side["side"]: side["gpu_memory_bytes"] for side in answer.get("sides", [])}

    def point(case):
        if case["ranks"] > 1 or case["step"] != "sweep" or not memory.get(case["side"]):
            return None
        kind = case["problem"].split(", ", 1)[-1]
        return (
            f"{case['side']}: {case['program']} {kind}, {case['memory']}",
            case["bytes"] / memory[case["side"]],
        )

    return over_size(
        answer,
        "capacity",
        "Speed over the size of the arrays, relative to the GPU's memory",
        "Right of the upright line the arrays are larger than the GPU's memory.",
        point,
        "bytes of arrays / bytes of GPU memory",
        capacity=True,
    )


def transposes(answer):
    def point(case):
        if (
            case["step"] != "transpose"
            or case["ranks"] > 1
            or case["variant"] not in ("copy", "naive", "tuned")
        ):
            return None
        words = case["problem"].split(", ")
        return f"{case['side']}: {', '.join(words[1:])}, {case['memory']}", case["bytes"] / 1e9

    return over_size(
        answer,
        "transposes",
        "Transpose over the size of the matrices",
        "Medians. Where both matrices fit the L2, it is the L2 that is seen. As [ufrgs-thesis] 4.7.",
        point,
        "bytes of both matrices (GB)",
    )


def variants(answer):
    problems = {}
    for case in answer.get("cases", []):
        if case["step"] == "transpose" and case["ranks"] == 1:
            words = [word for word in case["problem"].split(", ") if word != case["variant"]]
            of = problems.setdefault((", ".join(words), case["memory"]), {})
            of.setdefault(case["variant"], {})[case["side"]] = case
    names = sides(answer)
    for (problem, memory), of in problems.items():
        if len(of) < 3:
            continue
        rows = Rows([("", list(of))])
        figure, axes = rows.panels()
        for variant, cases in of.items():
            for side, case in cases.items():
                dot(axes[0, 0], case["speed"], rows.y["", variant], names.index(side), side)
            text = " / ".join(style.number(case["speed"]) for case in cases.values())
            beside(axes[0, 0], rows.y["", variant], text)
        axes[0, 0].set(xlabel="bandwidth (GB/s); right: medians", xlim=(0, None))
        rows.label(axes)
        yield style.Plot(
            "variants",
            f"{problem[0].upper()}{problem[1:]}, {memory}: by variant",
            "Bytes read and written. A variant near 'copy' loses nothing to the transposition.",
            figure,
            [problem, memory],
        )


def energy(answer):
    """For every memory of the problem, or not at all."""
    if not answer.get("problem"):
        return
    joules = {(row["side"], row["case"]): row["joules_a_step"] for row in answer["energy"]}
    memories, names = of_problem(answer), sides(answer)
    if not all(
        joules.get((side, case["case"]))
        for of in memories.values()
        for side, (_, case) in of.items()
    ):
        return
    rows = grouped(memories)
    figure, axes = rows.panels()
    for memory, of in memories.items():
        for side, (_, case) in of.items():
            value, y = joules[side, case["case"]], rows.y[memory, side]
            dot(axes[0, 0], value, y, names.index(side), side)
            beside(axes[0, 0], y, f"{style.number(value)} J")
    style.log_scale(axes[0, 0], "x")
    axes[0, 0].set(xlabel=f"energy of a {case['step']} on the GPU (J), logarithmic")
    rows.label(axes)
    yield style.Plot(
        "energy",
        f"Energy of a {case['step']}: {answer['problem']}",
        "Further left is cheaper.",
        figure,
    )


def roofline(answer):
    """At most 15 points a side: the fastest case of each problem and memory, himeno before others."""
    most = 15
    for side in sides(answer) if "cases" in answer else []:
        rates = [
            row
            for probe in answer["probes"]
            if (probe["side"], probe["probe"]) == (side, "link")
            for row in probe["rows"]
        ]
        ceilings = []
        for name, wanted in CEILINGS.items():
            found = [r["value"] for r in rates if all(r.get(k) == v for k, v in wanted.items())]
            if found:
                ceilings.append((name, max(found)))
        points = {}
        cases = [
            c
            for c in answer["cases"]
            if c["side"] == side and c["ranks"] == 1 and c["variant"] in ("", "tuned")
        ]
        for case in sorted(cases, key=lambda c: c["step"] != "sweep")[:most]:
            points.setdefault(case["problem"], {})[case["memory"]] = case
        if not ceilings or not points:
            continue
        rows = Rows([(problem, list(of)) for problem, of in points.items()])
        figure, axes = rows.panels()
        for number, (problem, of) in enumerate(points.items()):
            for memory, case in of.items():
                y = rows.y[problem, memory]
                dot(axes[0, 0], case["bandwidth_gbs"], y, 0 if case["step"] == "sweep" else 1)
                beside(axes[0, 0], y, style.number(case["bandwidth_gbs"]))
        for number, (name, gbs) in enumerate(ceilings):
            looks = {
                "color": "black",
                "linewidth": 1.1,
                "linestyle": style.LINES[number],
                "zorder": 1,
            }
            axes[0, 0].axvline(gbs, label=f"{name}: {gbs:.4g} GB/s", **looks)
        style.log_scale(axes[0, 0], "x")
        axes[0, 0].set(xlabel="bandwidth (GB/s), logarithmic")
        rows.label(axes)
        yield style.Plot(
            "roofline",
            f"Bandwidth roofline of {side}",
            "Black lines: what each memory and each way of the link give (probe link). A marker on a line uses "
            "that memory fully; right of it fused sweeps or a cache; between lines something else, as pages.",
            figure,
            [side],
            columns=1,
        )


def model(answer):
    rows = [row for row in answer.get("model", []) if row["predicted"]]
    if not rows:
        return
    figure, axes = style.panels(1, 1, 3.6)
    axis = axes[0, 0]
    names = sides(answer)
    for row in rows:
        looks = style.marker(names.index(row["side"])) | {"linestyle": "none", "alpha": 0.85}
        looks["marker"] = "o" if row["program"] != "transpose" else "s"
        axis.plot(
            row["measured"], row["predicted"], label=f"{row['side']}, {row['program']}", **looks
        )
    times = [row[which] for row in rows for which in ("measured", "predicted")]
    ends = [min(times) / 1.3, max(times) * 1.3]
    axis.plot(ends, ends, color="0.35", linewidth=1.0, label="prediction = measurement")
    axis.fill_between(
        ends,
        [0.85 * e for e in ends],
        [1.15 * e for e in ends],
        color="0.88",
        zorder=0.5,
        label="within 15 %",
    )
    for which in "xy":
        style.log_scale(axis, which)
    axis.set(xlim=ends, ylim=ends, xlabel="measured (s)", ylabel="predicted (s)")
    yield style.Plot(
        "model",
        "Model: predicted and measured time of all phases",
        "Each point is a case, predicted from what membench measured on the same machine.",
        figure,
    )


def prediction(answer):
    """Time and its causes, a row for each machine and memory that is predicted."""
    predictions = answer.get("predictions") or {"machines": []}
    machines = [machine["machine"] for machine in predictions["machines"]]
    memories, causes = {}, []
    for machine in predictions["machines"]:
        for row in machine["memories"]:
            if row["seconds"]:
                memories.setdefault(row["memory"], {})[machine["machine"]] = row
                large = [
                    name for name, part in row["causes"].items() if part > 0.01 * row["seconds"]
                ]
                causes += [name for name in large if name not in causes]
    if not memories:
        return
    rows = grouped(memories)
    figure, axes = rows.panels(2)
    times, shares = axes[0]
    for memory, of in memories.items():
        for machine, row in of.items():
            y, left = rows.y[memory, machine], 0.0
            dot(times, row["seconds"], y, machines.index(machine))
            for name in causes:
                share = 100 * row["causes"][name] / row["seconds"]
                shares.barh(y, share, 0.8, left, label=name, **style.bar(causes.index(name)))
                left += share
            beside(shares, y, f"{style.number(row['seconds'])} s")
    style.log_scale(times, "x", few=True)
    times.set(xlabel="predicted time (s), logarithmic")
    shares.set(xlabel="share of the time (%)", xlim=(0, 100))
    rows.label(axes)
    yield style.Plot(
        "prediction",
        f"PREDICTION, not measured: {predictions['what']}",
        "Left: predicted time of a whole run. Right: the causes of that time.",
        figure,
        columns=3,
        lead=True,
    )


PLOTS = [
    ("Applications", "speed", speed),
    ("Applications", "phases", phases),
    ("Applications", "sweeps", sweeps),
    ("Applications", "capacity", capacity),
    ("Applications", "energy", energy),
    ("Model", "prediction", prediction),
    ("Model", "model", model),
    ("Scaling", "scaling", scaling),
    ("Machines", "roofline", roofline),
    ("Transpose", "variants", variants),
    ("Transpose", "transposes", transposes),
]
