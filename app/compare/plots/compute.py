# Instructions: throughput over warps, sums over a warp, atomic operations, and registers.
import style
from rows import Rows, dot

ILP = (1, 2, 4, 8)  # independent instructions a warp: those that are drawn
QUARTER = ", one quarter"  # the same kind's table of warps that share one scheduler


def _latest(context, name):
    """[(number, side, probe)] of the sides that have the probe."""
    found = [(n, side, side.probes(name)[-1:]) for n, side in enumerate(context.sides)]
    return [(n, side, probes[0]) for n, side, probes in found if probes]


def _issue(context):
    found = _latest(context, "issue")
    tables = dict.fromkeys(name for _, _, probe in found for name in probe.get("tables", {}))
    names = [name for name in tables if not name.endswith(QUARTER)]
    if not names:
        return None
    columns = 3 if len(names) > 2 else len(names)
    lines = -(-len(names) // columns)
    figure, axes = style.panels(lines, columns, 1.35, sharex=True)
    for axis, name in zip(axes.flat, names):
        for number, side, probe in found:
            table = probe["tables"].get(name, {"warps": [], "ilp": [], "per_clock": []})
            for n, ilp in enumerate(ILP):
                points = [
                    (warps, rate)
                    for warps, of, rate in zip(table["warps"], table["ilp"], table["per_clock"])
                    if of == ilp
                ]
                if points:
                    looks = {"color": style.COLOURS[n], "linestyle": style.LINES[number]}
                    label = f"{side.label}, {ilp} at a time"
                    axis.plot(*zip(*sorted(points)), label=label, **looks)
            table = probe["tables"].get(name + QUARTER)
            if table:
                rows = zip(table["warps"], table["ilp"], table["per_clock"])
                points = sorted((warps, rate) for warps, ilp, rate in rows if ilp == max(ILP))
                looks = {"color": "grey", "linestyle": style.LINES[number]}
                label = f"{side.label}, {max(ILP)} at a time, one quarter"
                axis.plot(*zip(*points), label=label, **looks)
        axis.set_title(name.replace(" and ", " + "), loc="left")
        axis.set_ylim(0, None)
        style.whole_numbers(axis)
    style.hide_unused(axes, len(names), "warps", "a clock")
    return style.Plot(
        "issue",
        "Issue: warp instructions a clock over warps",
        "Instructions that one SM starts in a clock, with so many independent ones in each warp. "
        "Where a line is flat, latency is hidden; the level is the unit's throughput. Grey: warps "
        "that share one of the four schedulers.",
        figure,
    )


def _warp(context):
    found = _latest(context, "warp")
    if not found:
        return None
    groups = {}
    for _, _, probe in found:
        for m in probe["measurements"]:
            of = m["parameters"]
            groups.setdefault(f"{of['scope']}, {of['type']}", {})[of["method"]] = None
    rows = Rows([(group, list(methods)) for group, methods in groups.items()])
    figure, axes = rows.panels(2)
    for number, side, probe in found:
        for m in probe["measurements"]:
            of = m["parameters"]
            axis = axes[0, 0 if of["load"] == "alone" else 1]
            y = rows.y[f"{of['scope']}, {of['type']}", of["method"]]
            dot(axis, m["median"], y, number, side.label)
    for axis, label in zip(axes[0], ("alone: cycles a sum or FFT", "full SM: sums or FFTs a clock")):
        style.log_scale(axis, "x", few=True)
        axis.set_xlabel(label)
    rows.label(axes)
    return style.Plot(
        "warp",
        "Warp: sums over a warp and a block, FFTs over a warp, by method",
        "Left: latency of one sum or FFT, further left is faster. Right: throughput of a full "
        "multiprocessor, further right is faster. As [kepler-article].",
        figure,
    )


def _atomics(context):
    found = _latest(context, "atomics")
    measured = [(n, side, m) for n, side, probe in found for m in probe["measurements"]]
    if not measured:
        return None
    parameters = [m["parameters"] for _, _, m in measured]
    groups = {}
    for of in parameters:
        groups.setdefault(f"{of['bits']}-bit", {})[of["operation"]] = None
    memories = list(dict.fromkeys(of["memory"] for of in parameters))
    addresses = list(dict.fromkeys(of["addresses"] for of in parameters))
    rows = Rows([(bits, list(operations)) for bits, operations in groups.items()])
    figure, axes = rows.panels(len(memories))
    for number, side, m in measured:
        of = m["parameters"]
        axis = axes[0, memories.index(of["memory"])]
        y = rows.y[f"{of['bits']}-bit", of["operation"]]
        colour = style.COLOURS[addresses.index(of["addresses"])]
        label = f"{side.label}, {of['addresses']}"
        dot(axis, m["median"] / 1e9, y, number, label, colour=colour)
    for axis, memory in zip(axes[0], memories):
        style.log_scale(axis, "x", few=True)
        axis.set_title(f"{memory} memory", loc="left")
        axis.set_xlabel("operations (10⁹ a second)")
    rows.label(axes)
    return style.Plot(
        "atomics",
        "Atomics: operations a second",
        "All threads on one address, on one address a warp, or each on its own (spread). Further "
        "right is faster; the distance between the colours is the price of sharing an address. As "
        "[kepler-article].",
        figure,
    )


def _registers(context):
    found = _latest(context, "registers")
    names = list(dict.fromkeys(name for _, _, probe in found for name in probe.get("tables", {})))
    if not names:
        return None
    figure, axes = style.panels(1, 1, 2.8)
    axis = axes[0, 0]
    for number, side, probe in found:
        for n, name in enumerate(names):
            table = probe["tables"].get(name)
            if table:
                looks = style.marker(n, 3.5) | {"linestyle": style.LINES[number]}
                milliseconds = [1e3 * seconds for seconds in table["seconds"]]
                axis.plot(table["limit"], milliseconds, label=f"{side.label}, {name}", **looks)
    style.log_scale(axis, "y")
    axis.set(xlabel="registers a thread, at most", ylabel="time (ms)")
    return style.Plot(
        "registers",
        "Registers: time of a kernel under a limit of registers",
        "A kernel that keeps so many values alive. Left of the fall the compiler spills values "
        "into memory. As [kepler-article].",
        figure,
    )


def plots(context):
    for make in (_issue, _warp, _atomics, _registers):
        yield make(context)
