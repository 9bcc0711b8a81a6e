# A copy over the link beside a kernel: each alone, and both at once ([ufrgs-thesis], chapter 1).
from rows import Rows, beside, stick
import style

DIRECTIONS = {"HtoD": "host to device", "DtoH": "device to host"}
WORK = {"arithmetic": "beside arithmetic", "memory": "beside a memory kernel"}
LABELS = ("copy alone", "kernel alone", "both at once", "one after the other (sum)")
HALF = 0.42  # heights of the two bars of a row, in rows


def _draw(axis, y, of):
    """The copy above the kernel, as if both started at once; what both took, and what they would
    take one after the other."""
    copy, kernel, both = (1e3 * of[f"{part}_seconds"] for part in ("copy", "kernel", "both"))
    axis.barh(y - HALF / 2, copy, HALF, label=LABELS[0], **style.bar(0))
    axis.barh(y + HALF / 2, kernel, HALF, label=LABELS[1], **style.bar(2))
    stick(axis, both, y, LABELS[2], color="black", linewidth=2)
    looks = {"color": "0.45", "linewidth": 1.6, "linestyle": (0, (1.5, 1))}
    stick(axis, copy + kernel, y, LABELS[3], **looks)
    beside(axis, y, f"{100 * of['hidden']:.1f} %")


def _entries(axis):
    """The bars before the signs, and each once."""
    handles, labels = axis.get_legend_handles_labels()
    entries = dict(zip(reversed(labels), reversed(handles)))
    return [(label, entries[label]) for label in LABELS]


def _measured(probe):
    """{direction: {work: figures}} of those that the probe has."""
    derived = probe.get("derived", {})
    return {
        direction: {work: derived[direction][work] for work in WORK if work in derived[direction]}
        for direction in DIRECTIONS
        if direction in derived
    }


def plots(context):
    found = [
        (side, _measured(probe)) for side in context.sides for probe in side.probes("overlap")[-1:]
    ]
    found = [(side, measured) for side, measured in found if measured]
    if not found:
        return
    figure, axes = style.panels(len(found), 1, 2.0 if len(found) > 1 else 2.4)
    for number, (side, measured) in enumerate(found):
        axis = axes[number, 0]
        rows = Rows([(DIRECTIONS[d], [WORK[w] for w in works]) for d, works in measured.items()])
        for direction, works in measured.items():
            for work, of in works.items():
                _draw(axis, rows.y[DIRECTIONS[direction], WORK[work]], of)
        axis.set_title(side.label, loc="left")
        axis.set_title("hidden", loc="right")
        rows.label(axes[number : number + 1])
    axes[-1, 0].set_xlabel("time (ms)")
    yield style.Plot(
        "overlap",
        "Overlap: a copy over the link beside a kernel",
        "Bars: copy and kernel, each alone; black: both at once. Where black stands at the end of "
        "the longer bar, the shorter one is hidden wholly (100 %); at the dotted line nothing is. "
        "Each machine has an axis of its own. As [ufrgs-thesis], chapter 1.",
        figure,
        entries=_entries(axes[0, 0]),
    )
