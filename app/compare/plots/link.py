# Bandwidth of host memory, device memory and the link over the repeats: [tsukuba-thesis-2024] 5.1
# to 5.4; and over the size of a copy.
import levels
from results import experiments, median, size_text, sizes
import style

# (file name, title, theory of it, figure of the thesis, parameters of the measurement)
SERIES = [
    ("link-host-copy", "Copy inside host memory", "host_memory", "5.1", {"direction": "host copy"}),
    (
        "link-device-copy",
        "Copy inside device memory",
        "device_memory",
        "5.2",
        {"direction": "device copy", "by": "kernel"},
    ),
    (
        "link-htod",
        "Host to device, pinned, copy engine",
        "link_host_to_device",
        "5.3",
        {"direction": "HtoD", "memory": "pinned", "by": "copy engine"},
    ),
    (
        "link-dtoh",
        "Device to host, pinned, copy engine",
        "link_device_to_host",
        "5.4",
        {"direction": "DtoH", "memory": "pinned", "by": "copy engine"},
    ),
]
MOST_PANELS = 2  # the thesis shows two sizes


def draw_series(axis, number, label, measurement):
    """All experiments over each other; the first carries the name, each a marker at
    its start."""
    for n, series in enumerate(experiments(measurement)):
        axis.plot(
            range(1, len(series) + 1),
            series,
            linewidth=1.0,
            label=label if n == 0 else None,
            markevery=[0],
            **style.marked_line(number),
        )


def theory_levels(axis, sides, theory):
    """Theory of each side that is drawn."""
    for gbs, text in levels.theories([(side.label, [side.theory.get(theory)]) for side in sides]):
        levels.level(axis, gbs, text)


def published(context, probe, found):
    """What was published for such measurements, [(side, measurement)]."""
    return context.beside([(side, {"probe": probe, **m["parameters"]}) for side, m in found])


def _over_repeats(context, name, title, theory, of_thesis, wanted):
    found = [(side, m) for side in context.sides for m in side.measurements("link", **wanted)]
    shown = sizes([m for _, m in found])[-MOST_PANELS:]
    if not shown:
        return None
    figure, axes = style.panels(len(shown), 1, 2.2, sharex=True, sharey=True)
    for axis, size in zip(axes.flat, shown):
        of_size = [each for each in found if each[1]["parameters"]["bytes"] == size]
        for number, (side, measurement) in enumerate(of_size):
            parameters = measurement["parameters"]
            label = f"{side.label}, {parameters['memory']}, {parameters['by']}"
            draw_series(axis, number, label, measurement)
        theory_levels(axis, style.each_once(side for side, _ in found), theory)
        for mark in published(context, "link", of_size):
            levels.band(axis, mark["low"], mark["high"], f"{levels.owner(mark)}: {mark['text']}")
        axis.set_title(size_text(size), loc="left")
        axis.set_ylabel("bandwidth (GB/s)")
        style.whole_numbers(axis)
    axes[-1, 0].set_xlabel("repeat")
    style.from_zero(axes.flat)
    return style.Plot(
        name,
        title,
        "Each line is an experiment, each point a repeat; copies inside a memory count bytes read "
        "and written. A flat line near the broken line (theory) is a link or memory at its limit. "
        f"As [tsukuba-thesis-2024] {of_thesis}.",
        figure,
    )


def _by_size(context):
    """The sweep of sizes: median bandwidth of each kind of copy."""
    tables = [
        (side, kind, table)
        for side in context.sides
        for probe in side.probes("link")
        for kind, table in probe.get("tables", {}).items()
    ]
    if not tables:
        return None
    kinds = sorted({kind for _, kind, _ in tables})
    columns = min(2, len(kinds))
    figure, axes = style.panels(-(-len(kinds) // columns), columns, 1.9, sharey=True)
    style.hide_unused(axes, len(kinds), "size", "GB/s")
    for axis, kind in zip(axes.flat, kinds):
        for number, side in enumerate(context.sides):
            for _, _, table in (one for one in tables if one[0] is side and one[1] == kind):
                of_size = {}
                for size, gbs in zip(table["bytes"], table["gbs"]):
                    of_size.setdefault(size, []).append(gbs)
                at = sorted(of_size)
                medians = [median(of_size[size]) for size in at]
                axis.plot(at, medians, label=side.label, **style.marked_line(number))
        axis.set_title(kind, loc="left")
        style.log_scale(axis, "y", few=True)
        style.bytes_scale(axis)
    return style.Plot(
        "link-by-size",
        "Bandwidth over the size of a copy",
        "Medians. Small copies pay for their start: where the curve bends is the size from which a "
        "copy is worth it.",
        figure,
    )


def plots(context):
    for entry in SERIES:
        yield _over_repeats(context, *entry)
    yield _by_size(context)
