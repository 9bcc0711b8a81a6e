# Plots of membench's probes: curves and rows as a table says, and series by repeat.
from dataclasses import dataclass

import style
from rows import Rows, dot

PHASES = ["device 1", "host", "device 2"]
UNSAID = (None, "", "random line")  # cells that are empty, or as usual


def of_probe(answer, probe):
    """[(side, row)] of all sides."""
    return [
        (table["side"], row)
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


@dataclass
class Curves:
    """Lines of `y` over `x`: a line for each value of the columns `line`, a panel for each of
    `panel`. `scales` has x and y where they are logarithmic, b where x is in bytes."""

    probe: str
    title: str
    caption: str
    x: str
    y: str
    line: list
    panel: list
    scales: str
    xlabel: str
    ylabel: str
    wanted: object = lambda row: True

    def points(self, answer):
        """{panel: {(side, line): [(x, y)]}}, of lines with two points or more."""
        found = {}
        for side, row in of_probe(answer, self.probe):
            if row.get(self.x, 0) > 0 and self.y in row and self.wanted(row):
                of = found.setdefault(words(row, self.panel), {})
                point = (row[self.x], row[self.y])
                of.setdefault((side, words(row, self.line)), []).append(point)
        found = {p: {k: sorted(v) for k, v in of.items() if len(v) > 1} for p, of in found.items()}
        return {panel: of for panel, of in found.items() if of}

    def __call__(self, answer):
        found = self.points(answer)
        if not found:
            return
        sides = list(dict.fromkeys(side for of in found.values() for side, _ in of))
        lines = list(dict.fromkeys(text for of in found.values() for _, text in of))
        columns = 1 if len(found) == 1 else 2 if len(found) < 7 else 3
        rows = -(-len(found) // columns)
        share = {"sharex": True, "sharey": "y" in self.scales}
        figure, axes = style.panels(rows, columns, 2.6 if rows == 1 else 1.8, **share)
        for axis, (panel, of) in zip(axes.flat, found.items()):
            for (side, text), points in of.items():
                looks = style.marked_line(
                    sides.index(side) if len(lines) == 1 else lines.index(text), 2.5
                )
                looks |= {"linestyle": style.of(style.LINES, sides.index(side)), "linewidth": 1.1}
                axis.plot(*zip(*points), label=", ".join(filter(None, (side, text))), **looks)
            axis.set_title(panel, loc="left")
        for axis in list(axes.flat)[: len(found)]:
            self.scale(axis, answer)
        style.name_axes(axes, len(found), self.xlabel, self.ylabel)
        yield style.Plot(self.probe, self.title, self.caption, figure)

    def scale(self, axis, answer):
        if "y" in self.scales:
            style.log_scale(axis, "y", few=True)
        else:
            axis.set_ylim(0, None)
        if "b" in self.scales:
            style.bytes_scale(axis)
        if self.x.endswith(("footprint", "dealt_bytes")):
            for number, side in enumerate(answer["sides"]):
                if side["l2_bytes"]:
                    style.level(axis, side["l2_bytes"], "" if number else "L2")


@dataclass
class Dots:
    """The medians of all sides: a row for each value of the columns `row`, in groups by `group`."""

    probe: str
    title: str
    caption: str
    group: list
    row: list
    xlabel: str
    wanted: object = lambda row: True

    def __call__(self, answer):
        found = [
            (side, row)
            for side, row in of_probe(answer, self.probe)
            if row["column"] and row["value"] > 0 and self.wanted(row)
        ]
        if not found:
            return
        names = list(dict.fromkeys(side for side, _ in found))
        groups = {}
        for _, row in found:
            groups.setdefault(words(row, self.group), {})[words(row, self.row)] = None
        rows = Rows(groups)
        figure, axes = rows.panels()
        for side, row in found:
            y = rows.y[words(row, self.group), words(row, self.row)]
            dot(axes[0, 0], row["value"], y, names.index(side), side)
        style.log_scale(axes[0, 0], "x")
        axes[0, 0].set(xlabel=f"{self.xlabel}, logarithmic")
        rows.label(axes)
        yield style.Plot(self.probe, self.title, self.caption, figure)


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
    """(size, [(side, row)], [(side, memory)]) of the rows with a series."""
    found = [(side, row) for side, row in of_probe(answer, probe) if row.get("series")]
    for size in sorted({row["bytes"] for _, row in found}):
        of_size = [(side, row) for side, row in found if row["bytes"] == size]
        yield size, of_size, list(dict.fromkeys((side, row["memory"]) for side, row in of_size))


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
        yield style.Plot(
            "patterns",
            f"The eight patterns, {style.size_text(size)}",
            "Arrays placed by first touch, copied again and again; bytes read and written. A line "
            "that starts low and rises shows pages that move to who copies. As "
            "[tsukuba-thesis-2024] 5.5 and 5.6.",
            figure,
            [style.size_text(size)],
        )


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
        yield style.Plot(
            "migration",
            f"Migration, {style.size_text(size)}",
            "Copied by the GPU, the CPU and the GPU again, with each of the driver's hints. A low "
            "first point of a phase is the price of moving the pages. As [tsukuba-thesis-2024] 5.7.",
            figure,
            [style.size_text(size)],
        )


PAGES = "Pages and migration"
TABLE = {
    PAGES: [
        Dots(
            "pages",
            "Pages: cost before the first use",
            "0.1 ns a byte is 0.1 s a GB; further left is cheaper.",
            group=["memory", "pages"],
            row=["act"],
            xlabel="cost (ns a byte)",
        ),
    ],
    "Link and memory": [
        Curves(
            "latency",
            "Latency of a load over the footprint",
            "One dependent load at a time through a random cycle. Each step upwards is the end of a "
            "cache; upright lines: the L2.",
            x="footprint",
            y="ns",
            line=["path", "memory", "touched", "chain"],
            panel=[],
            scales="yb",
            xlabel="footprint",
            ylabel="latency of a load (ns)",
            wanted=lambda row: not row.get("chain", "").startswith("pairs"),
        ),
        Curves(
            "link",
            "Bandwidth over the size of a copy",
            "Medians. Where a curve bends is the size from which a copy is worth its start.",
            x="bytes",
            y="gbs",
            line=["memory", "by"],
            panel=["direction"],
            scales="yb",
            xlabel="size",
            ylabel="GB/s",
        ),
        Dots(
            "overlap",
            "Overlap: a copy over the link next to a kernel",
            "Time of each alone and of both at once: both at once as long as the longer one hides "
            "the other.",
            group=["direction", "work"],
            row=["part"],
            xlabel="time (s)",
        ),
    ],
    "Messages": [
        Curves(
            "exchange",
            "Messages between ranks",
            "Where the time is flat, a message costs its latency.",
            x="bytes",
            y="seconds",
            line=["path", "ranks"],
            panel=["pattern"],
            scales="yb",
            xlabel="bytes out of a rank",
            ylabel="time (s)",
        ),
    ],
    "Inside the GPU": [
        Curves(
            "l2",
            "Bandwidth over the footprint: L2 and memory",
            "Streams over the same footprint again and again. Near, far: data of a "
            "multiprocessor's own half of the L2, or of the other. As [gpu-benches].",
            x="dealt_bytes",
            y="gbs",
            line=["data"],
            panel=["operation"],
            scales="b",
            xlabel="footprint of all arrays",
            ylabel="GB/s",
        ),
        Curves(
            "copy",
            "Offset and strided copies",
            "Bytes that the program asks for. A line that falls with the step moves bytes that "
            "nobody uses. As [ufrgs-thesis] 4.2.",
            x="step",
            y="gbs",
            line=["side"],
            panel=["access"],
            scales="",
            xlabel="step (elements)",
            ylabel="GB/s asked for",
        ),
        Curves(
            "issue",
            "Issue: warp instructions a clock over warps",
            "Where a line is flat, latency is hidden; the level is the unit's throughput.",
            x="warps",
            y="per_clock",
            line=["ilp"],
            panel=["instruction"],
            scales="",
            xlabel="warps",
            ylabel="a clock",
            wanted=lambda row: row.get("ilp") in (1, 4, 8) and row.get("placement") == "spread",
        ),
        Curves(
            "registers",
            "Registers: time of a kernel under a limit of registers",
            "Left of the fall the compiler spills values into memory. As [kepler-article].",
            x="limit",
            y="seconds",
            line=["type", "live"],
            panel=[],
            scales="y",
            xlabel="registers a thread, at most",
            ylabel="time (s)",
        ),
        Dots(
            "atomics",
            "Atomics: operations a second",
            "All threads on one address, on one a warp, or each on its own (spread). As "
            "[kepler-article].",
            group=["where", "addresses"],
            row=["type", "operation"],
            xlabel="operations a second",
            wanted=lambda row: row.get("operation") in ("add", "compare and swap"),
        ),
        Dots(
            "warp",
            "Warp: sums over a warp and a block, FFTs over a warp",
            "alone: cycles, further left is faster; full: a clock, further right is faster. As "
            "[kepler-article].",
            group=["load", "scope"],
            row=["type", "method"],
            xlabel="cycles, or sums a clock",
        ),
    ],
}
PLOTS = [(PAGES, "patterns", patterns), (PAGES, "migration", migration)]
PLOTS += [(group, plot.probe, plot) for group, plots in TABLE.items() for plot in plots]
