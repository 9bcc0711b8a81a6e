# Plots over ranks and sizes, of the variants of a transpose, and of the model.
import style
from rows import beside, chart, dot, finish, sides


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
            perfect = [p["perfect_rate"] for p in points]
            rate.plot(ranks, perfect, color="0.6", linewidth=0.8, linestyle=":", label="ideal")
            known = [(p["ranks"], p["predicted"]) for p in points if p.get("predicted")]
            if len(known) > 1:
                dashes = {"color": looks["color"], "linestyle": "--", "label": "dashed: predicted"}
                rate.plot(*zip(*known), linewidth=1.2, **dashes)
            efficiency.plot(ranks, [100 * p["efficiency"] for p in points], **looks)
        for (rate, efficiency), unit in zip(axes, units):
            rate.set(ylabel=f"rate ({unit})", title="rate")
            efficiency.set(ylabel="efficiency (%)", title="against the fewest ranks")
            efficiency.set_ylim(0, max(110, efficiency.get_ylim()[1]))
            style.log_scale(rate, "y")
            for axis in (rate, efficiency):
                axis.set_xscale("log", base=2)
                axis.xaxis.set_major_formatter(lambda n, _: f"{n:g}")
                axis.minorticks_off()
                axis.set_xlabel("ranks")
        what = "PREDICTION, not measured: scaling" if predicted else "Scaling"
        same = "The same problem" if kind == "strong" else "The same work a rank"
        yield style.Plot("scaling", figure, [kind], what=what, kind=kind, same=same)


def over_size(answer, name, point_of):
    """Speed over a size, a panel a unit; `point_of(case)`: (line, x) or None."""
    plot = style.PLOTS[name]
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
        axis.set(ylabel=f"speed ({unit})", xlabel=plot["xlabel"], ylim=(0, None))
        if "mark" in plot:
            style.level(axis, 1, plot["mark"])
        style.log_scale(axis, "x")
    yield style.Plot(name, figure)


def capacity(answer):
    memory = {side["side"]: side["gpu_memory_bytes"] for side in answer["sides"]}

    def point(case):
        if case["ranks"] > 1 or case["step"] != "sweep" or not memory[case["side"]]:
            return None
        kind = case["problem"].split(", ", 1)[-1]
        label = f"{case['side']}: {case['program']} {kind}, {case['memory']}"
        return label, case["bytes"] / memory[case["side"]]

    return over_size(answer, "capacity", point)


def transposes(answer):
    def point(case):
        if case["ranks"] > 1 or case["variant"] not in ("copy", "naive", "tuned"):
            return None
        kind = ", ".join(case["problem"].split(", ")[1:])
        return f"{case['side']}: {kind}, {case['memory']}", case["bytes"] / 1e9

    return over_size(answer, "transposes", point)


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

    for key, of in problems.items():
        if len(of) < 3:
            continue
        rows, figure, axes = chart({"": of}, draw)
        axes[0, 0].set(xlim=(0, None))
        finish(rows, axes, "bandwidth (GB/s); right: medians", log=False)
        yield style.Plot("variants", figure, key, problem=key[0].capitalize(), memory=key[1])


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


PLOTS = {of.__name__: of for of in (scaling, capacity, transposes, variants, model)}
