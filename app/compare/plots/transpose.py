# Transpose: the variants by bandwidth, and bandwidth over the size of the matrix
# ([ufrgs-thesis] 4.7 and 4.11).
import energy
import levels
from results import file_name, ranks
from rows import Rows, beside, dot
import style

MARKERS_A_LINE = 10
# The theory that binds a copy, by executor and kind of limit. Over a link it goes both ways.
THEORY = {
    ("device", "copy"): ["device_memory"],
    ("device", "link"): ["link_host_to_device", "link_device_to_host"],
    ("host", "copy"): ["host_memory"],
}


def _problem(run):
    return f"{run['rows']}x{run['columns']}", run["type"], run["operation"], run["memory"]


def _problems(context):
    """{problem: {side: run}} of the runs on one rank that compare variants; of equal ones the last
    counts."""
    found = {}
    for side in context.sides:
        for run in side.of_program("transpose"):
            # The copy is measured with any variant; a comparison of variants has more.
            if len(run["variants"]) > 2 and ranks(run) == 1:
                found.setdefault(_problem(run), {})[side.label] = run
    return found


def _theory(side, run):
    return [side.theory.get(name) for name in THEORY[run["exec"], run["limit"]["kind"]]]


def _variants(context, problem, runs):
    labels = [side.label for side in context.sides]
    names = dict.fromkeys(variant["name"] for run in runs.values() for variant in run["variants"])
    rows = Rows([("", list(names))])
    figure, axes = rows.panels()
    axis = axes[0, 0]
    for label, run in runs.items():
        number = labels.index(label)
        for variant in run["variants"]:
            gbs, y = variant["gbs"], rows.y["", variant["name"]]
            looks = {"color": style.COLOURS[number], "linewidth": 1.2}
            axis.plot([gbs["min"], gbs["max"]], [y, y], **looks)
            dot(axis, gbs["median"], y, number, label)
    for variant in names:
        rates = [
            style.number(each["gbs"]["median"])
            for run in runs.values()
            for each in run["variants"]
            if each["name"] == variant
        ]
        beside(axis, rows.y["", variant], " / ".join(rates))
    sides = [side for side in context.sides if side.label in runs]
    named = [(side.label, _theory(side, runs[side.label])) for side in sides]
    for number, (gbs, text) in enumerate(levels.theories(named)):
        dashes = (0, (6 - 3 * (number % 2), 2))
        axis.axvline(gbs, color="0.35", linewidth=1.0, linestyle=dashes, label=text)
    axis.set(xlabel="bandwidth (GB/s); right: medians", xlim=(0, None))
    rows.label(axes)
    return style.Plot(
        "transpose-variants",
        f"Transpose by variant: {', '.join(problem)}",
        "Bytes read and written; a marker is the median, the line through it minimum and maximum. "
        "A variant near 'copy' loses nothing to the transposition.",
        figure,
        [file_name(*problem)],
    )


def _energy(context, problem, runs):
    energies = {}
    for label, run in runs.items():
        for variant in run["variants"]:
            energies.setdefault(variant["name"], {})[label] = variant.get("energy")
    labels = [side.label for side in context.sides]
    title = f"Transpose: {', '.join(problem)}"
    of = [file_name(*problem)]
    return energy.plot("transpose-energy", title, "transpose", labels, energies, of)


def _by_tile(table):
    """The rows of a sweep of sizes, and apart those of tiles of 16 x 16, as in the thesis, with the
    copy: more lines than that nobody tells apart."""
    small = [row for row in table if row["variant"].endswith("-16")]
    if not table:
        return []
    if not small:
        return [("", table)]
    return [
        ("", [row for row in table if row not in small]),
        ("tiles of 16 x 16", [row for row in table if row["variant"] == "copy"] + small),
    ]


def _sizes(context):
    tables = []
    for side in context.sides:
        for run in side.of_program("transpose"):
            for of_tile, table in _by_tile(run.get("sizes") or []):
                pitch = run["options"].get("pitch")
                named = [side.label, of_tile, f"pitch {pitch}" if pitch else ""]
                tables.append((", ".join(filter(None, named)), table))
    if not tables:
        return None
    figure, axes = style.panels(len(tables), 1, 3.0, sharex=True, sharey=True)
    for axis, (title, table) in zip(axes.flat, tables):
        for number, variant in enumerate(dict.fromkeys(row["variant"] for row in table)):
            points = [(row["size"], row["median"]) for row in table if row["variant"] == variant]
            # Markers of different lines stand at different sizes.
            every = (number, max(1, len(points) // MARKERS_A_LINE))
            looks = style.marked_line(number) | {"linewidth": 0.9, "markevery": every}
            axis.plot(*zip(*points), label=variant, **looks)
        axis.set_title(title, loc="left")
        axis.set_ylabel("bandwidth (GB/s)")
    axes[-1, 0].set_xlabel("rows = columns")
    style.from_zero(axes.flat)
    return style.Plot(
        "transpose-sizes",
        "Transpose over the size of the matrix",
        "Medians. Where both matrices fit the L2, it is the L2 that is seen; beyond it, the "
        "memory. As [ufrgs-thesis] 4.7 and 4.11, whose GB have 1024^3 bytes: 1.074 of these.",
        figure,
        columns=3,
    )


def plots(context):
    for problem, runs in _problems(context).items():
        yield _variants(context, problem, runs)
        yield _energy(context, problem, runs)
    yield _sizes(context)
