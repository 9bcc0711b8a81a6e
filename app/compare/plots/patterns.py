# The eight access patterns and the migration experiment over the repeats: thesis 003, figures 5.5 to 5.7.
from link import draw_series, levels
from results import experiments, size_text, sizes
import style

PHASES = ["device 1", "host", "device 2"]


def _theory(parameters):
    """A pattern that stays on one processor's side is bound by that memory; the link alone bounds no other copy."""
    executor = parameters["executor"]
    return f"{executor}_memory" if parameters["source"] == parameters["destination"] == executor else None


def _eight(context, size):
    found = [(side, m) for side in context.sides for m in side.measurements("patterns", bytes=size)]
    # Four patterns a row: the first row is the CPU's, the second the GPU's.
    figure, axes = style.panels(2, 4, width=2.7, height=2.4, sharey="row")
    for pattern, axis in enumerate(axes.flat, start=1):
        number = 0
        for side, measurement in found:
            parameters = measurement["parameters"]
            if parameters["pattern"] != pattern:
                continue
            draw_series(axis, number, f"{side.label}, {parameters['memory']}", measurement)
            number += 1
            if number > 1:  # what stands for the pattern stands there once
                continue
            axis.set_title(
                f"({pattern}) {parameters['source']} to {parameters['destination']} by {parameters['executor']}"
            )
            sides = [side for side, _ in found]
            levels(axis, context, sides, _theory(parameters), {"probe": "patterns", **parameters})
        axis.set(xlabel="repeat")
        style.whole_numbers(axis)
    style.from_zero(axes.flat)
    for row in axes:
        row[0].set_ylabel("bandwidth (GB/s)")
    style.legend(figure, axes)
    caption = (
        "Arrays placed by first touch, copied again and again; bytes read and written. As figures 5.5 and 5.6 of the "
        "thesis; the order of patterns (2), (3) and (5) to (7) is assumed."
    )
    return style.Plot(f"patterns-{size}", f"The eight patterns, {size_text(size)}", caption, figure)


def _series_of_phases(side, memory, mode, size):
    """[(first x, series)] for each experiment of each phase, one phase after the other, and the borders."""
    start, lines, borders = 1, [], []
    for phase in PHASES:
        of_phase = side.measurements("migration", memory=memory, mode=mode, phase=phase, bytes=size)
        if not of_phase:
            continue
        all_experiments = experiments(of_phase[-1])
        lines += [(start, series) for series in all_experiments]
        start += max(map(len, all_experiments))
        borders.append((start - 0.5, phase))
    return lines, borders


def _migration(context, size, mode):
    found = [
        (side, memory)
        for side in context.sides
        for memory in sorted({m["parameters"]["memory"] for m in side.measurements("migration", mode=mode, bytes=size)})
    ]
    if not found:
        return None
    figure, axes = style.panels(1, 1, width=6.4, height=3.0)
    axis = axes[0, 0]
    borders = []
    for number, (side, memory) in enumerate(found):
        lines, borders = _series_of_phases(side, memory, mode, size)
        for n, (start, series) in enumerate(lines):
            axis.plot(
                range(start, start + len(series)),
                series,
                linewidth=0.9,
                label=None if n else f"{side.label}, {memory}",
                **style.line(number),
            )
    begin = 0.5
    for end, phase in borders:
        axis.axvline(end, color="0.6", linewidth=0.8)
        axis.annotate(
            phase, ((begin + end) / 2, 1), xycoords=("data", "axes fraction"), ha="center", va="bottom", fontsize=8
        )
        begin = end
    axis.set(xlabel="repeat", ylabel="bandwidth (GB/s)")
    style.log_scale(axis, "y")
    style.legend(figure, axes)
    caption = (
        "Source touched first by the CPU, destination by the GPU; copied by the GPU, the CPU and the GPU again. As figure "
        "5.7 of the thesis, with a logarithmic scale."
    )
    return style.Plot(f"migration-{mode}-{size}", f"Migration, {mode}, {size_text(size)}", caption, figure)


def plots(context):
    for size in sizes([m for side in context.sides for m in side.measurements("patterns")]):
        yield _eight(context, size)
    measured = [m["parameters"] for side in context.sides for m in side.measurements("migration")]
    for size in sorted({p["bytes"] for p in measured}):
        for mode in sorted({p["mode"] for p in measured}):
            yield _migration(context, size, mode)
