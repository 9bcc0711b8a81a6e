# Bandwidth of host memory, device memory and the link over the repeats: thesis 003, figures 5.1 to 5.4.
from results import experiments, size_text, sizes
import style

# (file name, title, theory of it, parameters of the measurement)
SERIES = [
    ("link-host-copy", "Copy inside host memory", "host_memory", {"direction": "host copy"}),
    ("link-device-copy", "Copy inside device memory", "device_memory", {"direction": "device copy", "by": "kernel"}),
    (
        "link-htod",
        "Host to device, pinned, copy engine",
        "link_host_to_device",
        {"direction": "HtoD", "memory": "pinned", "by": "copy engine"},
    ),
    (
        "link-dtoh",
        "Device to host, pinned, copy engine",
        "link_device_to_host",
        {"direction": "DtoH", "memory": "pinned", "by": "copy engine"},
    ),
]
THESIS_FIGURE = {"link-host-copy": "5.1", "link-device-copy": "5.2", "link-htod": "5.3", "link-dtoh": "5.4"}
MOST_PANELS = 2  # the thesis shows two sizes


def draw_series(axis, number, label, measurement):
    """All experiments over each other; the first carries the name."""
    for n, series in enumerate(experiments(measurement)):
        axis.plot(
            range(1, len(series) + 1),
            series,
            linewidth=0.9,
            label=label if n == 0 else None,
            marker="o" if len(series) == 1 else None,
            markersize=3,
            **style.line(number),
        )


def levels(axis, context, sides, theory, identity):
    """Theory of each side that is drawn, and what was published for such a measurement."""
    drawn = [side for side in context.sides if any(side is each for each in sides)]
    style.theory(axis, [(side.label, [side.theory.get(theory)]) for side in drawn])
    for figure in context.published_for("membench", identity):
        style.band(axis, figure["low"], figure["high"], figure["label"])


def _over_repeats(context, name, title, theory, wanted):
    found = [(side, m) for side in context.sides for m in side.measurements("link", **wanted)]
    shown = sizes([m for _, m in found])[-MOST_PANELS:]
    if not shown:
        return None
    figure, axes = style.panels(1, len(shown), width=4.2 if len(shown) == 1 else 3.6, sharey=True)
    for axis, size in zip(axes.flat, shown):
        number = 0
        for side, measurement in found:
            if measurement["parameters"]["bytes"] != size:
                continue
            parameters = measurement["parameters"]
            draw_series(axis, number, f"{side.label}, {parameters['memory']}, {parameters['by']}", measurement)
            number += 1
        levels(axis, context, [side for side, _ in found], theory, {"probe": "link", **wanted})
        axis.set(title=f"{title}, {size_text(size)}", xlabel="repeat")
        style.whole_numbers(axis)
    style.from_zero(axes.flat)
    axes[0, 0].set_ylabel("bandwidth (GB/s)")
    style.legend(figure, axes, 2)
    caption = (
        "Each line is an experiment; copies inside a memory count bytes read and written. As figure "
        f"{THESIS_FIGURE[name]} of the thesis."
    )
    return style.Plot(name, title, caption, figure)


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
    figure, axes = style.panels(1, len(kinds), width=3.0)
    for axis, kind in zip(axes.flat, kinds):
        for number, side in enumerate(context.sides):
            for _, _, table in (entry for entry in tables if entry[0] is side and entry[1] == kind):
                points = sorted(zip(table["bytes"], table["gbs"]))
                at = sorted({size for size, _ in points})
                median = [
                    sorted(g for s, g in points if s == size)[len([1 for s, _ in points if s == size]) // 2]
                    for size in at
                ]
                axis.plot(at, median, label=side.label, **style.marked_line(number))
        axis.set(title=kind, xlabel="size")
        style.log_scale(axis, "y")
        style.bytes_scale(axis)
    axes[0, 0].set_ylabel("bandwidth (GB/s)")
    style.legend(figure, axes)
    return style.Plot("link-by-size", "Bandwidth by size", "Medians; small copies pay for their start.", figure)


def plots(context):
    for entry in SERIES:
        yield _over_repeats(context, *entry)
    yield _by_size(context)
