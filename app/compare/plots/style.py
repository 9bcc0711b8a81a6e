# The looks of all plots: one width, which a phone shows without shrinking; readable in grey, by
# lightness, line style, marker and hatch; axes with units; a title within each picture.
import os
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import patheffects, pyplot, ticker  # noqa: E402  (the backend comes first)

from results import size_text  # noqa: E402

WIDTH = 5.2  # inches: 374 points, so that 9 points of text are 9 pixels on a screen of 400
MARGIN = 0.06  # inches
# Viridis from dark to light: its lightness rises steadily, so the order survives a grey print.
SHADES = (0.0, 0.45, 0.68, 0.82, 0.24, 0.56, 0.9, 0.12)
COLOURS = [matplotlib.colormaps["viridis"](x) for x in SHADES]
DASHES = [(5, 1), (3, 1, 1, 1, 1, 1), (1, 1), (8, 2), (4, 1, 1, 1)]
LINES = ["-", "--", "-.", ":"] + [(0, dash) for dash in DASHES]
MARKERS = ["o", "s", "^", "D", "v", "x", "+", "P", "*"]
HATCHES = ["", "//", "||", "xx", "\\\\", "--", "/", "++"]

pyplot.rcParams.update(
    {
        # In an SVG text stays text. Where DejaVu Sans is missing, Verdana is as wide.
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
        "svg.fonttype": "none",
        "svg.hashsalt": "memstencil",
        "font.size": 8.5,
        "axes.titlesize": 8.5,
        "axes.labelsize": 8.5,
        "legend.fontsize": 8,
        "figure.titlesize": 10,
        "figure.titleweight": "bold",
        "axes.grid": True,
        "grid.color": "0.85",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "hatch.linewidth": 0.6,
    }
)
if "text.parse_math" in pyplot.rcParams:  # since matplotlib 3.6
    # A name out of a file may have a dollar sign, and is no formula.
    pyplot.rcParams["text.parse_math"] = False


def line(number):
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": LINES[number % len(LINES)]}


def marker(number, size=4.5):
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": size,
    }


def marked_line(number, size=3.5):
    return line(number) | marker(number, size)


def bar(number):
    return {
        "facecolor": COLOURS[number % len(COLOURS)],
        "hatch": HATCHES[number % len(HATCHES)],
        "edgecolor": "white",
        "linewidth": 0.6,
    }


def panels(rows, columns, height=2.3, **more):
    """Panels of `height` inches that share the width of all plots."""
    size = (WIDTH, height * rows)
    return pyplot.subplots(
        rows, columns, figsize=size, squeeze=False, constrained_layout=True, **more
    )


def hide_unused(axes, used, xlabel):
    """Panels beyond those used; the lowest of each column carries the name of x."""
    for axis in list(axes.flat)[used:]:
        axis.set_visible(False)
    for column in axes.T:
        lowest = [axis for axis in column if axis.get_visible()][-1:]
        for axis in lowest:
            axis.set_xlabel(xlabel)
            axis.tick_params(labelbottom=True)


class _LogTicks(ticker.LogLocator):
    """At each decade; at 1 and 3, at 1, 2 and 5 or at every digit where there are fewer."""

    def __init__(self, few):
        super().__init__()
        self.steps = [(1e3, (1,)), (10, (1, 3))] if few else [(1e4, (1,)), (1e3, (1, 3))]
        self.steps += [(12, (1, 2, 5))]

    def tick_values(self, vmin, vmax):
        fitting = [subs for least, subs in self.steps if vmax / vmin >= least]
        self.set_params(subs=fitting[0] if fitting else range(1, 10), numticks=20)
        return super().tick_values(vmin, vmax)


def log_scale(axis, which, few=False):
    """Ticks as plain numbers; `few` in a small panel."""
    axis.set(**{which + "scale": "log"})
    ticks = getattr(axis, which + "axis")
    ticks.set_major_locator(_LogTicks(few))
    ticks.set_minor_locator(ticker.NullLocator())
    ticks.set_major_formatter(lambda value, _: f"{value:g}")


def bytes_scale(axis):
    """x in bytes, doubled from tick to tick or more."""
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(ticker.LogLocator(base=2, numticks=7))
    axis.xaxis.set_major_formatter(lambda size, _: size_text(size))
    axis.xaxis.set_minor_formatter(ticker.NullFormatter())  # it would write formulas
    slanted(axis, 30)


def slanted(axis, degrees):
    """Names under x that end at their ticks, so that long ones do not run into others."""
    axis.tick_params(axis="x", rotation=degrees)
    pyplot.setp(axis.get_xticklabels(), ha="right", rotation_mode="anchor")


def whole_numbers(axis):
    """x counts: repeats, sweeps."""
    axis.xaxis.set_major_locator(ticker.MaxNLocator(nbins=6, integer=True))


def from_zero(axes):
    """With room above for names of lines. Last: panels that share y would else be cut off."""
    highest = [(axis, axis.get_ylim()[1]) for axis in axes]
    far = max(len(_far_levels(axis)) for axis, _ in highest)
    for axis, high in highest:
        axis.set_ylim(0, (1.12 + 0.13 * far) * high)


def room_above(axis):
    """On a logarithmic y that all panels share: for names of lines at the top."""
    low, high = axis.get_ylim()
    axis.set_ylim(low, high * (high / low) ** 0.25)


def number(value):
    """Three digits or more, without an exponent where a person would write none."""
    if 1000 <= abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:#.3g}".removesuffix(".")


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
        fontsize=7.5,
        color="0.25",
        bbox={"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5},
    )


def _part_names(figure):
    """Names of lines that lie close are stacked: no two on one another."""
    points = 72 / figure.dpi
    for axis in figure.axes:
        names = [text for text in axis.texts if getattr(text, "xycoords", None) == NAMES_STAND]
        placed = []  # (left, right, low, high) of each, from below
        for name in sorted(names, key=lambda text: text.xy[1]):
            box = name.get_window_extent()
            up = 0.0
            for left, right, low, high in sorted(placed, key=lambda other: other[2]):
                if box.x0 < right and left < box.x1 and box.y0 + up < high and low < box.y1 + up:
                    up = high - box.y0
            name.xyann = (0, up * points)
            placed.append((box.x0, box.x1, box.y0 + up, box.y1 + up))


def _far_levels(axis):
    return [text for text in axis.texts if text.get_gid() == "far"]


FAR = 2.5  # times the highest point: a level beyond would press the points onto zero


def _out_of_scale(axis, value, text):
    """A level far above all points of a linear axis is told, not drawn."""
    drawn = [y for one in axis.lines if not one.get_gid() for y in one.get_ydata()]
    if axis.get_yscale() == "log" or not drawn or value <= FAR * max(drawn):
        return False
    axis.text(
        0.01,
        0.99 - 0.09 * len(_far_levels(axis)),
        f"\N{UPWARDS ARROW} {text} (above this scale)",
        transform=axis.transAxes,
        va="top",
        fontsize=7.5,
        color="0.25",
        gid="far",
    )
    return True


def level(axis, value, text):
    """A line across for theory or a limit, named at its right end."""
    if not _out_of_scale(axis, value, text):
        axis.axhline(value, color="0.35", linewidth=0.9, linestyle=(0, (6, 2)), gid="level")
        _name(axis, text, value, x=1, ha="right")


def capacity(axis, value, text):
    """An upright line at the size of a cache, named at its foot."""
    axis.axvline(value, color="0.35", linewidth=0.9, linestyle=(0, (6, 2)), gid="level")
    axis.text(
        value,
        0.02,
        f"{text} ",
        transform=axis.get_xaxis_transform(),
        rotation=90,
        ha="right",
        va="bottom",
        fontsize=7.5,
        color="0.25",
    )


def theories(named):
    """[(GB/s, name)] of (label, figures that add up): equal values once; what is unknown (None)
    is left out."""
    lines = {}
    for label, figures in named:
        if None in figures:
            continue
        measured = any(figure["measured"] for figure in figures)
        kind = "measured elsewhere" if measured else "theory"
        lines.setdefault((sum(figure["gbs"] for figure in figures), kind), []).append(label)
    return [(gbs, f"{', '.join(labels)}: {kind} {gbs:g}") for (gbs, kind), labels in lines.items()]


def band(axis, low, high, text):
    """A published value or range (`high` None: without an upper end), named with it at its left
    end."""
    values = dict.fromkeys((low, low if high is None else high))
    ends = " to ".join(f"{value:g}" for value in values)
    text = f"{text}: {'at least ' if high is None else ''}{ends}"
    high = max(values)
    if _out_of_scale(axis, low, text):
        return
    if low != high:
        axis.axhspan(low, high, facecolor="0.85", edgecolor="none", zorder=0.5)
    for value in values:  # the ends of a range, too: ranges may lie in one another
        axis.axhline(value, color="0.35", linewidth=1.0, linestyle=":", gid="level")
    _name(axis, text, high, x=0, ha="left")


class Plot:
    """A drawn figure: file name, title, a caption that says how to read it, and a legend under
    all panels. `kind` is the name's constant part, which the gallery is ordered by."""

    def __init__(self, kind, title, caption, figure, of=(), columns=2, entries=None):
        self.name = "-".join((kind, *of))
        self.kind, self.title, self.caption, self.figure = kind, title, caption, figure
        self.lead = False  # stands above all others on the page
        figure.suptitle(
            "\n".join(textwrap.wrap(title, 58, break_on_hyphens=False)), x=0.01, ha="left"
        )
        self._lay_out(columns, entries)

    def _lay_out(self, columns, entries):
        """Once for both files: a layout that is found anew at each drawing takes most of it."""
        figure, below = self.figure, MARGIN
        entries = self._entries() if entries is None else entries
        if entries:
            legend = figure.legend(
                [handle for _, handle in entries],
                [label for label, _ in entries],
                loc="lower left",
                bbox_to_anchor=(0.005, 0.0),
                ncol=columns,
                frameon=False,
                borderaxespad=0.3,
                columnspacing=1.2,
            )
            high = legend.get_window_extent(figure.canvas.get_renderer()).height / figure.dpi
            figure.set_figheight(figure.get_figheight() + high)
            below += high
        part = below / figure.get_figheight()
        edge = MARGIN / WIDTH
        figure.get_layout_engine().set(rect=(0, part, 1 - edge, 1 - part))
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine(None)  # "none" would have each file drawn twice
        _part_names(figure)

    def _entries(self):
        """Entries of the same name once."""
        entries = {}
        for axis in self.figure.axes:
            for handle, label in zip(*axis.get_legend_handles_labels()):
                entries.setdefault(label, handle)
        return list(entries.items())

    def save(self, folder, png=True):
        # Without a date, equal results give equal files.
        base = os.path.join(folder, self.name)
        self.figure.savefig(base + ".svg", metadata={"Date": None})
        if png:
            self.figure.savefig(base + ".png", dpi=160, metadata={"Software": None})
        pyplot.close(self.figure)
