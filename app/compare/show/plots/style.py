# The looks of all plots: one width, which a phone shows without shrinking; readable in grey, by
# lightness, line style, marker and hatch; axes with units; a title within each picture.
import io
import json
import math
import os
import re
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import font_manager, pyplot, ticker, transforms  # noqa: E402  (the backend comes first)

WIDTH = 5.2  # inches: 374 points, so that 9 points of text are 9 pixels on a screen of 400
LETTERS = 82  # of a legend in that width
PNG_DPI = 160
# Viridis from dark to light: its lightness rises steadily, so the order survives a grey print.
SHADES = (0.0, 0.45, 0.68, 0.82, 0.24, 0.56, 0.9, 0.12)
COLOURS = [matplotlib.colormaps["viridis"](x) for x in SHADES]
DASHES = [(5, 1), (3, 1, 1, 1, 1, 1), (1, 1), (8, 2), (4, 1, 1, 1)]
LINES = ["-", "--", "-.", ":"] + [(0, dash) for dash in DASHES]
MARKERS = ["o", "s", "^", "D", "v", "x", "+", "P", "*"]
HATCHES = ["", "//", "||", "xx", "\\\\", "--", "/", "++", ".."]
SMALL = 7.5  # points

pyplot.style.use(os.path.join(os.path.dirname(__file__), "plots.mplstyle"))
# Letters that DejaVu Sans has not, as those of Japanese, come from one of these (matplotlib 3.6 and newer).
FALLBACKS = (
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "TakaoPGothic",
    "VL PGothic",
    "Hiragino Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK KR",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
)
INSTALLED = {font.name for font in font_manager.fontManager.ttflist}
pyplot.rcParams["font.family"] = ["sans-serif", *(f for f in FALLBACKS if f in INSTALLED)]
if "text.parse_math" in pyplot.rcParams:  # since matplotlib 3.6
    # A name out of a file may have a dollar sign, and is no formula.
    pyplot.rcParams["text.parse_math"] = False


def of(looks, number):
    return looks[number % len(looks)]


def line(number):
    return {"color": of(COLOURS, number), "linestyle": of(LINES, number)}


def marker(number, size=4.5):
    return {"color": of(COLOURS, number), "marker": of(MARKERS, number), "markersize": size}


def marked_line(number, size=3.5):
    return line(number) | marker(number, size)


def bar(number):
    looks = {"facecolor": of(COLOURS, number), "hatch": of(HATCHES, number)}
    return looks | {"edgecolor": "white", "linewidth": 0.6}


def matrix(axis, cells, down, across, write, ends, less):
    """A map of {(row, column): value}, `ends` the least and the most of all panels: the lighter a
    cell, the better; less is better, or more. Values within a factor of two are nearly alike."""
    low, most = ends
    for y, row in enumerate(down):
        for x, column in enumerate(across):
            value = cells.get((row, column))
            worse = math.log(value / low if less else most / value) if value else 0
            share = worse / max(math.log(2), math.log(most / low))
            face = matplotlib.colormaps["viridis"](1 - 0.9 * share) if value else "white"
            axis.add_patch(pyplot.Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="white"))
            looks = {"ha": "center", "va": "center", "fontsize": SMALL}
            looks["color"] = "white" if value and share > 0.55 else "black"
            axis.text(x, y, write(value) if value else "-", **looks)
    axis.set(xlim=(-0.5, len(across) - 0.5), ylim=(len(down) - 0.5, -0.5))
    axis.set_xticks(range(len(across)), across)
    axis.set_yticks(range(len(down)), down)
    axis.grid(False)


def panels(rows, columns, height=2.3, **more):
    """Panels of `height` inches that share the width of all plots."""
    more |= {"figsize": (WIDTH, height * rows), "squeeze": False, "constrained_layout": True}
    return pyplot.subplots(rows, columns, **more)


def tiles(count, height, columns=2, **share):
    """`count` panels in at most `columns` columns, which share the scales of x and y."""
    columns = min(columns, count)
    return panels(-(-count // columns), columns, height, **{"sharex": True, "sharey": True} | share)


def name_panel(axis, title, axes):
    """A title that fits over one of these panels."""
    axis.set_title("\n".join(textwrap.wrap(title, 40 // axes.shape[1] + 8)), loc="left")


def name_axes(axes, used, xlabel, ylabel):
    """Panels beyond those used are hidden; the lowest of each column carries the name of x, the
    first of each row that of y."""
    for axis in list(axes.flat)[used:]:
        axis.set_visible(False)
    for column in axes.T:
        for axis in [axis for axis in column if axis.get_visible()][-1:]:
            axis.set_xlabel(xlabel)
            axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel(ylabel)


def log_scale(axis, which, few=False):
    """Once all is drawn: ticks at each decade, and between them where there are few decades, as
    plain numbers; `few` in a small panel."""
    axis.set(**{which + "scale": "log"})
    low, high = getattr(axis, f"get_{which}lim")()
    if high < 2 * low:  # differences of a few per cent look like that
        low, high = (low * high / 2) ** 0.5, (low * high * 2) ** 0.5
        axis.set(**{which + "lim": (low, high)})
    decades = math.log10(high / low) * (0.6 if few else 1)
    kinds = [(3.5, (1,)), (1.4, (1, 3)), (0.5, (1, 2, 5)), (0, (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8))]
    subs = next(subs for least, subs in kinds if decades >= least)
    ticks = getattr(axis, which + "axis")
    ticks.set_major_locator(ticker.LogLocator(subs=subs, numticks=20))
    ticks.set_minor_locator(ticker.NullLocator())
    ticks.set_major_formatter(lambda value, _: re.sub(r"e([+-])0*", r"e\1", f"{value:g}").replace("e+", "e"))


def bytes_scale(axis):
    """x in bytes, doubled from tick to tick or more; their names end at their ticks."""
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(ticker.LogLocator(base=2, numticks=5))
    axis.xaxis.set_major_formatter(lambda size, _: size_text(size))
    axis.xaxis.set_minor_formatter(ticker.NullFormatter())  # it would write formulas
    axis.tick_params(axis="x", rotation=30)
    pyplot.setp(axis.get_xticklabels(), ha="right", rotation_mode="anchor")


def number(value):
    """Three digits or more, without an exponent where a person would write none."""
    if 1000 <= abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:#.3g}".removesuffix(".")


def size_text(size):
    """In powers of two or of ten, whichever is the rounder number: "1 GiB", "4 GB"."""
    texts = []
    for base, units in ((1024, "B KiB MiB GiB"), (1000, "B kB MB GB")):
        power = min(3, max(0, math.floor(math.log(max(size, 1), base) + 1e-9)))
        texts.append(f"{size / base**power:.4g} {units.split()[power]}")
    return min(texts, key=lambda text: len(text.split()[0]))


def file_name(*parts):
    """Of a plot: the parts, without what a shell or a file system would mind; "1 GiB" is 1GiB."""
    text = re.sub(r"(\d) ([kKMG]i?B)\b", r"\1\2", "-".join(map(str, parts)))
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


def level(axis, x, text):
    """An upright line for a capacity, with its name at its foot."""
    looks = {"color": "0.35", "linewidth": 0.9, "linestyle": (0, (6, 2)), "zorder": 1}
    axis.axvline(x, **looks)
    at = axis.get_xaxis_transform()
    looks = {"rotation": 90, "ha": "right", "va": "bottom", "fontsize": SMALL, "color": "0.25"}
    axis.text(x, 0.02, f"{text} ", transform=at, **looks)


# What plots.json does not say of a plot is as in the one that it is `like`, or as usual.
USUAL = {"lead": False, "columns": 3, "line": [], "panel": [], "scales": "", "ylabel": "GB/s", "only": {}, "level": {}}
with open(os.path.join(os.path.dirname(__file__), "plots.json"), encoding="utf-8") as file:
    PLOTS = json.load(file)  # {name: title, caption, ...} of all plots, in the order of the page
    PLOTS = {name: USUAL | PLOTS.get(plot.get("like"), {}) | plot for name, plot in PLOTS.items()}


class Plot:
    """A drawn figure: title, a caption that says how to read it and cites sources as [key], as
    plots.json has them with these values, and a legend under all panels. `name` is what --only
    takes; `of_many` tells plots of one name apart; a plot that leads stands above the tables of the
    page."""

    def __init__(self, name, figure, of_many=(), **values):
        words = PLOTS[name]
        self.name = "-".join((name, *(file_name(each) for each in of_many)))
        self.title = words["title"].format(**values)
        self.caption = words["caption"].format(**values)
        self.figure, self.lead = figure, words["lead"]
        lines = textwrap.wrap(self.title, 58, break_on_hyphens=False)
        figure.suptitle("\n".join(lines), x=0.01, ha="left")
        figure.get_layout_engine().execute(figure)  # once for all files: it takes most of the time
        figure.set_layout_engine(None)
        self.below = self._legend(words["columns"])

    def _legend(self, columns):
        """Under the figure, in as many columns as its names allow. Gives its height in inches."""
        entries = {}
        for axis in self.figure.axes:
            for handle, label in zip(*axis.get_legend_handles_labels()):
                entries.setdefault(label, handle)
        if not entries:
            return 0.0
        longest = max(len(line) for label in entries for line in label.split("\n"))
        legend = self.figure.legend(
            entries.values(),
            entries.keys(),
            loc="upper left",
            bbox_to_anchor=(0.005, 0.0),
            ncol=max(1, min(columns, LETTERS // (longest + 6))),
            frameon=False,
            borderaxespad=0.3,
            columnspacing=1.2,
        )
        return legend.get_window_extent(self.figure.canvas.get_renderer()).height / self.figure.dpi

    def save(self, folder, kinds):
        base = os.path.join(folder, self.name)
        box = transforms.Bbox([[0, -1.1 * self.below], self.figure.get_size_inches()])
        # Without a date, equal results give equal files.
        metadata = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
        for kind in kinds:
            more = {"dpi": PNG_DPI, "bbox_inches": box, "metadata": metadata[kind]}
            # By a buffer: on a full disk the PDF writer of Debian 13's matplotlib ended in an AttributeError.
            image = io.BytesIO()
            self.figure.savefig(image, format=kind, **more)
            with open(f"{base}.{kind}", "wb") as file:
                file.write(image.getbuffer())
        pyplot.close(self.figure)
