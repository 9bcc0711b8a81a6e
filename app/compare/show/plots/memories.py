# Plots of a form of their own: roofline, scaling, model.
import re

import style
from items import of_probe, sides


def bandwidths(answer, side):
    """[(name, GB/s)] of what the probe link measured on this side."""
    rates = [row for of, row in of_probe(answer, "link") if of == side]
    for name, wanted in style.PLOTS["roofline"]["ceilings"].items():
        found = [row for row in rates if all(row.get(k) == v for k, v in wanted.items())]
        if found:  # smaller copies are of a cache
            yield name, max(found, key=lambda row: row["bytes"])["value"]


def arithmetic(answer, side):
    """[(name, GFLOPS)]: what the probe issue measured of multiplications with an addition, of 32 lanes each, on
    all multiprocessors at the GPU's highest clock."""
    gpu = answer["sides"][sides(answer).index(side)]
    clocks = 1e-3 * (gpu.get("multiprocessors") or 0) * (gpu.get("sm_clock_mhz") or 0)
    for name, instruction in style.PLOTS["roofline"]["arithmetic"].items():
        rows = [row for of, row in of_probe(answer, "issue") if of == side and row.get("instruction") == instruction]
        peak = max((row.get("peak_per_clock") or 0 for row in rows), default=0)
        if peak * clocks:
            yield name, 2 * 32 * peak * clocks


def points_of(answer, side, most=6):
    """[(flop/byte, GFLOPS, name)] of the largest problem and its fastest run of each program and
    memory, of single and of fused sweeps."""
    cases = [c for c in answer["cases"] if (c["side"], c["ranks"], c["unit"]) == (side, 1, "GFLOPS")]
    points = {}
    for case in sorted(cases, key=lambda case: (-case["bytes"], -case["speed"])):
        memory, fused = case["memory"].split(",")[0], re.search(r"temporal:(\d+)", case["problem"])
        fused = int(fused[1]) if fused else 1
        words = f"{case['program']}, {f'{fused} fused, ' if fused > 1 else ''}{memory}"
        point = fused * case["speed"] / case["bandwidth_gbs"], case["speed"], words
        points.setdefault((case["program"], memory, fused > 1), point)
    return list(points.values())[:most]


def roofline(answer):
    """GFLOPS over the operations a byte that crosses from memory, a panel a side: of T fused sweeps T times as
    many as of one."""
    found = {side: (list(bandwidths(answer, side)), points_of(answer, side)) for side in sides(answer)}
    found = {side: of for side, of in found.items() if all(of)}
    if not found:
        return
    every = [point for _, points in found.values() for point in points]
    ends = min(point[0] for point in every) / 2, max(point[0] for point in every) * 8
    figure, axes = style.panels(len(found), 1, 2.4, left=0.7, right=1.8)
    names = []
    for axis, (side, (memories, points)) in zip(axes, found.items()):
        number, roofs = sides(answer).index(side), []
        for x, gflops, _ in points:
            axis.plot([x], [gflops], linestyle="none", zorder=3, **style.marker(number))
        units = list(arithmetic(answer, side))
        top = max((gflops for _, gflops in units), default=float("inf"))
        for name, gbs in memories:
            end, text = min(ends[1], top / gbs), f"{name}, {style.number(gbs)} GB/s"
            axis.plot([ends[0], end], [gbs * ends[0], gbs * end], color="0.45", linewidth=1)
            if end == ends[1]:
                roofs.append((end, gbs * end, text, "0.25"))
            else:  # below where it meets the arithmetic
                looks = style.ON_WHITE | {"va": "top", "fontsize": style.SMALL, "color": "0.25"}
                axis.annotate(text, (end, gbs * end), xytext=(2, -20), textcoords="offset points", **looks)
        for name, gflops in units:
            axis.plot(ends, [gflops, gflops], color="0.45", linewidth=1)
            roofs.append((ends[1], gflops, f"{name}, {style.number(gflops)} GFLOPS", "0.25"))
        names.append((roofs, [(*point, style.shade(number, 0)) for point in points]))
        axis.set(xlim=ends, title=side)
    log = [style.log_scale(axes[0], which) for which in "xy"]
    for axis, (roofs, points) in zip(axes, names):
        style.label_ends(axis, roofs)
        style.label_ends(axis, points, 20)
    style.name_axes(axes, "operations a byte (flop/byte)" + log[0], "speed (GFLOPS)" + log[1])
    yield style.Plot("roofline", figure)


def scaling(answer):
    """A plot for each problem: a curve a side and kind of step."""
    problems = {}
    for row in answer["scaling"]:
        if row.get("rate"):
            problem, _, label = row["curve"].partition(", ")
            of = problems.setdefault((row["scaling"], problem), {})
            of.setdefault((row["side"], label), []).append(row)
    what = "PREDICTION, not measured: scaling" if answer["predictions"] else "Scaling"
    names = sides(answer)
    for (kind, problem), curves in problems.items():
        curves = {key: points for key, points in curves.items() if len(points) > 1}
        if not curves:
            continue
        figure, (rate, efficiency) = style.panels(2, 2, 1.9, right=0.15, shared="x")
        kinds = list(dict.fromkeys(label for _, label in curves))
        said = set.intersection(*(set(label.split(", ")) for label in kinds))  # of all
        many = len({side for side, _ in curves}) > 1
        dashes = "--" if answer["predictions"] else "-"
        for (side, label), points in curves.items():
            ranks = [p["ranks"] for p in points]
            looks = style.line(names.index(side), kinds.index(label), 3.5)
            rate.plot(ranks, [p["rate"] for p in points], linestyle=dashes, **looks)
            if many:
                rate.plot([], [], color=style.shade(names.index(side), 0), label=side)
            perfect = [p["perfect_rate"] for p in points]
            rate.plot(ranks, perfect, color="0.6", linewidth=0.8, zorder=1, label="ideal")
            spread = [(p["ranks"], *p["rates"]) for p in points if p.get("rates")]
            if spread:
                rate.vlines(*zip(*spread), color=looks["color"], linewidth=2.5, alpha=0.5)
            known = [(p["ranks"], p["predicted"]) for p in points if p.get("predicted")]
            if len(known) > 1:
                rate.plot(*zip(*known), color=looks["color"], linewidth=1.2, linestyle="--", label="predicted (dashed)")
            shares = [100 * p["efficiency"] for p in points]
            efficiency.plot(ranks, shares, linestyle=dashes, **looks)
        for n, label in enumerate(kinds):
            words = [word for word in label.split(", ") if word not in said or len(kinds) == 1]
            looks = style.line(None if many else names.index(side), n, 3.5)
            rate.plot([], [], label=", ".join(words) or label, linestyle=dashes, **looks)
        efficiency.axhline(100, color="0.6", linewidth=0.8)
        efficiency.set(title="efficiency (%)", ylim=(0, max(110, efficiency.get_ylim()[1])))
        every = sorted({p["ranks"] for points in curves.values() for p in points})
        log = ""
        if every[-1] > 8 * every[0]:
            log = style.log_scale(rate, "x", 4)
            log = style.log_scale(rate, "y", 4)
        else:  # lines through the origin
            rate.set_xticks(every)
            rate.set(xlim=(0, 1.08 * every[-1]), ylim=(0, None))
        rate.set_title(f"rate ({points[0]['unit']}){log}")
        for axis in (rate, efficiency):
            axis.set_xlabel("ranks" + log)
        same = "The same problem" if kind == "strong" else "The same work a rank"
        yield style.Plot("scaling", figure, [kind, problem], what=what, kind=kind, problem=problem, same=same)


def model(answer):
    rows = [row for row in answer["model"] if row["predicted"]]
    if not rows:
        return
    figure, (axis,) = style.panels(1, 1, 3.2, name=0.05)
    programs = list(dict.fromkeys(row["program"] for row in rows))
    for row in rows:
        looks = style.marker(sides(answer).index(row["side"])) | {"linestyle": "none", "alpha": 0.8}
        looks["marker"] = style.of(style.MARKERS, programs.index(row["program"]))
        axis.plot(row["measured"], row["predicted"], label=f"{row['side']}, {row['program']}", **looks)
    times = [row[which] for row in rows for which in ("measured", "predicted")]
    ends = [min(times) / 1.3, max(times) * 1.3]
    axis.plot(ends, ends, color="0.35", linewidth=1.0, label="prediction = measurement")
    band = ([0.85 * end for end in ends], [1.15 * end for end in ends])
    axis.fill_between(ends, *band, color="0.88", zorder=0.5, label="within 15 %")
    axis.set(xlim=ends, ylim=ends)
    log = [style.log_scale(axis, which) for which in "xy"]
    axis.set(xlabel="measured (s)" + log[0], ylabel="predicted (s)" + log[1])
    yield style.Plot("model", figure)


PLOTS = {of.__name__: of for of in (roofline, scaling, model)}
