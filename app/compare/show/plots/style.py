# The looks of all plots: one width, which a phone shows without shrinking; a side has one colour on all of
# them; measured is solid, predicted dashed; axes with units; a title within each picture.
import io
import json
import logging
import math
import os
import re
import textwrap

import matplotlib
from matplotlib import colors, ticker, transforms
from matplotlib.figure import Figure

HERE = os.path.dirname(os.path.abspath(__file__))
matplotlib.rc_file(os.path.join(HERE, "plots.mplstyle"))  # and the user's own settings are gone
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # fonts that this machine has not

WIDTH = 5.2  # inches: 374 points, so that 9 points of text are 9 pixels on a screen of 400
LETTER = 0.06  # inches: of small text, in the mean
LINE = 8.6  # points: of small text
SMALL = 7.5  # points
PNG_DPI = 160
# Okabe and Ito's colours, which people with colour-blindness tell apart; the pale ones last.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
SHADES = (0, -0.6, 0.4, -0.3, 0.6, -0.8, 0.2, 0.75)  # towards black, or white
GREY = "0.4"
ON_WHITE = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.3}}
PUBLISHED = {"color": "0.35", "marker": "<", "markersize": 5, "linestyle": "none"}


def of(looks, number):
    return looks[number % len(looks)]


def shade(side, number):
    """Of the side's colour; of no side grey."""
    towards = of(SHADES, number)
    red_green_blue = colors.to_rgb(GREY if side is None else of(COLOURS, side))
    return [c + (1 - c) * towards if towards > 0 else c * (1 + towards) for c in red_green_blue]


def dark(side, number):
    """The same for letters."""
    return [c * (0.65 if of(SHADES, number) > 0.3 else 1) for c in shade(side, number)]


def marker(side, number=0, size=4.5):
    return {"color": shade(side, number), "marker": of(MARKERS, number), "markersize": size}


def line(side, number=0, size=2.5):
    return marker(side, number, size) | {"linewidth": 1.2}


def panels(count, columns, high, left=0.62, right=0.1, name=0.2, shared="xy", foot=0.45):
    """A figure and its panels: `high` inches each, with room at the left for the scale, at the right for what
    stands there, above for `name`. Those of a row share y, those of a column x, where `shared` says so."""
    columns = min(columns, count)
    rows = -(-count // columns)
    across, down = 0.1 if "y" in shared else 0.42, 0.1 if "x" in shared else foot - 0.05
    wide = (WIDTH - left - (columns - 1) * across) / columns - right
    tall = rows * (name + high) + (rows - 1) * down + foot
    figure, axes = Figure((WIDTH, tall)), []
    for n in range(count):
        row, column = divmod(n, columns)
        x, y = left + column * (wide + right + across), tall - (row + 1) * (name + high) - row * down
        more = {f"share{which}": axes[0] for which in shared if axes}
        axis = figure.add_axes([x / WIDTH, y / tall, wide / WIDTH, high / tall], label=str(n), **more)
        axis.is_lowest = "x" not in shared or n + columns >= count
        axis.tick_params(labelbottom=axis.is_lowest, labelleft="y" not in shared or not column)
        axes.append(axis)
    return figure, axes


def name_axes(axes, xlabel, ylabel):
    """The panels with numbers of x have its name; the one of y stands once, as it is longer than a panel."""
    for axis in axes:
        if axis.is_lowest:
            axis.set_xlabel(xlabel)
    first = [axis for axis in axes if axis.get_position().x0 == axes[0].get_position().x0]
    first[(len(first) - 1) // 2].set_ylabel(ylabel)


def log_scale(axis, which, most=6, base=10, text=None):
    """Once all is drawn: at least three ticks, as plain numbers or as `text` has them. Gives what the label says
    of it."""
    axis.set(**{which + "scale": "log"})
    low, high = getattr(axis, f"get_{which}lim")()
    least = 2 if base == 10 else base**4
    if high < least * low:  # differences of a few per cent look like that
        low, high = (low * high / least) ** 0.5, (low * high * least) ** 0.5
        axis.set(**{which + "lim": (low, high)})
    powers = [float(base) ** n for n in range(math.floor(math.log(low, base)), math.ceil(math.log(high, base)) + 1)]
    for mantissas in ((1,), (1, 3), (1, 2, 5), [1 + n / 2 for n in range(18)]):
        at = [m * power for power in powers for m in mantissas if low <= m * power <= high]
        if len(at) > 2:
            break
    ticks = getattr(axis, which + "axis")
    ticks.set_major_locator(ticker.FixedLocator(at[:: -(-len(at) // most)]))
    ticks.set_minor_locator(ticker.NullLocator())
    ticks.set_major_formatter(lambda value, _: (text or number_text)(value))
    return ", log scale"


def apart(places, least, low, high):
    """These places, moved as little as it takes to be `least` apart, between low and high."""
    order = sorted(range(len(places)), key=lambda n: places[n])
    found = list(places)
    for before, n in zip([None, *order], order):
        found[n] = max(found[n], low if before is None else found[before] + least)
    for after, n in zip([None, *order[::-1]], order[::-1]):
        found[n] = min(found[n], high if after is None else found[after] - least)
    return found


def label_ends(axis, ends, right=None):
    """Names of lines right of the panel, at the height of their ends: [(x, y, text, colour)]; or so many points
    right of a point, and not above it. Once the scales are set."""
    axis.get_xlim()
    places = [axis.transData.transform((x, y)) for x, y, _, _ in ends]
    low, high = axis.bbox.y0 - 2, axis.bbox.y1 + 2
    if right is None:
        moved = apart([up for _, up in places], LINE, low, high)
    else:
        moved = [-up for up in apart([4 - up for _, up in places], LINE, -high, -low)]
    for (x, y, text, colour), (at, up), to in zip(ends, places, moved):
        far = axis.bbox.x1 - at + 4 if right is None else right
        looks = {"va": "center", "fontsize": SMALL, "color": colour, "textcoords": "offset points"}
        if far > 8:
            looks["arrowprops"] = {"arrowstyle": "-", "color": colour, "linewidth": 0.4, "shrinkA": 0, "shrinkB": 2}
        if right is not None:
            looks |= ON_WHITE
        axis.annotate(text, (x, y), xytext=(far, to - up), annotation_clip=False, **looks)


def number(value):
    """Three digits or more, without an exponent where a person would write none."""
    if 1000 <= abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:#.3g}".removesuffix(".")


def number_text(value):
    return re.sub(r"e([+-])0*", r"e\1", f"{value:.5g}" if value >= 1 else f"{value:g}").replace("e+", "e")


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


# What plots.json does not say of a plot is as in the one that it is `like`, or as usual.
USUAL = {"lead": False, "columns": 2, "line": [], "panel": [], "scales": "", "only": {}, "level": ""}
USUAL |= {"apart": False, "ends": False, "panels": ["dots", "ratio"], "right": 2, "beside": ""}
with open(os.path.join(HERE, "plots.json"), encoding="utf-8") as words:
    PLOTS = json.load(words)  # {name: title, caption, ...} of all plots, in the order of the page
    PLOTS = {name: USUAL | PLOTS.get(plot.get("like"), {}) | plot for name, plot in PLOTS.items()}


class Plot:
    """A drawn figure: title, a caption that says how to read it and cites sources as [key], as plots.json has
    them with these values, and a legend under all panels. `of_many` tells
    plots of one name apart; a plot that leads stands above the tables of the page."""

    def __init__(self, name, figure, of_many=(), **values):
        words = PLOTS[name]
        self.name = "-".join((name, *(file_name(each) for each in of_many)))
        self.title = words["title"].format(**values)
        self.caption = words["caption"].format(**values)
        self.figure, self.lead = figure, words["lead"]
        lines = textwrap.wrap(self.title, 54, break_on_hyphens=False)
        high = figure.get_size_inches()[1]
        figure.text(0.01, 1 + 0.07 / high, "\n".join(lines), va="bottom", size=10, weight="bold")
        above, below = 0.1 + 0.17 * len(lines), self._legend(high)
        self.box = transforms.Bbox([[0, -below], [WIDTH, high + above]])

    def _legend(self, high):
        """Under the figure, in as many columns as its names allow. Gives its height in inches."""
        entries = {}
        for axis in self.figure.axes:
            for handle, label in zip(*axis.get_legend_handles_labels()):
                entries.setdefault(label, handle)
        if not entries:
            return 0.05
        labels = ["\n".join(textwrap.wrap(label, 75)) for label in entries]
        longest = max(len(line) for label in labels for line in label.split("\n"))
        columns = max(1, min(5, len(labels), int(WIDTH / (LETTER * longest + 0.45))))
        self.figure.legend(
            entries.values(), labels, loc="upper left", bbox_to_anchor=(0.0, 0.0), ncol=columns
        )
        rows = -(-len(labels) // columns) + sum(label.count("\n") for label in labels)
        return 0.1 + 0.155 * rows

    def save(self, folder, kinds):
        base = os.path.join(folder, self.name)
        # Without a date, equal results give equal files.
        metadata = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
        for kind in kinds:
            more = {"dpi": PNG_DPI, "bbox_inches": self.box, "metadata": metadata[kind]}
            # By a buffer: on a full disk the PDF writer of Debian 13's matplotlib ended in an AttributeError.
            image = io.BytesIO()
            self.figure.savefig(image, format=kind, **more)
            with open(f"{base}.{kind}", "wb") as file:
                file.write(image.getvalue())
