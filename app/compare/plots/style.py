# The looks of all plots: one width, which a phone shows without shrinking; readable in grey, by
# lightness, line style, marker and hatch; axes with units; a title within each picture.
import math
import os
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import patheffects, pyplot, ticker  # noqa: E402  (the backend comes first)

from levels import far_levels, part_names  # noqa: E402
from results import size_text  # noqa: E402

WIDTH = 5.2  # inches: 374 points, so that 9 points of text are 9 pixels on a screen of 400
MARGIN = 0.06  # inches
PNG_DPI = 160
# Viridis from dark to light: its lightness rises steadily, so the order survives a grey print.
SHADES = (0.0, 0.45, 0.68, 0.82, 0.24, 0.56, 0.9, 0.12)
COLOURS = [matplotlib.colormaps["viridis"](x) for x in SHADES]
DASHES = [(5, 1), (3, 1, 1, 1, 1, 1), (1, 1), (8, 2), (4, 1, 1, 1)]
LINES = ["-", "--", "-.", ":"] + [(0, dash) for dash in DASHES]
MARKERS = ["o", "s", "^", "D", "v", "x", "+", "P", "*"]
HATCHES = ["", "//", "||", "xx", "\\\\", "--", "/", "++", ".."]
UNITS = [("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)]

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


def hide_unused(axes, used, xlabel, ylabel):
    """Panels beyond those used; the lowest of each column carries the name of x, the first of each
    row that of y."""
    for axis in list(axes.flat)[used:]:
        axis.set_visible(False)
    for column in axes.T:
        lowest = [axis for axis in column if axis.get_visible()][-1:]
        for axis in lowest:
            axis.set_xlabel(xlabel)
            axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel(ylabel)


class _LogTicks(ticker.LogLocator):
    """At each decade; at 1 and 3, at 1, 2 and 5 or at every digit where there are fewer decades."""

    close = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)

    def __init__(self, few):
        super().__init__()
        self.steps = [(1e3, (1,)), (10, (1, 3))] if few else [(1e4, (1,)), (1e3, (1, 3))]
        self.steps += [(12, (1, 2, 5))] + ([(2.5, (1, 2, 3, 5))] if few else [])

    def tick_values(self, vmin, vmax):
        fitting = [subs for least, subs in self.steps if vmax / vmin >= least]
        self.set_params(subs=fitting[0] if fitting else self.close, numticks=20)
        return super().tick_values(vmin, vmax)


def log_scale(axis, which, few=False):
    """Ticks as plain numbers; `few` in a small panel."""
    axis.set(**{which + "scale": "log"})
    ticks = getattr(axis, which + "axis")
    ticks.set_major_locator(_LogTicks(few))
    ticks.set_minor_locator(ticker.NullLocator())
    ticks.set_major_formatter(lambda value, _: f"{value:g}")


def seconds_scale(axis, which):
    """Each tick with a unit of its own: 10 µs, 1 ms."""
    log_scale(axis, which, few=True)
    ticks = getattr(axis, which + "axis")
    ticks.set_major_formatter(lambda value, _: seconds_text(value, "{:g}".format))


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
    far = max(len(far_levels(axis)) for axis, _ in highest)
    for axis, high in highest:
        axis.set_ylim(0, (1.12 + 0.13 * far) * high)


def whole_decades(axis):
    """A logarithmic y from one power of ten to another, so that both ends can be read; with room
    for a marker that lies on one."""
    low = math.floor(math.log10(axis.dataLim.minposy))
    high = math.ceil(math.log10(axis.dataLim.y1))
    axis.set_ylim(0.8 * 10.0**low, 1.25 * 10.0 ** max(high, low + 1))


def room_above(axis):
    """On a logarithmic y that all panels share: for names of lines at the top."""
    low, high = axis.get_ylim()
    axis.set_ylim(low, high * (high / low) ** 0.25)


def number(value):
    """Three digits or more, without an exponent where a person would write none."""
    if 1000 <= abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:#.3g}".removesuffix(".")


def seconds_text(seconds, written=number):
    """From 1 to 999 of a unit, to three digits: "17.5 µs"."""
    seconds = float(f"{seconds:.3g}")  # 999.9 µs are 1 ms
    unit, factor = next((u for u in UNITS if seconds >= u[1]), UNITS[-1])
    return f"{written(seconds / factor)} {unit}"


def each_once(things):
    """Those that are told apart by identity, in their order."""
    return list({id(thing): thing for thing in things}.values())


def mark(axis, x, y, **looks):
    """A short line that is seen on white and on a dark bar."""
    outline = [patheffects.withStroke(linewidth=looks["linewidth"] + 1.4, foreground="white")]
    axis.plot(x, y, path_effects=outline, **looks)


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
            legend = self._legend(entries, columns)
            high = self._inches_high(legend)
            figure.set_figheight(figure.get_figheight() + high)
            below += high
        part = below / figure.get_figheight()
        edge = MARGIN / WIDTH
        figure.get_layout_engine().set(rect=(0, part, 1 - edge, 1 - part))
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine(None)  # "none" would have each file drawn twice
        part_names(figure)

    def _inches_high(self, legend):
        """As in the PNG, where letters take whole pixels: a long legend is higher there."""
        usual = self.figure.dpi
        self.figure.set_dpi(PNG_DPI)
        high = legend.get_window_extent(self.figure.canvas.get_renderer()).height / PNG_DPI
        self.figure.set_dpi(usual)
        return high

    def _legend(self, entries, columns):
        """In fewer columns where the names are too long for so many."""
        legend = self.figure.legend(
            [handle for _, handle in entries],
            [label for label, _ in entries],
            loc="lower left",
            bbox_to_anchor=(0.005, 0.0),
            ncol=columns,
            frameon=False,
            borderaxespad=0.3,
            columnspacing=1.2,
        )
        wide = legend.get_window_extent(self.figure.canvas.get_renderer()).width
        if columns == 1 or wide <= WIDTH * self.figure.dpi:
            return legend
        legend.remove()
        return self._legend(entries, columns - 1)

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
            self.figure.savefig(base + ".png", dpi=PNG_DPI, metadata={"Software": None})
        pyplot.close(self.figure)
