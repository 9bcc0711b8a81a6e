# Transpose: the variants by bandwidth, and bandwidth over the size of the matrix (thesis 002, figures 4.7 and 4.11).
from results import memory_name, ranks
import style


def _label(side, run):
    return f"{side.label}, {run['rows']} x {run['columns']} {run['type']}, {memory_name(run)}"


def _variants(context):
    # The copy is measured with any variant; a comparison of variants has more. Of equal ones the last counts.
    runs = {
        _label(side, run): run
        for side in context.sides
        for run in side.of_program("transpose")
        if len(run["variants"]) > 2 and ranks(run) == 1
    }
    if not runs:
        return None
    names = list(dict.fromkeys(variant["name"] for run in runs.values() for variant in run["variants"]))
    figure, axes = style.panels(1, 1, width=max(5.0, 0.9 * len(names)), height=3.0)
    axis = axes[0, 0]
    width = 0.8 / len(runs)
    for n, (label, run) in enumerate(runs.items()):
        for variant in run["variants"]:
            gbs = variant["gbs"]
            axis.bar(
                names.index(variant["name"]) - 0.4 + width * (n + 0.5),
                gbs["median"],
                width,
                yerr=[[gbs["median"] - gbs["min"]], [gbs["max"] - gbs["median"]]],
                error_kw={"linewidth": 0.8},
                label=label,
                **style.bar(n),
            )
    axis.set(xticks=range(len(names)), xticklabels=names, ylabel="bandwidth (GB/s)")
    axis.tick_params(axis="x", rotation=20)
    axis.grid(False, axis="x")
    style.legend(figure, axes, 2)
    return style.Plot(
        "transpose-variants",
        "Transpose by variant",
        "Bytes read and written; bars are medians, with minimum and maximum.",
        figure,
    )


def _sizes(context):
    tables = [
        (side, run["sizes"]) for side in context.sides for run in side.of_program("transpose") if run.get("sizes")
    ]
    if not tables:
        return None
    figure, axes = style.panels(1, len(tables), width=4.6, sharey=True)
    for axis, (side, rows) in zip(axes.flat, tables):
        for number, variant in enumerate(dict.fromkeys(row["variant"] for row in rows)):
            points = [(row["size"], row["median"]) for row in rows if row["variant"] == variant]
            axis.plot(*zip(*points), linewidth=1.0, label=variant, **style.marked_line(number))
        axis.set(title=side.label, xlabel="rows = columns")
        style.from_zero(axis)
    axes[0, 0].set_ylabel("bandwidth (GB/s)")
    style.legend(figure, axes)
    return style.Plot(
        "transpose-sizes", "Transpose over the size of the matrix", "As figures 4.7 and 4.11 of thesis 002.", figure
    )


def plots(context):
    yield _variants(context)
    yield _sizes(context)
