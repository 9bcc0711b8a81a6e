# The eight access patterns and the migration experiment over the repeats ([tsukuba-thesis-2024] 5.5
# to 5.7), and what pages cost before they are used.
import levels
from link import draw_series, published, theory_levels
from results import experiments, file_name, size_text, sizes
from rows import Rows, dot
import style

PHASES = ["device 1", "host", "device 2"]
PUBLISHED = "Dotted lines and grey bands are published values."


def _theory(parameters):
    """A pattern that stays on one processor's side is bound by that memory; no other by one
    figure."""
    executor = parameters["executor"]
    stays = parameters["source"] == parameters["destination"] == executor
    return f"{executor}_memory" if stays else None


def _eight(context, size):
    found = [(side, m) for side in context.sides for m in side.measurements("patterns", bytes=size)]
    sides = style.each_once(side for side, _ in found)
    figure, axes = style.panels(4, 2, 1.45, sharex=True, sharey=True)
    # The left column is the CPU's, (1) to (4); the right column the GPU's.
    for pattern, axis in enumerate(axes.T.flat, start=1):
        of_pattern = [each for each in found if each[1]["parameters"]["pattern"] == pattern]
        for number, (side, measurement) in enumerate(of_pattern):
            label = f"{side.label}, {measurement['parameters']['memory']}"
            draw_series(axis, number, label, measurement)
        style.log_scale(axis, "x")
        style.log_scale(axis, "y", few=True)
        for _, measurement in of_pattern[:1]:  # what stands for the pattern stands there once
            of = measurement["parameters"]
            title = f"({pattern}) {of['source']} to {of['destination']} by {of['executor']}"
            axis.set_title(title, loc="left")
            theory_levels(axis, sides, _theory(of))
        for mark in published(context, "patterns", of_pattern):
            levels.small_band(axis, mark)
    style.room_above(axes[0, 0])
    for axis in axes[-1]:
        axis.set_xlabel("repeat")
    for row in axes:
        row[0].set_ylabel("GB/s")
    return style.Plot(
        "patterns",
        f"The eight patterns, {size_text(size)}",
        "Arrays placed by first touch, copied again and again; bytes read and written, both scales "
        "logarithmic. A line that starts low and rises shows pages that move to who copies. As "
        "[tsukuba-thesis-2024] 5.5 and 5.6; the order of patterns (2), (3) and (5) to (7) is "
        "assumed. " + PUBLISHED,
        figure,
        [file_name(size_text(size))],
        columns=1,
    )


def _series_of_phases(side, memory, mode, size):
    """[(first x, series)] of each experiment of each phase, one phase after the other, and the
    ends of phases."""
    start, lines, ends = 1, [], []
    for phase in PHASES:
        wanted = {"memory": memory, "mode": mode, "phase": phase, "bytes": size}
        of_phase = side.measurements("migration", **wanted)
        if not of_phase:
            continue
        all_experiments = experiments(of_phase[-1])
        lines += [(start, series) for series in all_experiments]
        start += max(map(len, all_experiments))
        ends.append((start - 0.5, phase))
    return lines, ends


def _mark_phases(axis, ends, marks_of):
    """`marks_of(phase)`: what was published for it."""
    begin = 0.5
    for end, phase in ends:
        for mark in marks_of(phase):
            levels.small_band(axis, mark, (begin, end))
        axis.axvline(end, color="0.6", linewidth=0.8)
        axis.annotate(
            f"by {phase}",
            ((begin + end) / 2, 0.03),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            fontsize=7.5,
            color="0.25",
        )
        begin = end


def _draw_mode(axis, measured, mode, size):
    """The ends of its phases, of the first series."""
    first = None
    of_mode = dict.fromkeys((side, m["parameters"]["memory"]) for side, m in measured)
    for number, (side, memory) in enumerate(of_mode):
        lines, ends = _series_of_phases(side, memory, mode, size)
        first = first or ends
        for n, (start, series) in enumerate(lines):
            axis.plot(
                range(start, start + len(series)),
                series,
                linewidth=1.0,
                label=None if n else f"{side.label}, {memory}",
                markevery=[0],
                **style.marked_line(number),
            )
    return first or []


def _migration(context, size):
    measured = [
        (side, m) for side in context.sides for m in side.measurements("migration", bytes=size)
    ]
    modes = list(dict.fromkeys(m["parameters"]["mode"] for _, m in measured))
    high = 1.5 if len(modes) > 1 else 2.3
    figure, axes = style.panels(len(modes), 1, high, sharex=True, sharey=True)
    for axis, mode in zip(axes.flat, modes):
        of_mode = [each for each in measured if each[1]["parameters"]["mode"] == mode]

        def marks_of(phase, of_mode=of_mode):
            return published(
                context, "migration", [e for e in of_mode if e[1]["parameters"]["phase"] == phase]
            )

        _mark_phases(axis, _draw_mode(axis, of_mode, mode, size), marks_of)
        axis.set_title(mode, loc="left", weight="bold")
        axis.set_ylabel("GB/s")
        style.log_scale(axis, "y", few=True)
    style.room_above(axes[0, 0])
    axes[-1, 0].set_xlabel("repeat")
    return style.Plot(
        "migration",
        f"Migration, {size_text(size)}",
        "Source touched first by the CPU, destination by the GPU; then copied by the GPU, the CPU "
        "and the GPU again, with each of the driver's hints. A low first point of a phase is the "
        "price of moving the pages. As [tsukuba-thesis-2024] 5.7, with a logarithmic scale. "
        + PUBLISHED,
        figure,
        [file_name(size_text(size))],
        columns=1,
    )


def _costs_of_pages(context):
    """{group: {act: [(side number, ns a byte)]}}"""
    groups = {}
    for number, side in enumerate(context.sides):
        for m in side.measurements("pages"):
            of = m["parameters"]
            group = f"{of['memspace']}, {of['pages']} pages"
            acts = groups.setdefault(group, {})
            acts.setdefault(of["act"], []).append((number, m["median"]))
    return groups


def _pages(context):
    groups = _costs_of_pages(context)
    if not groups:
        return None
    rows = Rows([(group, list(acts)) for group, acts in groups.items()])
    figure, axes = rows.panels()
    for group, acts in groups.items():
        for act, costs in acts.items():
            for number, ns in costs:
                dot(axes[0, 0], ns, rows.y[group, act], number, context.sides[number].label)
    style.log_scale(axes[0, 0], "x")
    axes[0, 0].set(xlabel="cost (ns a byte), logarithmic")
    rows.label(axes)
    return style.Plot(
        "pages",
        "Pages: cost before the first use",
        "Medians. 0.1 ns a byte is 0.1 s a GB; further left is cheaper. A memory space costs "
        "the sum of its rows that an application goes through: allocate, one touch, free.",
        figure,
    )


def plots(context):
    yield _pages(context)
    for probe, make in (("patterns", _eight), ("migration", _migration)):
        for size in sizes([m for side in context.sides for m in side.measurements(probe)]):
            yield make(context, size)
