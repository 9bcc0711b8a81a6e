# Plots of membench's probes, and of all cases: curves and rows as plots.json says.
import itertools
import math
import re
import statistics

import style
from rows import Rows, dot, number_of

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
    """[(side, row)] of what the plot shows: rows of the probe, each repeat of their series (the median of
    all experiments; those of one line follow each other), or cases."""
    value = plot.get("column", plot.get("y"))
    if plot.get("of") == "cases":
        cases = [case | {"column": value, "value": case.get(value)} for case in answer["cases"]]
        said = r"^transpose |, in one run of \d+ variants"  # of a transpose
        return [(case["side"], case | {"what": re.sub(said, "", case["without_size"])}) for case in cases]
    if plot.get("of") != "repeats":
        return of_probe(answer, name)
    repeats, last = [], {}
    for side, row in of_probe(answer, name):
        row = row | {"size": style.size_text(row["bytes"])}
        line = side, words(row, plot["panel"]), words(row, plot["line"])
        for of in itertools.zip_longest(*row.get("series", [])) if wanted(row, plot) else ():
            of = [each for each in of if each is not None]
            last[line] = last.get(line, 0) + 1
            more = {"repeat": last[line], "speeds": [min(of), max(of)]}
            repeats.append((side, row | more | {value: statistics.median(of)}))
    return repeats


def ends(row, value):
    """Between which a value lies: half the width of its interval on both sides, or of a speed those of all
    runs."""
    if "speeds" in row:
        return row["speeds"] if row["column"] in ("speed", "gbs") else (value, value)
    half = min(row.get("half_width") or 0, 0.99)
    return value * (1 - half), value * (1 + half)


def words(row, names):
    """The cells of these columns as a text: numbers with their column's name; of a format; or the name
    of that of several conditions, {name: {column: value}}, which the row fulfils."""
    if isinstance(names, str):
        return names.format(**row)
    if isinstance(names, dict):
        return next((name for name, of in names.items() if all(row.get(k) == v for k, v in of.items())), None)
    cells = [(name, row.get(name)) for name in names]
    return ", ".join(
        cell if isinstance(cell, str) else f"{cell:g} {name}"
        for name, cell in cells
        if cell not in UNSAID
    )


def wanted(row, plot):
    return all(row.get(column, values[0]) in values for column, values in plot["only"].items())


def points_of(answer, probe, plot):
    """{(panel, side or none): {(side, line): {x: (y, least, most)}}}, of lines with two points or more."""
    found, x, y = {}, plot["x"], plot["y"]
    for side, row in items(answer, probe, plot):
        text = words(row, plot["line"])
        if (row.get(x) or 0) > 0 and y in row and wanted(row, plot) and text is not None:
            panel = words(row, plot["panel"]), side if plot["apart"] else ""
            of = found.setdefault(panel, {})
            of.setdefault((side, text), {})[row[x]] = (row[y], *ends(row, row[y]))
    found = {p: {k: dict(sorted(v.items())) for k, v in of.items() if len(v) > 1} for p, of in found.items()}
    order = list(plot["line"])
    if isinstance(plot["line"], dict):
        found = {p: dict(sorted(of.items(), key=lambda line: order.index(line[0][1]))) for p, of in found.items()}
    return {panel: of for panel, of in found.items() if of}


def name_levels(axis, answer, probe, plot, lines):
    """An upright line for the L2 of each side that the panel shows, and on the plateaus of its first line
    their names."""
    shown = [side for side in answer["sides"] if any(key[0].startswith(side["side"]) for key in lines)]
    sizes = sorted({side["l2_bytes"] for side in shown if plot["level"] and side["l2_bytes"]})
    for number, size in enumerate(sizes):
        axis.axvline(size, color="0.6", linewidth=0.8, zorder=1)
        looks = {"rotation": 90, "ha": "right", "va": "bottom", "fontsize": style.SMALL, "color": "0.3"}
        axis.text(size, 0.02, "" if number else plot["level"], transform=axis.get_xaxis_transform(), **looks)
    up = 3
    for side, row in of_probe(answer, probe):
        if "to_bytes" in row and not row["level"].startswith("plateau") and (side, words(row, plot["line"])) == next(iter(lines)):
            at = (math.sqrt(row["from_bytes"] * row["to_bytes"]), row[plot["y"]])
            looks = {"xytext": (0, up), "textcoords": "offset points", "ha": "center"}
            axis.annotate(row["level"], at, fontsize=style.SMALL, **looks)
            up = 14 - up  # a name needs room beside the last one


def published(axis, answer, probe, plot, panel):
    """Published figures of this panel, whatever their memory and size, a mark each at the right."""
    for each in answer["published"]:
        if (each["probe"], each["unit"], plot["y"]) != (probe, "GB/s", "gbs") or each["difference"]:
            continue
        where = {key: value for key, value in each["where"].items() if key not in ("memory", "bytes")}
        rows = [row for _, row in of_probe(answer, probe) if all(row.get(k) == v for k, v in where.items())]
        if any(wanted(row, plot) and words(row, plot["panel"]) == panel for row in rows):
            looks = {"color": "0.35", "marker": "<", "markersize": 4, "linestyle": "none", "clip_on": False}
            label = f"published: {each['source']}"
            axis.plot([1], [each["low"]], transform=axis.get_yaxis_transform(), label=label, **looks)


def curves(answer, probe, plot):
    """Lines of `y` over `x`: a line for each of `line`, a panel for each of `panel`, of every side where they
    are `apart`. `scales` has x and y where they are logarithmic, b where x is in bytes."""
    found = points_of(answer, probe, plot)
    if not found:
        return
    scales = plot["scales"]
    every = list(dict.fromkeys(key[0] for of in found.values() for key in of))
    lines = list(dict.fromkeys(text for of in found.values() for _, text in of))
    if plot["apart"]:
        found = dict(sorted(found.items(), key=lambda each: [panel for panel, _ in found].index(each[0][0])))
    at_ends = plot["ends"] and len(lines) > 1  # names of lines; a legend has them otherwise
    columns = 1 if at_ends else 3 if plot["apart"] and plot["panel"] and len(every) > 2 else plot["columns"]
    right = 0.12 + style.LETTER * max(map(len, lines)) if at_ends else 0.1
    high = plot.get("high", 1.9 if len(found) < 3 else 1.2)
    figure, axes = style.panels(len(found), columns, high, right=right, shared="xy" if "y" in scales else "x")
    for axis, ((panel, apart), of) in zip(axes, found.items()):
        for (side, text), points in of.items():
            number = number_of(answer, side)
            looks = style.line(number, lines.index(text)) | {"markevery": -(-len(points) // 10)}
            x, (y, *spread) = list(points), zip(*points.values())
            axis.plot(x, y, **looks)
            if any(most > 1.02 * least for least, most in zip(*spread)):
                axis.fill_between(x, *spread, color=looks["color"], alpha=0.2, linewidth=0)
        axis.set_title(", ".join(filter(None, (panel, apart if len(every) > 1 else ""))))
        published(axis, answer, probe, plot, panel)
    if len(every) > 1 and not plot["apart"]:
        for side in every:
            number = number_of(answer, side)
            axes[0].plot([], [], color=style.shade(number, 0), label=side)
    if len(lines) > 1 and not at_ends:
        for n, text in enumerate(lines):
            axes[0].plot([], [], label=text, **style.line(None, n))
    log = {"x": "", "y": ""}
    for axis in axes:
        if "y" in scales:
            log["y"] = style.log_scale(axis, "y", 6 if high > 1.5 else 4)
        else:
            axis.set_ylim(0, None)
        if "b" in scales:
            log["x"] = style.log_scale(axis, "x", 6 if columns == 1 else 4, 2, style.size_text)
        if "x" in scales:
            log["x"] = style.log_scale(axis, "x", 4)
    for axis, of in zip(axes, found.values()):
        name_levels(axis, answer, probe, plot, of)
        if at_ends:
            last = [(list(points)[-1], list(points.values())[-1][0]) for points in of.values()]
            number = number_of(answer, next(iter(of))[0])
            style.label_ends(axis, [(*at, text, style.dark(number, lines.index(text))) for at, (_, text) in zip(last, of)])
    style.name_axes(axes, plot["xlabel"] + log["x"], plot["ylabel"] + log["y"])
    yield style.Plot(probe, figure)


def dots(answer, name, plot):
    """The values of all sides, and of several sides their ratio to the first: a row for each value of the
    columns `row`, in groups by `under`, of which `most` are shown."""
    found = [(side, row) for side, row in items(answer, name, plot) if wanted(row, plot)]
    found = [(side, row) for side, row in found if row["column"] and (row["value"] or 0) > 0]
    found = [each for each in found if each[1]["column"] == plot.get("column", each[1]["column"])]
    groups = {}
    for side, row in found:
        of = groups.setdefault(words(row, plot["under"]), {}).setdefault(words(row, plot["row"]), {})
        of.setdefault(side, row)
    groups = dict(sorted(groups.items(), key=lambda group: -len(group[1]))[: plot["most"]] if "most" in plot else groups.items())
    if not groups:
        return
    every = list(dict.fromkeys(side for side, _ in found))
    rows = Rows(groups, 2 if len(every) > 1 else 1)
    for (group, row), y in rows.y.items():
        of = groups[group][row]
        for n, side in enumerate(every):
            if side in of:
                value = of[side]["value"]
                at = y + (0.5 * (n + 0.5) / len(every) - 0.25)
                number = number_of(answer, side)
                dot(rows.axes[0], value, at, number, side if len(every) > 1 else None, ends(of[side], value))
                if n and every[0] in of:
                    dot(rows.axes[1], value / of[every[0]]["value"], at, number)
    if len(every) > 1:
        rows.axes[1].axvline(1, color="0.6", linewidth=0.8)
        low, high = rows.axes[1].get_xlim()
        rows.axes[1].set(xlabel=f"times {every[0]}", xlim=(min(low, 0.9), max(high, 1.1)))
        rows.axes[1].locator_params("x", nbins=4)
    rows.name_groups()
    rows.axes[0].set(xlabel=plot["xlabel"] + style.log_scale(rows.axes[0], "x", 4 if len(every) < 2 else 3))
    yield style.Plot(name, rows.figure)


def drawn(answer, name):
    """The plot of this name as plots.json describes it."""
    plot = style.PLOTS[name]
    return curves(answer, name, plot) if "x" in plot else dots(answer, name, plot)
