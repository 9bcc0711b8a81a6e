# Efficiency over ranks, strong and weak.
import levels
import style


def _predicted(curve):
    """(ranks, processors, rate) of each point that has a prediction; one alone is no curve."""
    points = zip(curve["ranks"], curve["processors"], curve["predicted"])
    found = [point for point in points if point[2] is not None]
    return found if len(found) > 1 else []


def _draw_predicted(rate, efficiency, curve, colour):
    points = _predicted(curve)
    if not points:
        return
    ranks, processors, rates = zip(*points)
    parts = [100 * r / n / (rates[0] / processors[0]) for n, r in zip(processors, rates)]
    for axis, values in ((rate, rates), (efficiency, parts)):
        axis.plot(ranks, values, color=colour, linewidth=1.2, linestyle="--")


def _draw(rate, efficiency, unit, numbered):
    """The curves of one unit, each with its number in the whole plot. Where some are predicted,
    lines are predictions and what was measured are points."""
    beside = any(_predicted(curve) for _, curve in numbered)
    for number, curve in numbered:
        label = f"{curve['side']}: {curve['label']}"
        look = style.marker(number) | {"linestyle": ""} if beside else style.marked_line(number)
        rate.plot(curve["ranks"], curve["rates"], label=label, **look)
        first = curve["rates"][0] / curve["processors"][0]
        ideal = [first * n for n in curve["processors"]]
        rate.plot(curve["ranks"], ideal, color="0.6", linewidth=0.8, linestyle=":")
        parts = [100 * part for part in curve["efficiency"]]
        efficiency.plot(curve["ranks"], parts, **look)
        _draw_predicted(rate, efficiency, curve, style.line(number)["color"])
    title = "rate; dotted: perfect" + (", dashed: predicted" if beside else "")
    rate.set(ylabel=f"rate ({unit})", title=title)
    style.log_scale(rate, "y")
    efficiency.set(ylabel="efficiency (%)", title="against the fewest ranks")
    levels.level(efficiency, 100, "")
    every = sorted({n for _, curve in numbered for n in curve["ranks"]})
    if len(every) > 8:  # more would run into each other
        every = [4**n for n in range(8) if every[0] <= 4**n <= every[-1]]
    for axis in (rate, efficiency):
        axis.set_xscale("log", base=2)
        axis.set(xlabel="ranks", xticks=every, xticklabels=[f"{n:g}" for n in every])
        axis.minorticks_off()


def plots(context):
    for kind in ("strong", "weak"):
        curves = [curve for curve in context.scaling if curve["weak"] == (kind == "weak")]
        if not curves:
            continue
        units = list(dict.fromkeys(curve["unit"] for curve in curves))
        figure, axes = style.panels(len(units), 2, 2.6)
        for row, unit in zip(axes, units):
            numbered = [(n, curve) for n, curve in enumerate(curves) if curve["unit"] == unit]
            _draw(*row, unit, numbered)
        style.from_zero(axes[:, 1])
        beside = any(map(_predicted, curves))
        same = "The same problem" if kind == "strong" else "The same work a rank"
        yield style.Plot(
            f"scaling-{kind}",
            f"{'PREDICTION, not measured: s' if context.predictions else 'S'}caling, {kind}",
            f"{same} on more ranks. On the dotted line twice the GPUs, or cores, give twice the "
            "rate; the right panel shows which part of that is reached."
            + (" Dashed: what the model predicts of the measured points." if beside else ""),
            figure,
            columns=1,
        )
