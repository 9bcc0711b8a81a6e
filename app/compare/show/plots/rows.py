# Charts of rows in named groups, as plots.json says: a name, and under it a row for each side, variant or operation.
import textwrap

import style
from items import ends, items, number_of, wanted, words

NAME, GAP = 1.0, 0.35  # heights of a group's name and of the room after it, in rows
ROW = 0.16  # inches
LEAST = 0.9  # inches: of few rows, too
LONGEST = 34  # characters of a row's name; a longer one takes two lines
BESIDE = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "fontsize": style.SMALL}


def by_share(several, least):
    """The names of the parts of several wholes, the largest first, without those that are never more than `least` of
    their whole."""
    shares = {}
    for parts in several:
        for name, part in parts.items():
            shares.setdefault(name, []).append(part / sum(parts.values()))
    return sorted((name for name in shares if max(shares[name]) > least), key=lambda name: -sum(shares[name]))


def at_data(looks):
    return looks | {"xycoords": ("axes fraction", "data")}


def frame(groups, columns, right):
    """A figure with a row for each of `groups`, {name: [row]}, from above, its panels, and the places of the rows,
    {(name, row): y}; one group needs no name. `right` are the characters that stand right of the panels."""
    places, heads, y = {}, {}, 0.0
    for name, rows in groups.items():
        heads[name] = y
        y += NAME if name else 0
        for row in rows:
            more = 0.3 * (len(textwrap.wrap(row, LONGEST)) - 1)
            places[name, row] = y + more
            y += 1 + 2 * more
        y += GAP
    names = ["\n".join(textwrap.wrap(row, LONGEST)) for _, row in places]
    left = 0.15 + 1.05 * style.LETTER * max(len(line) for name in names for line in name.split("\n"))
    room = {"left": left, "right": 0.05 + style.LETTER * right, "name": 0.05, "shared": "y"}
    figure, axes = style.panels(columns, columns, max(LEAST, ROW * y), **room)
    axes[0].set_yticks(list(places.values()), names, linespacing=0.95)
    for axis in axes:
        axis.set_ylim(y - GAP - 0.3, -0.6)
        axis.grid(False, axis="y")
        axis.tick_params(axis="y", labelsize=style.SMALL)
    for name, y in heads.items():
        axes[0].annotate(name, (0, y), **at_data(BESIDE | style.ON_WHITE | {"fontsize": 8, "weight": "bold"}))
    return figure, axes, places


def draw_dot(axis, y, answer, plot, row, number, label):
    """The value with the ends of its spread, under its limit, a short line across the row, and next to published
    ones; open if it comes from a run of fewer steps."""
    looks, value, is_open = style.marker(number, 0, 5.5), row["value"], row.get("extrapolated")
    if row.get(plot.get("limit")):
        label_of_limit = "limit of this memory, measured"
        axis.plot([row[plot["limit"]]] * 2, [y - 0.42, y + 0.42], label=label_of_limit, color="black", linewidth=1.4)
    low, high = ends(row, value)
    if low != high:
        dashes = "--" if row.get("prediction") else "-"
        axis.plot([low, high], [y, y], color=looks["color"], linewidth=1.3, linestyle=dashes)
    looks |= {"linestyle": "none", "markerfacecolor": "white" if is_open else looks["color"]}
    axis.plot([value], [y], label="open: from a run of fewer steps" if is_open else label, **looks)
    for each in answer["published"] if "limit" in plot else ():
        if not each["difference"] and all(each[key] == row[key] for key in ("side", "case", "unit")):
            label = f"published: {each['published']}, {each['source']}"
            axis.plot([each["low"]], [y], label=label, **style.PUBLISHED)


def draw_bars(axis, y, parts, names, number):
    """A bar of the shares of these parts in shades of the side, `names` by the shade; what has room bears its
    name."""
    left, whole = 0.0, sum(parts.values())
    inches = axis.bbox.width / 72
    for name in filter(names.__contains__, parts):
        n = names.index(name)
        share = 100 * parts[name] / whole
        face = style.shade(number, n)
        axis.barh(y, share, 0.84, left, facecolor=face, edgecolor="white", linewidth=0.6)
        if share / 100 * inches > style.LETTER * (len(name) + 1):
            dark = 0.3 * face[0] + 0.6 * face[1] + 0.1 * face[2] < 0.55
            looks = {"ha": "center", "va": "center", "fontsize": 7, "color": "white" if dark else "black"}
            axis.text(left + share / 2, y, name, **looks)
        left += share


def charts(answer, name, plot):
    """A row for each value of the columns `row`, in groups by `under`, of which `most` are shown. `panels`: dots of
    `column`, of several sides their ratio to the first, and bars of the shares of `bars`."""
    groups, found = {}, [(side, row) for side, row in items(answer, name, plot) if wanted(row, plot)]
    found = [each for each in found if plot.get("bars", "column") in each[1] and (each[1]["value"] or 0) > 0]
    found = [each for each in found if each[1]["column"] == plot["column"]]
    for side, row in found:
        of = groups.setdefault(words(row, plot["under"]), {}).setdefault(words(row, plot["row"]), {})
        of.setdefault(side, row)
    if "most" in plot:
        groups = dict(sorted(groups.items(), key=lambda group: -len(group[1]))[: plot["most"]])
    if not groups:
        return
    every = list(dict.fromkeys(side for side, _ in found))
    places = 1 if plot["row"] == ["side"] else len(every)  # of a row
    panels = [panel for panel in plot["panels"] if panel != "ratio" or len(every) > 1]
    names = by_share([row[plot["bars"]] for _, row in found], plot["least"]) if "bars" in plot else []
    figure, (*_, last), rows = frame(groups, len(panels), plot["right"])
    axes = dict(zip(panels, figure.axes))
    for (group, row), y in rows.items():
        of = groups[group][row]
        for side in of:
            n, number, item = every.index(side), number_of(answer, side), of[side]
            at = y + (0.5 * (n % places + 0.5) / places - 0.25)
            if "dots" in axes:
                draw_dot(axes["dots"], at, answer, plot, item, number, side if places > 1 else None)
            if "ratio" in axes and n and every[0] in of:
                ratio = {"column": "", "value": item["value"] / of[every[0]]["value"]}
                draw_dot(axes["ratio"], at, answer, {}, ratio, number, None)
            if "bars" in axes:
                draw_bars(axes["bars"], at, item[plot["bars"]], names, number)
            numbers = {key: style.number(cell) if isinstance(cell, float) else cell for key, cell in item.items()}
            last.annotate(plot["beside"].format(**numbers), (1, y), **at_data(BESIDE))
    if "ratio" in axes:
        axes["ratio"].axvline(1, color="0.6", linewidth=0.8)
        low, high = axes["ratio"].get_xlim()
        axes["ratio"].set(xlabel=f"times {every[0]}", xlim=(min(low, 0.9), max(high, 1.1)))
        axes["ratio"].locator_params("x", nbins=4)
    if "bars" in axes:
        for n, part in enumerate(names):
            axes["bars"].barh(0, 0, facecolor=style.shade(None, n), label=part)
        axes["bars"].set(xlabel="share of the time (%)", xlim=(0, 100))
    if "dots" in axes:
        log = style.log_scale(axes["dots"], "x", 6 if len(axes) == 1 else 3)
        axes["dots"].set_xlabel(plot["xlabel"].format(**item) + log)
    yield style.Plot(name, figure, problem=answer.get("problem"), what=answer.get("problem_title"))
