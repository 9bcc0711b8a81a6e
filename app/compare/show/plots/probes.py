# Plots of membench's probes, and of all cases: curves and rows as plots.json says, and the matrix of pairs.
import itertools
import math
import statistics

import style
from rows import Rows, dot, finish

UNSAID = (None, "", "default", "random line")  # cells that are empty, or as usual


def of_probe(answer, probe):
    """[(side, row)] of all sides; where runs of a side differ in an option, it is named, too."""
    return [
        (", ".join(filter(None, (table["side"], row.get("options")))), row)
        for table in answer["probes"]
        if table["probe"] == probe
        for row in table["rows"]
    ]


def items(answer, name, plot):
    """[(side, row)] of what the plot shows: rows of the probe, each repeat of their series (the
    median of all experiments), or cases with the column's value."""
    value = plot.get("column", plot.get("y"))
    if plot.get("of") == "cases":
        cases = [case | {"column": value, "value": case.get(value)} for case in answer["cases"]]
        return [(case["side"], case) for case in cases]
    if plot.get("of") != "repeats":
        return of_probe(answer, name)
    repeats = []
    for side, row in of_probe(answer, name):
        for n, of in enumerate(itertools.zip_longest(*row.get("series", [])), 1):
            of = [each for each in of if each is not None]
            more = {"repeat": n, "size": style.size_text(row["bytes"]), "speeds": [min(of), max(of)]}
            repeats.append((side, row | more | {value: statistics.median(of)}))
    return repeats


def ends(row, value):
    """Between which a value lies: half the width of its interval on both sides, or of a speed those
    of all runs."""
    if "speeds" in row:
        return row["speeds"] if row["column"] in ("speed", "gbs") else (value, value)
    half = min(row.get("half_width") or 0, 0.99)
    return value * (1 - half), value * (1 + half)


def words(row, names):
    """The cells of these columns as a text: numbers with their column's name; or of a format."""
    if isinstance(names, str):
        return names.format(**row)
    cells = [(name, row.get(name)) for name in names]
    return ", ".join(
        cell if isinstance(cell, str) else f"{cell:g} {name}"
        for name, cell in cells
        if cell not in UNSAID
    )


def wanted(row, plot):
    return all(row.get(column, values[0]) in values for column, values in plot["only"].items())


def points_of(answer, probe, plot):
    """{panel: {(side, line): [(x, y, least, most)]}}, of lines with two points or more."""
    found, x, y = {}, plot["x"], plot["y"]
    for side, row in items(answer, probe, plot):
        if (row.get(x) or 0) > 0 and y in row and wanted(row, plot):
            of = found.setdefault(words(row, plot["panel"]), {})
            point = (row[x], row[y], *ends(row, row[y]))
            of.setdefault((side, words(row, plot["line"])), []).append(point)
    found = {p: {k: sorted(v) for k, v in of.items() if len(v) > 1} for p, of in found.items()}
    return {panel: of for panel, of in found.items() if of}


def name_levels(axis, answer, probe, plot, panel):
    """Upright lines where plot has a level, but in panels of others; and on the plateaus of the
    first line their names."""
    level = plot["level"]
    at = [level["at"]] if "at" in level else [side["l2_bytes"] for side in answer["sides"]]
    for number, x in enumerate(dict.fromkeys(at)):
        if x and level and panel not in level.get("but", ()):
            style.level(axis, x, "" if number else level["name"])
    rows = [(side, row) for side, row in of_probe(answer, probe) if "to_bytes" in row and wanted(row, plot)]
    lines = [(side, words(row, plot["line"])) for side, row in rows if words(row, plot["panel"]) == panel]
    last, up = 0, 3
    for side, row in rows:
        if words(row, plot["panel"]) == panel and (side, words(row, plot["line"])) == lines[0]:
            at = (math.sqrt(row["from_bytes"] * row["to_bytes"]), row[plot["y"]])
            up = 11 if up == 3 and at[0] < 8 * last else 3  # a name needs room beside the last one
            looks = {"xytext": (0, up), "textcoords": "offset points", "ha": "center"}
            axis.annotate(row["level"], at, fontsize=style.SMALL, **looks)
            last = at[0]


def curves(answer, probe, plot):
    """Lines of `y` over `x`: a line for each value of the columns `line`, a panel for each of
    `panel`. `scales` has x and y where they are logarithmic, b where x is in bytes."""
    found = points_of(answer, probe, plot)
    if not found:
        return
    scales = plot["scales"]
    sides = list(dict.fromkeys(side for of in found.values() for side, _ in of))
    lines = list(dict.fromkeys(text for of in found.values() for _, text in of))
    columns = 2 if len(found) < 7 else 3
    figure, axes = style.tiles(len(found), 2.6 if len(found) < 3 else 1.8, columns, sharey="y" in scales)
    apart = len(sides) > 1 and len(lines) > 1  # the legend has lines and sides by themselves
    for axis, (panel, of) in zip(axes.flat, found.items()):
        for (side, text), points in of.items():
            number = sides.index(side) if len(lines) == 1 else lines.index(text)
            looks = style.marked_line(number, 2.5) | {"linewidth": 1.1}
            looks["linestyle"] = style.of(style.LINES, sides.index(side))
            x, y, least, most = zip(*points)
            axis.plot(x, y, label=text if apart else ", ".join(filter(None, (side, text))), **looks)
            axis.fill_between(x, least, most, color=looks["color"], alpha=0.25, linewidth=0)
        style.name_panel(axis, panel, axes)
    for number, side in enumerate(sides if apart else ()):
        axis.plot([], [], color="0.3", linestyle=style.of(style.LINES, number), label=side)
    for axis, panel in zip(axes.flat, found):
        name_levels(axis, answer, probe, plot, panel)
        if "y" in scales:
            style.log_scale(axis, "y", few=True)
        else:
            axis.set_ylim(0, None)
        if "b" in scales:
            style.bytes_scale(axis)
        if "x" in scales:
            style.log_scale(axis, "x")
    style.name_axes(axes, len(found), plot["xlabel"], plot["ylabel"])
    yield style.Plot(probe, figure)


def dots(answer, name, plot):
    """The values of all sides: a row for each value of the columns `row`, in groups by `under`. Of
    several columns, `xlabels`, each has a plot."""
    several = plot.get("xlabels", {})
    for column, xlabel in (several or {plot.get("column"): plot["xlabel"]}).items():
        found = [(side, row) for side, row in items(answer, name, plot) if wanted(row, plot)]
        found = [(s, row) for s, row in found if row["column"] and (row["value"] or 0) > 0]
        found = [(s, row) for s, row in found if column in (None, row["column"])]
        if not found:
            continue
        names = list(dict.fromkeys(side for side, _ in found))
        groups = {}
        for _, row in found:
            groups.setdefault(words(row, plot["under"]), {})[words(row, plot["row"])] = None
        rows = Rows(groups)
        figure, axes = rows.panels()
        for side, row in found:
            y = rows.y[words(row, plot["under"]), words(row, plot["row"])]
            dot(axes[0, 0], row["value"], y, names.index(side), side, ends(row, row["value"]))
        finish(rows, axes, xlabel)
        yield style.Plot(name, figure, [xlabel] if several else [])


def peers(answer):
    """A map of the copies between two GPUs, from each to each; a side and kind of copy."""
    found = of_probe(answer, "peers")
    for side, transfer in dict.fromkeys((side, row.get("transfer")) for side, row in found):
        rows = [row for of, row in found if (of, row.get("transfer")) == (side, transfer)]
        rows = [row for row in rows if "gbs" in row and row.get("gpu") != row.get("peer")]
        gpus = sorted({row["gpu"] for row in rows} | {row["peer"] for row in rows})
        if len(gpus) < 2:
            continue
        cells = {(row["gpu"], row["peer"]): row["gbs"] for row in rows}
        figure, axes = style.panels(1, 1, 1.4 + 0.35 * len(gpus))
        axis, ends = axes[0, 0], (min(cells.values()), max(cells.values()))
        style.matrix(axis, cells, gpus, gpus, style.number, ends, less=False)
        axis.xaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set(xlabel="other GPU", ylabel="GPU", aspect="equal")
        yield style.Plot("peers", figure, [side, transfer], side=side, transfer=transfer)


def drawn(answer, name):
    """The plot of this name as plots.json describes it."""
    plot = style.PLOTS[name]
    return curves(answer, name, plot) if "x" in plot else dots(answer, name, plot)


PLOTS = {"peers": peers}
