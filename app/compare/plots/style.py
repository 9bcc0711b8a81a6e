# How plots look: readable in grey, by lightness, line style, marker and hatch; axes with units.
import os

import matplotlib

matplotlib.use("Agg")
from matplotlib import patheffects, pyplot, ticker  # noqa: E402  (the backend has to be chosen first)

from results import size_text  # noqa: E402

# Viridis from dark to light: its lightness rises steadily, so the order survives a grey print.
COLOURS = [matplotlib.colormaps["viridis"](x) for x in (0.0, 0.42, 0.66, 0.82, 0.24, 0.54, 0.93, 0.12)]
LINES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)), (0, (4, 1, 1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "x", "+", "P", "*"]
HATCHES = ["", "//", "..", "xx", "\\\\", "--", "oo", "++"]

pyplot.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "axes.titlesize": 9,
        "legend.fontsize": 8,
        "axes.grid": True,
        "grid.color": "0.85",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.constrained_layout.use": True,
        "hatch.linewidth": 0.6,
        "savefig.bbox": "tight",
        "savefig.pad_inches": 0.05,
        "svg.fonttype": "path",
        "svg.hashsalt": "memstencil",
    }
)


def line(number):
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": LINES[number % len(LINES)]}


def marked_line(number, size=4):
    return {**line(number), "marker": MARKERS[number % len(MARKERS)], "markersize": size}


def bar(number):
    return {
        "facecolor": COLOURS[number % len(COLOURS)],
        "hatch": HATCHES[number % len(HATCHES)],
        "edgecolor": "white",
        "linewidth": 0.6,
    }


def panels(rows, columns, width=3.4, height=2.6, **more):
    figure, axes = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False, **more)
    return figure, axes


class _LogTicks(ticker.LogLocator):
    """At 1, 2 and 5 of each decade; at every digit where there is hardly more than one decade."""

    def tick_values(self, vmin, vmax):
        self.set_params(subs=(1, 2, 5) if vmax > 12 * vmin else range(1, 10), numticks=20)
        return super().tick_values(vmin, vmax)


def log_scale(axis, which):
    """Ticks as plain numbers."""
    axis.set(**{which + "scale": "log"})
    ticks = getattr(axis, which + "axis")
    ticks.set_major_locator(_LogTicks())
    ticks.set_minor_locator(ticker.NullLocator())
    ticks.set_major_formatter(lambda value, _: f"{value:g}")


def bytes_scale(axis):
    """x in bytes, doubled from tick to tick or more."""
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(ticker.LogLocator(base=2, numticks=8))
    axis.xaxis.set_major_formatter(lambda size, _: size_text(size))
    slanted(axis, 30)


def slanted(axis, degrees):
    """Names under x that end at their ticks, so that long ones do not run into their neighbours."""
    axis.tick_params(axis="x", rotation=degrees)
    pyplot.setp(axis.get_xticklabels(), ha="right", rotation_mode="anchor")


def whole_numbers(axis):
    """x counts: repeats, sweeps."""
    axis.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))


def from_zero(axes):
    """With room above for the names of lines. Once all is drawn: panels that share y would else be cut off."""
    highest = [(axis, axis.get_ylim()[1]) for axis in axes]
    for axis, high in highest:
        axis.set_ylim(0, 1.08 * high)


def mark(axis, x, y, **looks):
    """A short line that is seen on white and on a dark bar."""
    outline = [patheffects.withStroke(linewidth=looks["linewidth"] + 1.4, foreground="white")]
    axis.plot(x, y, path_effects=outline, **looks)


NAMES_STAND = ("axes fraction", "data")


def _name(axis, text, y, **place):
    axis.annotate(
        text,
        (place["x"], y),
        xytext=(0, 0),
        xycoords=NAMES_STAND,
        textcoords="offset points",
        ha=place["ha"],
        va="bottom",
        fontsize=7,
        color="0.25",
        bbox={"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5},
    )


def _part_names(figure):
    """Names of lines that lie close are stacked: no two on one another."""
    figure.canvas.draw()
    points = 72 / figure.dpi
    for axis in figure.axes:
        names = [text for text in axis.texts if text.xycoords == NAMES_STAND]
        placed = []  # (left, right, low, high) of each, from below
        for name in sorted(names, key=lambda text: text.xy[1]):
            box = name.get_window_extent()
            up = 0.0
            for left, right, low, high in sorted(placed, key=lambda other: other[2]):
                if box.x0 < right and left < box.x1 and box.y0 + up < high and low < box.y1 + up:
                    up = high - box.y0
            name.xyann = (0, up * points)
            placed.append((box.x0, box.x1, box.y0 + up, box.y1 + up))


def level(axis, value, text):
    """A line across for theory or a limit, named at its right end."""
    axis.axhline(value, color="0.35", linewidth=0.9, linestyle=(0, (6, 2)))
    _name(axis, text, value, x=1, ha="right")


def theory(axis, named):
    """Levels of (label, figures that add up): those of equal value in one line. A figure may be unknown (None)."""
    lines = {}
    for label, figures in named:
        if None in figures:
            continue
        kind = "measured elsewhere" if any(figure["measured"] for figure in figures) else "theory"
        lines.setdefault((sum(figure["gbs"] for figure in figures), kind), []).append(label)
    for (gbs, kind), labels in lines.items():
        level(axis, gbs, f"{', '.join(labels)}: {kind} {gbs:g}")


def band(axis, low, high, text):
    """A published value or range, named with it at its left end."""
    values = dict.fromkeys((low, high))
    if low != high:
        axis.axhspan(low, high, facecolor="0.85", edgecolor="none", zorder=0.5)
    for value in values:  # the ends of a range, too: ranges may lie in one another
        axis.axhline(value, color="0.35", linewidth=1.0, linestyle=":")
    _name(axis, f"{text}: {' to '.join(f'{value:g}' for value in values)}", high, x=0, ha="left")


def legend(figure, axes, columns=3):
    """One for all panels, under them; entries of the same name once."""
    entries = {}
    for axis in axes.flat:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    if entries:
        figure.legend(
            entries.values(), entries.keys(), loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=columns, frameon=False
        )


class Plot:
    """A drawn figure with its file name, title and what it shows."""

    def __init__(self, name, title, caption, figure):
        self.name, self.title, self.caption, self.figure = name, title, caption, figure
        _part_names(figure)

    def save(self, folder):
        # Without a date, equal results give equal files.
        self.figure.savefig(os.path.join(folder, self.name + ".png"), dpi=160, metadata={"Software": None})
        self.figure.savefig(os.path.join(folder, self.name + ".svg"), metadata={"Date": None})
        pyplot.close(self.figure)
