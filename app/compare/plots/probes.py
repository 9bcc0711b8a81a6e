# Plots of membench's probes: curves and rows as plots.json says, and series by repeat.
import style
from rows import Rows, dot, finish

PHASES = ["device 1", "host", "device 2"]
UNSAID = (None, "", "random line")  # cells that are empty, or as usual


def of_probe(answer, probe):
    """[(side, row)] of all sides; where runs of a side differ in an option, it is named, too."""
    return [
        (", ".join(filter(None, (table["side"], row.get("options")))), row)
        for table in answer["probes"]
        if table["probe"] == probe
        for row in table["rows"]
    ]


def words(row, names):
    """The cells of these columns as a text: numbers with their column's name."""
    cells = [(name, row.get(name)) for name in names]
    return ", ".join(
        cell if isinstance(cell, str) else f"{cell:g} {name}"
        for name, cell in cells
        if cell not in UNSAID
    )


def wanted(row, plot):
    only = plot.get("only", {})
    return all(row.get(column, values[0]) in values for column, values in only.items())


def points_of(answer, probe, plot):
    """{panel: {(side, line): [(x, y)]}}, of lines with two points or more."""
    found, x, y = {}, plot["x"], plot["y"]
    for side, row in of_probe(answer, probe):
        if row.get(x, 0) > 0 and y in row and wanted(row, plot):
            of = found.setdefault(words(row, plot["panel"]), {})
            of.setdefault((side, words(row, plot["line"])), []).append((row[x], row[y]))
    found = {p: {k: sorted(v) for k, v in of.items() if len(v) > 1} for p, of in found.items()}
    return {panel: of for panel, of in found.items() if of}


def curves(answer, probe, plot):
    """Lines of `y` over `x`: a line for each value of the columns `line`, a panel for each of
    `panel`. `scales` has x and y where they are logarithmic, b where x is in bytes."""
    found = points_of(answer, probe, plot)
    if not found:
        return
    scales = plot["scales"]
    sides = list(dict.fromkeys(side for of in found.values() for side, _ in of))
    lines = list(dict.fromkeys(text for of in found.values() for _, text in of))
    columns = 1 if len(found) == 1 else 2 if len(found) < 7 else 3
    rows = -(-len(found) // columns)
    share = {"sharex": True, "sharey": "y" in scales}
    figure, axes = style.panels(rows, columns, 2.6 if rows == 1 else 1.8, **share)
    for axis, (panel, of) in zip(axes.flat, found.items()):
        for (side, text), points in of.items():
            number = sides.index(side) if len(lines) == 1 else lines.index(text)
            looks = style.marked_line(number, 2.5) | {"linewidth": 1.1}
            looks["linestyle"] = style.of(style.LINES, sides.index(side))
            axis.plot(*zip(*points), label=", ".join(filter(None, (side, text))), **looks)
        style.name_panel(axis, panel, columns)
    for axis in list(axes.flat)[: len(found)]:
        if "y" in scales:
            style.log_scale(axis, "y", few=True)
        else:
            axis.set_ylim(0, None)
        if "b" in scales:
            style.bytes_scale(axis)
        for number, side in enumerate(answer["sides"]):
            if plot["x"] in ("footprint", "dealt_bytes") and side["l2_bytes"]:
                style.level(axis, side["l2_bytes"], "" if number else "L2")
    style.name_axes(axes, len(found), plot["xlabel"], plot["ylabel"])
    yield style.Plot(probe, figure)


def dots(answer, probe, plot):
    """The medians of all sides: a row for each value of the columns `row`, in groups by `under`."""
    found = [
        (side, row)
        for side, row in of_probe(answer, probe)
        if row["column"] == plot.get("column", row["column"] or None)
        and row["value"] > 0
        and wanted(row, plot)
    ]
    if not found:
        return
    names = list(dict.fromkeys(side for side, _ in found))
    groups = {}
    for _, row in found:
        groups.setdefault(words(row, plot["under"]), {})[words(row, plot["row"])] = None
    rows = Rows(groups)
    figure, axes = rows.panels()
    for side, row in found:
        y = rows.y[words(row, plot["under"]), words(row, plot["row"])]
        dot(axes[0, 0], row["value"], y, names.index(side), side)
    finish(rows, axes, plot["xlabel"])
    yield style.Plot(probe, figure)


def series(axis, number, label, row, start=1):
    """All experiments over each other, each with a marker at its start."""
    for n, values in enumerate(row["series"]):
        looks = style.marked_line(number) | {"linewidth": 1.0, "markevery": [0]}
        axis.plot(range(start, start + len(values)), values, label=None if n else label, **looks)


def published(axis, answer, pattern):
    """Published figures of this pattern: lines at the ends of their ranges."""
    for row in answer["published"]:
        if row["probe"] == "patterns" and row["where"].get("pattern") == pattern:
            looks = {"color": "0.35", "linewidth": 1.0, "linestyle": ":", "zorder": 1}
            for value in {row["low"], row["high"] or row["low"]}:
                axis.axhline(value, label=f"published: {row['source']}", **looks)


def by_size(answer, probe):
    """(size as a text, [(side, row)], [(side, memory)]) of the rows with a series."""
    found = [(side, row) for side, row in of_probe(answer, probe) if row.get("series")]
    for size in sorted({row["bytes"] for _, row in found}):
        of_size = [(side, row) for side, row in found if row["bytes"] == size]
        kinds = list(dict.fromkeys((side, row["memory"]) for side, row in of_size))
        yield style.size_text(size), of_size, kinds


def patterns(answer):
    for size, found, kinds in by_size(answer, "patterns"):
        figure, axes = style.panels(4, 2, 1.45, sharex=True, sharey=True)
        # The left column is the CPU's, (1) to (4); the right column the GPU's.
        for pattern, axis in enumerate(axes.T.flat, start=1):
            for side, row in found:
                if row["pattern"] == pattern:
                    kind = (side, row["memory"])
                    series(axis, kinds.index(kind), ", ".join(kind), row)
                    text = "({pattern:g}) {source} to {destination} by {executor}".format(**row)
                    axis.set_title(text, loc="left")
            published(axis, answer, pattern)
        for axis in axes.flat:
            style.log_scale(axis, "x")
            style.log_scale(axis, "y", few=True)
        style.name_axes(axes, 8, "repeat", "GB/s")
        yield style.Plot("patterns", figure, [size], size=size)


def migration(answer):
    for size, found, kinds in by_size(answer, "migration"):
        modes = list(dict.fromkeys(row["mode"] for _, row in found))
        high = 1.5 if len(modes) > 1 else 2.3
        figure, axes = style.panels(len(modes), 1, high, sharex=True, sharey=True)
        for axis, mode in zip(axes.flat, modes):
            start = 1
            for phase in PHASES:
                rows = [(s, r) for s, r in found if (r["mode"], r["phase"]) == (mode, phase)]
                for side, row in rows:
                    kind = (side, row["memory"])
                    series(axis, kinds.index(kind), ", ".join(kind), row, start)
                lengths = [len(values) for _, row in rows for values in row["series"]]
                end = start + max(lengths, default=0)
                axis.axvline(end - 0.5, color="0.6", linewidth=0.8)
                at = {"xycoords": ("data", "axes fraction"), "ha": "center"}
                middle = ((start + end) / 2, 0.03)
                axis.annotate(f"by {phase}", middle, fontsize=style.SMALL, **at)
                start = end
            axis.set_title(mode, loc="left", weight="bold")
        for axis in axes.flat:
            style.log_scale(axis, "y", few=True)
        style.name_axes(axes, len(modes), "repeat", "GB/s")
        yield style.Plot("migration", figure, [size], size=size)


def peers(answer):
    """A map of the copies between two GPUs, from each to each; a side and kind of copy."""
    found = of_probe(answer, "peers")
    for side, transfer in dict.fromkeys((side, row.get("transfer")) for side, row in found):
        rows = [row for of, row in found if (of, row.get("transfer")) == (side, transfer)]
        rows = [row for row in rows if "gbs" in row and row.get("gpu") != row.get("peer")]
        gpus = sorted({row["gpu"] for row in rows} | {row["peer"] for row in rows})
        if len(gpus) < 2:
            continue
        most = max(row["gbs"] for row in rows)
        figure, axes = style.panels(1, 1, 1.4 + 0.35 * len(gpus))
        axis = axes[0, 0]
        for row in rows:
            x, y = gpus.index(row["peer"]), gpus.index(row["gpu"])
            share = row["gbs"] / most
            axis.add_patch(style.cell(x, y, style.shade(0.1 + 0.9 * share)))
            looks = {"ha": "center", "va": "center", "color": "black" if share > 0.5 else "white"}
            axis.text(x, y, style.number(row["gbs"]), **looks)
        ticks = [f"{gpu:g}" for gpu in gpus]
        axis.set(xlim=(-0.5, len(gpus) - 0.5), ylim=(len(gpus) - 0.5, -0.5), aspect="equal")
        axis.set_xticks(range(len(gpus)), ticks)
        axis.set_yticks(range(len(gpus)), ticks)
        axis.set(xlabel="other GPU", ylabel="GPU")
        axis.grid(False)
        yield style.Plot("peers", figure, [side, transfer], side=side, transfer=transfer)


def drawn(answer, name):
    """The plot of this name as plots.json describes it."""
    plot = style.PLOTS[name]
    return curves(answer, name, plot) if "x" in plot else dots(answer, name, plot)


PLOTS = {of.__name__: of for of in (patterns, migration, peers)}
