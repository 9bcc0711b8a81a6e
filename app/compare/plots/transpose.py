# Transpose: the variants by bandwidth, and bandwidth over the size of the matrix (thesis 002, figures 4.7 and 4.11).
from results import file_name, ranks
import style

MARKERS_A_LINE = 10
# The theory that binds a copy, by executor and kind of limit. Over a link it goes both ways at once.
THEORY = {
    ("device", "copy"): ["device_memory"],
    ("device", "link"): ["link_host_to_device", "link_device_to_host"],
    ("host", "copy"): ["host_memory"],
}


def _problem(run):
    return run["rows"], run["columns"], run["type"], run["operation"], run["memory"]


def _problems(context):
    """{problem: {side: run}} of the runs on one rank that compare variants; of equal ones the last counts."""
    found = {}
    for side in context.sides:
        for run in side.of_program("transpose"):
            # The copy is measured with any variant; a comparison of variants has more.
            if len(run["variants"]) > 2 and ranks(run) == 1:
                found.setdefault(_problem(run), {})[side.label] = run
    return found


def _theory(side, run):
    return [side.theory.get(name) for name in THEORY[run["exec"], run["limit"]["kind"]]]


def _variants(context, problem, runs):
    rows, columns, element, operation, memory = problem
    names = list(dict.fromkeys(variant["name"] for run in runs.values() for variant in run["variants"]))
    figure, axes = style.panels(1, 1, width=max(4.0, 0.8 * len(names)), height=2.9)
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
                error_kw={"linewidth": 0.8, "ecolor": "0.4"},
                label=label,
                **style.bar(n),
            )
    axis.set(xticks=range(len(names)), xticklabels=names, ylabel="bandwidth (GB/s)")
    style.slanted(axis, 20)
    axis.grid(False, axis="x")
    style.theory(
        axis, [(side.label, _theory(side, runs[side.label])) for side in context.sides if side.label in runs]
    )
    style.legend(figure, axes, 2)
    title = f"{rows} x {columns} {element}, {operation}, {memory}"
    caption = "Bytes read and written; bars are medians, with minimum and maximum."
    return style.Plot(file_name("transpose-variants", *problem), f"Transpose by variant: {title}", caption, figure)


def _sizes(context):
    tables = [
        (side, run["sizes"]) for side in context.sides for run in side.of_program("transpose") if run.get("sizes")
    ]
    if not tables:
        return None
    figure, axes = style.panels(1, len(tables), width=6.0, height=4.0, sharey=True)
    for axis, (side, rows) in zip(axes.flat, tables):
        for number, variant in enumerate(dict.fromkeys(row["variant"] for row in rows)):
            points = [(row["size"], row["median"]) for row in rows if row["variant"] == variant]
            # Markers of different lines stand at different sizes.
            every = (number, max(1, len(points) // MARKERS_A_LINE))
            axis.plot(*zip(*points), linewidth=0.9, label=variant, markevery=every, **style.marked_line(number))
        axis.set(title=side.label, xlabel="rows = columns")
    style.from_zero(axes.flat)
    axes[0, 0].set_ylabel("bandwidth (GB/s)")
    style.legend(figure, axes)
    caption = "As figures 4.7 and 4.11 of thesis 002. Where both matrices fit the L2, it is the L2 that is seen."
    return style.Plot("transpose-sizes", "Transpose over the size of the matrix", caption, figure)


def plots(context):
    for problem, runs in _problems(context).items():
        yield _variants(context, problem, runs)
    yield _sizes(context)
