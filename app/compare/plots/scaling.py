# Efficiency over ranks, strong and weak.
import levels
import style


def _draw(rate, efficiency, unit, numbered):
    """The curves of one unit, each with its number in the whole plot."""
    for number, curve in numbered:
        label = f"{curve['side']}: {curve['label']}"
        rate.plot(curve["ranks"], curve["rates"], label=label, **style.marked_line(number))
        ideal = [curve["rates"][0] / curve["ranks"][0] * n for n in curve["ranks"]]
        rate.plot(curve["ranks"], ideal, color="0.6", linewidth=0.8, linestyle=":")
        parts = [100 * part for part in curve["efficiency"]]
        efficiency.plot(curve["ranks"], parts, **style.marked_line(number))
    rate.set(ylabel=f"rate ({unit})", title="rate; dotted: perfect")
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
        same = "The same problem" if kind == "strong" else "The same work a rank"
        yield style.Plot(
            f"scaling-{kind}",
            f"{'PREDICTION, not measured: s' if context.predictions else 'S'}caling, {kind}",
            f"{same} on more ranks. On the dotted line twice the ranks give twice the rate; the "
            "right panel shows which part of that is reached.",
            figure,
            columns=1,
        )
