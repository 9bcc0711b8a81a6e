# Levels in plots: theory, limits, capacities and published figures, with their names.
import textwrap

NAMES_STAND = ("axes fraction", "data")


def _name(axis, text, y, x, ha, va="bottom", xycoords=NAMES_STAND, up=0, zorder=3):
    axis.annotate(
        text,
        (x, y),
        xytext=(0, up),
        xycoords=xycoords,
        textcoords="offset points",
        ha=ha,
        va=va,
        fontsize=7.5,
        color="0.25",
        bbox={"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5},
        linespacing=1.0,
        zorder=zorder,
    )


def part_names(figure):
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
            name.xyann = (0, name.xyann[1] + up * points)
            placed.append((box.x0, box.x1, box.y0 + up, box.y1 + up))


def far_levels(axis):
    return [text for text in axis.texts if text.get_gid() == "far"]


FAR = 2.5  # times the highest point: a level beyond would press the points onto zero


def _out_of_scale(axis, value, text):
    """A level far above all points of a linear axis is told, not drawn."""
    drawn = [y for one in axis.lines if not one.get_gid() for y in one.get_ydata()]
    if axis.get_yscale() == "log" or not drawn or value <= FAR * max(drawn):
        return False
    axis.text(
        0.01,
        0.99 - 0.09 * len(far_levels(axis)),
        f"\N{UPWARDS ARROW} {text} (above this scale)",
        transform=axis.transAxes,
        va="top",
        fontsize=7.5,
        color="0.25",
        gid="far",
    )
    return True


def level(axis, value, text, ha="right"):
    """A line across for theory or a limit, named at its right end or its left one."""
    if not _out_of_scale(axis, value, text):
        axis.axhline(value, color="0.35", linewidth=0.9, linestyle=(0, (6, 2)), gid="level")
        _name(axis, text, value, x=1 if ha == "right" else 0.01, ha=ha)


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


def _area(axis, low, high, across=(0, 1), transform=None, label=None):
    """A range from edge to edge, or across this part of x (`transform` of the data)."""
    x = axis.get_yaxis_transform() if transform is None else transform
    if low != high:
        area = {"facecolor": "0.85", "edgecolor": "none", "zorder": 0.5}
        axis.fill_between(across, [low] * 2, [high] * 2, transform=x, **area)
    # The ends of a range, too: ranges may lie in one another.
    for n, value in enumerate(dict.fromkeys((low, high))):
        looks = {"color": "0.35", "linewidth": 1.0, "linestyle": ":", "gid": "level", "zorder": 1.2}
        axis.plot(across, [value] * 2, transform=x, label=None if n else label, **looks)


def band(axis, low, high, text):
    """A published value or range (`high` None: without an upper end), named at its left end."""
    if not _out_of_scale(axis, low, text):
        high = low if high is None else high
        _area(axis, low, high)
        _name(axis, text, high, x=0.01, ha="left", up=1)


def owner(mark):
    """Whose published figure it is, and that its memory is another one."""
    return f"{mark['label']} ({mark['differs']})" if mark["differs"] else mark["label"]


def published_label(text, mark):
    """Of a legend; another memory takes a line of its own."""
    lines = textwrap.wrap(f"published: {text}", 72)
    return "\n".join(lines + ([f"({mark['differs']})"] if mark["differs"] else []))


def small_band(axis, mark, across=None):
    """The same in a small panel: the value alone, on the side where our line does not run; whose
    it is stands in the legend. `across`: a part of x."""
    low = mark["low"]
    high = low if mark["high"] is None else mark["high"]
    label = published_label(mark["label"], mark)
    text = mark["text"]
    if across is None:
        _area(axis, low, high, label=label)
        place = {"x": 0.99, "ha": "right"}
    else:
        _area(axis, low, high, across, axis.transData, label)
        text = text.replace(" against ", "\nagainst ")  # a phase is narrow
        place = {"x": sum(across) / 2, "ha": "center", "xycoords": "data"}
    above = mark["ours"] < low
    # Behind our lines, which it would hide where they run near it.
    place |= {"va": "bottom", "up": 1} if above else {"va": "top", "up": -2}
    _name(axis, text, high if above else low, zorder=1.5, **place)
