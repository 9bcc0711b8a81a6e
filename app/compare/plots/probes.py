# Plots of membench's probes: tables of what runs over x, what a line and what a panel is; and series by repeat.
import style
from rows import Rows, dot

PHASES = ["device 1", "host", "device 2"]


def of_probe(answer, probe):
    """[(side, row)] of all sides."""
    return [
        (table["side"], row)
        for table in answer.get("probes") or []
        if table["probe"] == probe
        for row in table["rows"]
    ]


def words(row, names):
    return ", ".join(
        f"{row[n]:g} {n}" if isinstance(row[n], (int, float)) else row[n]
        for n in names
        if row.get(n) not in (None, "")
    )


def curves(
    probe,
    title,
    caption,
    x,
    y,
    line,
    panel,
    scales="",
    wanted=lambda row: True,
    xlabel=None,
    ylabel=None,
):
    """A plot of lines: `line` and `panel` are names of columns, `scales` has x and y where logarithmic, b for bytes."""

    def make(answer):
        panels = {}
        names = list(dict.fromkeys(side for side, _ in of_probe(answer, probe)))
        for side, row in of_probe(answer, probe):
            if x in row and y in row and row[x] > 0 and wanted(row):
                of = (side, words(row, line))
                panels.setdefault(words(row, panel), {}).setdefault(of, []).append((row[x], row[y]))
        panels = {
            p: {k: sorted(v) for k, v in of.items() if len(v) > 1} for p, of in panels.items()
        }
        panels = {p: of for p, of in panels.items() if of}
        if not panels:
            return
        columns = 1 if len(panels) == 1 else 2 if len(panels) < 7 else 3
        lines = -(-len(panels) // columns)
        figure, axes = style.panels(
            lines, columns, 2.6 if lines == 1 else 1.8, sharex=True, sharey="y" in scales
        )
        kinds = list(dict.fromkeys(of for p in panels.values() for of in p))
        of_lines = list(dict.fromkeys(text for _, text in kinds))
        for axis, (name, of) in zip(axes.flat, panels.items()):
            for (side, text), points in of.items():
                looks = style.marked_line(
                    names.index(side) if len(of_lines) == 1 else of_lines.index(text), 2.5
                )
                looks["linestyle"] = style.LINES[names.index(side)]
                axis.plot(
                    *zip(*points),
                    label=", ".join(filter(None, (side, text))),
                    **looks | {"linewidth": 1.1},
                )
            axis.set_title(name, loc="left")
            style.log_scale(axis, "y", few=True) if "y" in scales else axis.set_ylim(0, None)
            if "b" in scales:
                style.bytes_scale(axis)
            elif "x" in scales:
                style.log_scale(axis, "x", few=True)
        if "b" in scales and x in ("footprint", "dealt_bytes"):
            for number, side in enumerate(answer["sides"]):
                for axis in list(axes.flat)[: len(panels)] if side["l2_bytes"] else []:
                    style.level(axis, side["l2_bytes"], "" if number else "L2", upright=True)
        style.hide_unused(axes, len(panels), xlabel or x, ylabel or y)
        yield style.Plot(probe, title, caption, figure)

    return make


def dots(probe, title, caption, group, row_of, xlabel, wanted=lambda row: True):
    """A plot of rows: the medians of all sides, under the names of their groups."""

    def make(answer):
        found = [
            (side, row)
            for side, row in of_probe(answer, probe)
            if row["column"] and row["value"] > 0 and wanted(row)
        ]
        names = list(dict.fromkeys(side for side, _ in found))
        groups = {}
        for _, row in found:
            groups.setdefault(words(row, group), {})[words(row, row_of)] = None
        if not groups:
            return
        rows = Rows([(name, list(of)) for name, of in groups.items()])
        figure, axes = rows.panels()
        for side, row in found:
            dot(
                axes[0, 0],
                row["value"],
                rows.y[words(row, group), words(row, row_of)],
                names.index(side),
                side,
            )
        style.log_scale(axes[0, 0], "x")
        axes[0, 0].set(xlabel=xlabel)
        rows.label(axes)
        yield style.Plot(probe, title, caption, figure)

    return make


def series(axis, number, label, row, start=1):
    """All experiments over each other, each with a marker at its start."""
    for n, values in enumerate(row["series"]):
        looks = style.marked_line(number) | {"linewidth": 1.0, "markevery": [0]}
        axis.plot(range(start, start + len(values)), values, label=None if n else label, **looks)


def published(axis, answer, probe, wanted, across=(0, 1)):
    """Published figures whose members are these: a band at their height."""
    for row in answer["published"]:
        if row["probe"] == probe and wanted(row["where"]) and row["unit"] == "GB/s":
            high = row["low"] if row["high"] is None else row["high"]
            looks = {"color": "0.35", "linewidth": 1.0, "linestyle": ":", "zorder": 1}
            for value in {row["low"], high}:
                axis.axhline(value, *across, label=f"published: {row['source']}", **looks)


def patterns(answer):
    found = [(side, row) for side, row in of_probe(answer, "patterns") if row.get("series")]
    for size in sorted({row["bytes"] for _, row in found}):
        kinds = list(
            dict.fromkeys((side, row["memory"]) for side, row in found if row["bytes"] == size)
        )
        figure, axes = style.panels(4, 2, 1.45, sharex=True, sharey=True)
        # The left column is the CPU's, (1) to (4); the right column the GPU's.
        for pattern, axis in enumerate(axes.T.flat, start=1):
            for side, row in found:
                if row["pattern"] == pattern and row["bytes"] == size:
                    series(
                        axis, kinds.index((side, row["memory"])), f"{side}, {row['memory']}", row
                    )
                    axis.set_title(
                        f"({pattern}) {row['source']} to {row['destination']} by {row['executor']}",
                        loc="left",
                    )
            style.log_scale(axis, "x")
            style.log_scale(axis, "y", few=True)
            published(axis, answer, "patterns", lambda where, n=pattern: where.get("pattern") == n)
        style.hide_unused(axes, 8, "repeat", "GB/s")
        yield style.Plot(
            "patterns",
            f"The eight patterns, {style.size_text(size)}",
            "Arrays placed by first touch, copied again and again; bytes read and written. A line that starts low "
            "and rises shows pages that move to who copies. As [tsukuba-thesis-2024] 5.5 and 5.6.",
            figure,
            [style.size_text(size)],
        )


def migration(answer):
    found = [
        (side, row)
        for side, row in of_probe(answer, "migration")
        if row.get("series") and row["phase"] in PHASES
    ]
    for size in sorted({row["bytes"] for _, row in found}):
        of_size = [(side, row) for side, row in found if row["bytes"] == size]
        modes = list(dict.fromkeys(row["mode"] for _, row in of_size))
        kinds = list(dict.fromkeys((side, row["memory"]) for side, row in of_size))
        figure, axes = style.panels(
            len(modes), 1, 1.5 if len(modes) > 1 else 2.3, sharex=True, sharey=True
        )
        for axis, mode in zip(axes.flat, modes):
            start = 1
            for phase in PHASES:
                rows = [(s, r) for s, r in of_size if (r["mode"], r["phase"]) == (mode, phase)]
                if not rows:
                    continue
                for side, row in rows:
                    series(
                        axis,
                        kinds.index((side, row["memory"])),
                        f"{side}, {row['memory']}",
                        row,
                        start,
                    )
                end = start + max(len(values) for _, row in rows for values in row["series"])
                axis.axvline(end - 0.5, color="0.6", linewidth=0.8)
                axis.annotate(
                    f"by {phase}",
                    ((start + end) / 2, 0.03),
                    xycoords=("data", "axes fraction"),
                    ha="center",
                    fontsize=7.5,
                )
                start = end
            axis.set_title(mode, loc="left", weight="bold")
            style.log_scale(axis, "y", few=True)
        style.hide_unused(axes, len(modes), "repeat", "GB/s")
        yield style.Plot(
            "migration",
            f"Migration, {style.size_text(size)}",
            "Copied by the GPU, the CPU and the GPU again, with each of the driver's hints. A low first point of a "
            "phase is the price of moving the pages. As [tsukuba-thesis-2024] 5.7.",
            figure,
            [style.size_text(size)],
        )


def own(row):
    return not row.get("chain", "").startswith("pairs")


PLOTS = [
    ("Pages and migration", "patterns", patterns),
    ("Pages and migration", "migration", migration),
    (
        "Pages and migration",
        "pages",
        dots(
            "pages",
            "Pages: cost before the first use",
            "0.1 ns a byte is 0.1 s a GB; further left is cheaper.",
            ["memory", "pages"],
            ["act"],
            "cost (ns a byte), logarithmic",
        ),
    ),
    (
        "Link and memory",
        "latency",
        curves(
            "latency",
            "Latency of a load over the footprint",
            "One dependent load at a time through a random cycle. Each step upwards is the end of a cache; upright lines: the L2.",
            "footprint",
            "ns",
            ["path", "memory", "touched", "chain"],
            [],
            "yb",
            own,
            "footprint",
            "latency of a load (ns)",
        ),
    ),
    (
        "Link and memory",
        "link",
        curves(
            "link",
            "Bandwidth over the size of a copy",
            "Medians. Where a curve bends is the size from which a copy is worth its start.",
            "bytes",
            "gbs",
            ["memory", "by"],
            ["direction"],
            "yb",
            xlabel="size",
            ylabel="GB/s",
        ),
    ),
    (
        "Link and memory",
        "overlap",
        dots(
            "overlap",
            "Overlap: a copy over the link next to a kernel",
            "Time of each alone and of both at once: both at once as long as the longer one hides the other.",
            ["direction", "work"],
            ["part"],
            "time (s), logarithmic",
        ),
    ),
    (
        "Messages",
        "exchange",
        curves(
            "exchange",
            "Messages between ranks",
            "Where the time is flat, a message costs its latency.",
            "bytes",
            "seconds",
            ["path", "ranks"],
            ["pattern"],
            "yb",
            xlabel="bytes out of a rank",
            ylabel="time (s)",
        ),
    ),
    (
        "Inside the GPU",
        "l2",
        curves(
            "l2",
            "Bandwidth over the footprint: L2 and memory",
            "Streams over the same footprint again and again. Near, far: data of a multiprocessor's own half of the L2, or of the other. As [gpu-benches].",
            "dealt_bytes",
            "gbs",
            ["data"],
            ["operation"],
            "b",
            xlabel="footprint of all arrays",
            ylabel="GB/s",
        ),
    ),
    (
        "Inside the GPU",
        "copy",
        curves(
            "copy",
            "Offset and strided copies",
            "Bytes that the program asks for. A line that falls with the step moves bytes that nobody uses. As [ufrgs-thesis] 4.2.",
            "step",
            "gbs",
            ["side"],
            ["access"],
            "",
            xlabel="step (elements)",
            ylabel="GB/s asked for",
        ),
    ),
    (
        "Instructions",
        "issue",
        curves(
            "issue",
            "Issue: warp instructions a clock over warps",
            "Where a line is flat, latency is hidden; the level is the unit's throughput.",
            "warps",
            "per_clock",
            ["ilp", "placement"],
            ["instruction"],
            "",
            lambda row: row.get("ilp") in (1, 4, 8) and row.get("placement") == "spread",
            xlabel="warps",
            ylabel="a clock",
        ),
    ),
    (
        "Instructions",
        "registers",
        curves(
            "registers",
            "Registers: time of a kernel under a limit of registers",
            "Left of the fall the compiler spills values into memory. As [kepler-article].",
            "limit",
            "seconds",
            ["type", "live"],
            [],
            "y",
            xlabel="registers a thread, at most",
            ylabel="time (s)",
        ),
    ),
    (
        "Instructions",
        "atomics",
        dots(
            "atomics",
            "Atomics: operations a second",
            "All threads on one address, on one a warp, or each on its own (spread). As [kepler-article].",
            ["where", "addresses"],
            ["type", "operation"],
            "operations a second, logarithmic",
            lambda row: row.get("operation") in ("add", "compare and swap"),
        ),
    ),
    (
        "Instructions",
        "warp",
        dots(
            "warp",
            "Warp: sums over a warp and a block, FFTs over a warp",
            "alone: cycles, further left is faster; full: a clock, further right is faster. As [kepler-article].",
            ["load", "scope"],
            ["type", "method"],
            "cycles, or sums a clock; logarithmic",
        ),
    ),
]
