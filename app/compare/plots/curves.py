# Plots over ranks, and of the model.
import style
from rows import sides


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


PLOTS = {of.__name__: of for of in (scaling, model)}
