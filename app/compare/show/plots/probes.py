# Curves in small panels, as plots.json says, of membench's probes and of what ran.
import math

import memories
import rows
import style
from items import ends, items, number_of, of_probe, wanted, words


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
        of_first = (side, words(row, plot["line"])) == next(iter(lines))
        if "to_bytes" in row and not row["level"].startswith("plateau") and of_first:
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
            looks = style.PUBLISHED | {"label": f"published: {each['source']}", "clip_on": False}
            axis.plot([1], [each["low"]], transform=axis.get_yaxis_transform(), **looks)


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
            looks = [style.dark(number, lines.index(text)) for _, text in of]
            style.label_ends(axis, [(*at, text, color) for at, (_, text), color in zip(last, of, looks)])
    style.name_axes(axes, plot["xlabel"] + log["x"], plot["ylabel"] + log["y"])
    yield style.Plot(probe, figure, problem=answer.get("problem"))


def drawn(answer, name):
    """The plot of this name: of a form of its own, or as plots.json describes it."""
    plot = style.PLOTS[name]
    if name in memories.PLOTS:
        return memories.PLOTS[name](answer)
    return curves(answer, name, plot) if "x" in plot else rows.charts(answer, name, plot)
