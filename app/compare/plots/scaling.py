# Efficiency over ranks, strong and weak.
import style


def plots(context):
    for kind in ("strong", "weak"):
        curves = [curve for curve in context.scaling if curve["weak"] == (kind == "weak")]
        if not curves:
            continue
        figure, axes = style.panels(1, 2, width=3.8, height=2.9)
        for number, curve in enumerate(curves):
            label = f"{curve['side']}: {curve['label']}"
            axes[0, 0].plot(curve["ranks"], curve["rates"], label=label, **style.marked_line(number))
            ideal = [curve["rates"][0] / curve["ranks"][0] * n for n in curve["ranks"]]
            axes[0, 0].plot(curve["ranks"], ideal, color="0.6", linewidth=0.8, linestyle=":")
            axes[0, 1].plot(curve["ranks"], [100 * part for part in curve["efficiency"]], **style.marked_line(number))
        axes[0, 0].set(ylabel=f"rate ({curves[0]['unit']})", title="rate; dotted: perfect")
        style.log_scale(axes[0, 0], "y")
        axes[0, 1].set(ylabel="efficiency (%)", title="against the fewest ranks")
        style.level(axes[0, 1], 100, "")
        style.from_zero(axes[:, 1])
        every = sorted({n for curve in curves for n in curve["ranks"]})
        for axis in axes.flat:
            axis.set_xscale("log", base=2)
            axis.set(xlabel="ranks", xticks=every, xticklabels=[f"{n:g}" for n in every])
            axis.minorticks_off()
        style.legend(figure, axes, 1)
        yield style.Plot(
            f"scaling-{kind}",
            f"Scaling, {kind}",
            "The same problem on more ranks." if kind == "strong" else "The same work a rank on more ranks.",
            figure,
        )
