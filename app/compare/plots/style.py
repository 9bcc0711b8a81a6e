# The looks of all plots: one width, which a phone shows without shrinking; readable in grey, by
# lightness, line style, marker and hatch; axes with units; a title within each picture.
import os
import re
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import patheffects, pyplot, ticker  # noqa: E402  (the backend comes first)

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
    for axis, high in [(axis, axis.get_ylim()[1]) for axis in axes]:
        axis.set_ylim(0, 1.12 * high)


def number(value):
    """Three digits or more, without an exponent where a person would write none."""
    if 1000 <= abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:#.3g}".removesuffix(".")


def size_text(size):
    """In powers of two or of ten, whichever is the rounder number: "1 GiB", "4 GB"."""
    texts = []
    for units in (
        (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1)),
        (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1)),
    ):
        unit, factor = next((each for each in units if size >= each[1]), units[-1])
        texts.append(f"{size / factor:.4g} {unit}")
    return min(texts, key=lambda text: len(text.split()[0]))


def file_name(*parts):
    """Of a plot: the parts, without what a shell or a file system would mind; "1 GiB" is 1GiB."""
    text = re.sub(r"(\d) ([kKMG]i?B)\b", r"\1\2", "-".join(map(str, parts)))
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


def level(axis, value, text, upright=False):
    """A line for theory, a limit or a capacity, with its name at an end."""
    looks = {"color": "0.35", "linewidth": 0.9, "linestyle": (0, (6, 2)), "zorder": 1}
    (axis.axvline if upright else axis.axhline)(value, **looks)
    if upright:
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
    else:
        axis.text(
            0.99,
            value,
            text,
            transform=axis.get_yaxis_transform(),
            ha="right",
            va="bottom",
            fontsize=7.5,
            color="0.25",
        )


class Plot:
    """A drawn figure: file name, title, a caption that says how to read it, and a legend under
    all panels. `name` is what --only takes; `of` tells plots of one name apart."""

    def __init__(self, name, title, caption, figure, of=(), columns=2, entries=None, lead=False):
        self.name = "-".join((name, *(file_name(each) for each in of)))
        self.title, self.caption, self.figure, self.lead = title, caption, figure, lead
        figure.suptitle(
            "\n".join(textwrap.wrap(title, 58, break_on_hyphens=False)), x=0.01, ha="left"
        )
        self._lay_out(columns, self._entries() if entries is None else entries)

    def _lay_out(self, columns, entries):
        """Once for all files: a layout that is found anew at each drawing takes most of it."""
        figure, below = self.figure, MARGIN
        if entries:
            legend = self._legend(entries, columns)
            usual = figure.dpi
            figure.set_dpi(PNG_DPI)  # letters take whole pixels: a long legend is higher there
            high = legend.get_window_extent(figure.canvas.get_renderer()).height / PNG_DPI
            figure.set_dpi(usual)
            figure.set_figheight(figure.get_figheight() + high)
            below += high
        part = below / figure.get_figheight()
        figure.get_layout_engine().set(rect=(0, part, 1 - MARGIN / WIDTH, 1 - part))
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine(None)  # "none" would have each file drawn twice

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

    def save(self, folder, kinds):
        base = os.path.join(folder, self.name)
        # Without a date, equal results give equal files.
        metadata = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
        for kind in kinds:
            self.figure.savefig(f"{base}.{kind}", dpi=PNG_DPI, metadata=metadata[kind])
        pyplot.close(self.figure)
