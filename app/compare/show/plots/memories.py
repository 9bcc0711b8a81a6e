# Plots of what ran, or would run: speed and time by memory, sweep by sweep, roofline, scaling, model.
import re

import style
from probes import of_probe
from rows import Rows, bars, beside, by_share, dot, name_parts, sides, stick

PUBLISHED = {"color": "0.35", "marker": "<", "markersize": 5, "linestyle": "none"}
OPEN = "open: from a run of fewer steps"


def of_problem(draw):
    """A plot of {memory: {side: (ranked row, case)}}: of the first problem, the fastest memory first, the
    sides in order."""

    def plot(answer):
        cases = {(case["case"], case["side"]): case for case in answer["cases"]}
        rows = [row for row in answer["ranking"] if row["problem"] == answer["problem"]]
        memories = {row["memory"]: {} for row in sorted(rows, key=lambda row: row["to_best"])}
        for row in sorted(rows, key=lambda row: sides(answer).index(row["side"])):
            memories[row["memory"]][row["side"]] = row, cases[row["case"], row["side"]]
        return draw(answer, memories) if memories else ()

    return plot


def rows_of(memories, **more):
    return Rows({memory: list(of) for memory, of in memories.items()}, **more)


def speed(answer, memories):
    names, rows = sides(answer), rows_of(memories, right=6)
    axis = rows.axes[0]
    for (memory, side), y in rows.y.items():
        row, case = memories[memory][side]
        if case["limit_speed"]:
            stick(axis, case["limit_speed"], y, "limit of this memory, measured")
        is_open = row["extrapolated"]
        dot(axis, case["speed"], y, names.index(side), None if is_open else side, case["speeds"], is_open)
        beside(axis, y, style.number(case["speed"]))
        for each in answer["published"]:
            if not each["difference"] and (each["side"], each["case"], each["unit"]) == (side, case["case"], case["unit"]):
                label = f"published: {each['published']}, {each['source']}"
                axis.plot([each["low"]], [y], label=label, **PUBLISHED)
    if any(row["extrapolated"] for of in memories.values() for row, _ in of.values()):
        axis.plot([], [], "o", color=style.GREY, markerfacecolor="white", label=OPEN)
    rows.name_groups()
    label = f"speed of the {case['step']}s ({case['unit']})"
    axis.set(xlabel=label + style.log_scale(axis, "x"))
    yield style.Plot("speed", rows.figure, problem=answer["problem"])


def phases(answer, memories):
    cases = [case for of in memories.values() for _, case in of.values()]
    names = by_share([case["parts"] for case in cases], 1e-3)
    rows = rows_of(memories, right=20)
    for (memory, side), y in rows.y.items():
        case = memories[memory][side][1]
        bars(rows.axes[0], y, case["parts"], names, sides(answer).index(side))
        beside(rows.axes[0], y, f"{style.number(case['seconds'])} s, {case['steps']} {case['step']}s")
    name_parts(rows.axes[0], names)
    rows.axes[0].set(xlim=(0, 100), xlabel="share of the time of all phases (%)")
    rows.name_groups()
    yield style.Plot("phases", rows.figure, problem=answer["problem"])


def sweeps(answer, memories):
    def differ(seconds):
        return max(seconds) > 1.5 * sorted(seconds)[len(seconds) // 2]

    differing = {}
    for memory, of in memories.items():
        series = {side: case["series"] for side, (_, case) in of.items() if case["series"]}
        if any(differ(s["seconds"]) for s in series.values()):
            differing[memory] = series
    if not differing:
        return
    figure, axes = style.panels(len(differing), 2, 1.9)
    for axis, (memory, series) in zip(axes, differing.items()):
        for side, s in series.items():
            looks = style.line(sides(answer).index(side), size=3) | {"markevery": [0]}
            axis.plot(s["step"], [1e3 * second for second in s["seconds"]], label=side, **looks)
        axis.set_title(memory)
    for axis in axes:
        log = [style.log_scale(axis, which) for which in "xy"]
    style.name_axes(axes, "sweep" + log[0], "time (ms)" + log[1])
    yield style.Plot("sweeps", figure, problem=answer["problem"])


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
    gpu = next(each for each in answer["sides"] if each["side"] == side)
    clocks = 1e-3 * (gpu.get("multiprocessors") or 0) * (gpu.get("sm_clock_mhz") or 0)
    for name, instruction in style.PLOTS["roofline"]["arithmetic"].items():
        found = [row["peak_per_clock"] for of, row in of_probe(answer, "issue")
                 if of == side and row.get("instruction") == instruction and row.get("peak_per_clock")]
        if found and clocks:
            yield name, 2 * 32 * max(found) * clocks


def fused_sweeps(case):
    found = re.search(r"temporal:(\d+)", case["problem"])
    return int(found[1]) if found else 1


def kind_of(fused):
    """Marker and name."""
    return ("o", "single sweeps") if fused == 1 else ("s", "fused sweeps") if fused < 9 else ("^", "streamed sweeps")


def cases_of(answer, side, most=6):
    """The largest problem and its fastest run of each program and memory, of single and of fused
    sweeps."""
    cases = [c for c in answer["cases"] if (c["side"], c["ranks"], c["unit"]) == (side, 1, "GFLOPS")]
    found = {}
    for case in sorted(cases, key=lambda case: (-case["bytes"], -case["speed"])):
        memory, fused = case["memory"].split(",")[0], fused_sweeps(case)
        found.setdefault((case["program"], memory, fused > 1), case)
    return list(found.values())[:most]


def roofline(answer):
    """GFLOPS over the operations a byte that crosses from memory, a panel a side: of T fused sweeps T times as
    many as of one."""
    found = {}
    for side in sides(answer):
        known, points = list(bandwidths(answer, side)), []
        for case in cases_of(answer, side):
            fused, memory = fused_sweeps(case), case["memory"].split(",")[0]
            words = f"{case['program']}, {f'{fused} fused, ' if fused > 1 else ''}{memory}"
            points.append((fused * case["speed"] / case["bandwidth_gbs"], case["speed"], words, fused))
        if known and points:
            found[side] = known, points
    if not found:
        return
    x = [point[0] for _, points in found.values() for point in points]
    ends = min(x) / 2, max(x) * 8
    figure, axes = style.panels(len(found), 1, 2.4, left=0.7, right=1.8)
    names = []
    for axis, (side, (known, points)) in zip(axes, found.items()):
        number = sides(answer).index(side)
        for x, gflops, _, fused in points:
            looks = style.marker(number) | {"marker": kind_of(fused)[0], "zorder": 3}
            axis.plot([x], [gflops], linestyle="none", **looks)
        roofs = []
        ceilings = list(arithmetic(answer, side))
        top = max((gflops for _, gflops in ceilings), default=float("inf"))
        lines = [((ends[0], min(ends[1], top / gbs)), gbs, f"{name}, {style.number(gbs)} GB/s") for name, gbs in known]
        lines += [(ends, gflops, f"{name}, {style.number(gflops)} GFLOPS") for name, gflops in ceilings]
        for n, (between, rate, text) in enumerate(lines):
            y = [rate * x for x in between] if n < len(known) else [rate, rate]
            axis.plot(between, y, color="0.45", linewidth=1)
            if between[1] == ends[1]:
                roofs.append((ends[1], y[1], text, "0.25"))
            else:  # below where it meets the arithmetic
                looks = {"va": "top", "fontsize": style.SMALL, "color": "0.25"}
                looks["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}
                axis.annotate(text, (between[1], y[1]), xytext=(2, -20), textcoords="offset points", **looks)
        names.append((roofs, [(*point[:3], style.shade(number, 0)) for point in points]))
        axis.set(xlim=ends, title=side)
    fused = {point[3] for _, points in found.values() for point in points}
    for mark, name in sorted({kind_of(each) for each in fused}, key=lambda kind: "os^".index(kind[0])):
        axes[0].plot([], [], mark, color=style.GREY, label=name)
    log = [style.log_scale(axes[0], which) for which in "xy"]
    for axis, (roofs, points) in zip(axes, names):
        style.label_ends(axis, roofs)
        style.label_ends(axis, points, 20)
    style.name_axes(axes, "operations a byte (flop/byte)" + log[0], "speed (GFLOPS)" + log[1])
    yield style.Plot("roofline", figure)


def prediction(answer, memories):
    """Time and its causes, a row for each memory and machine."""
    if not answer["predictions"]:
        return
    names = by_share([case["prediction"]["causes"] for of in memories.values() for _, case in of.values()], 0.01)
    rows = rows_of(memories, columns=2, right=7)
    for (memory, side), y in rows.y.items():
        case, number = memories[memory][side][1], sides(answer).index(side)
        of = case["prediction"]
        dot(rows.axes[0], case["seconds"], y, number, ends=(of["least_seconds"], of["most_seconds"]), dashes="--")
        bars(rows.axes[1], y, of["causes"], names, number)
        beside(rows.axes[1], y, f"{style.number(case['seconds'])} s")
    name_parts(rows.axes[1], names)
    rows.axes[1].set(xlabel="share of the time (%)", xlim=(0, 100))
    rows.name_groups()
    rows.axes[0].set(xlabel="predicted time (s)" + style.log_scale(rows.axes[0], "x", 4))
    yield style.Plot("prediction", rows.figure, what=answer["problem_title"])


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


PLOTS = {of.__name__: of_problem(of) for of in (speed, phases, sweeps, prediction)}
PLOTS |= {of.__name__: of for of in (roofline, scaling, model)}
