# Messages between ranks: time and rate of an exchange over its bytes, a plot for each pattern.
import levels
import style

PATTERNS = ("neighbours", "all-to-all")
PATHS = ("peer", "nccl", "device", "staged")


def _of(side, parameters):
    """The machine and its ranks, by which lines are told apart."""
    ranks, nodes = parameters["ranks"], parameters["nodes"]
    return f"{side.label}, {ranks} ranks" + (f", {nodes} nodes" if nodes > 1 else "")


def _curves(context, pattern):
    """{(machine and ranks, path): (side, one rank a node, table)}; of several runs the latest."""
    found = {}
    for side in context.sides:
        for probe in side.probes("exchange"):
            for path in PATHS:
                table = probe.get("tables", {}).get(f"{pattern}, {path}")
                if table:
                    of = probe["measurements"][0]["parameters"]
                    alone = of["nodes"] == of["ranks"]
                    found[_of(side, of), path] = (side, alone, table)
    return found


def _looks(curves):
    """By path the colour, by machine and ranks line and marker; the colour too where there is one
    path alone."""
    machines = list(dict.fromkeys(of for of, _ in curves))
    paths = [path for path in PATHS if any(path == each for _, each in curves)]
    looks = {}
    for of, path in curves:
        looks[of, path] = style.marked_line(machines.index(of), 3) | {"linewidth": 1.1}
        if len(paths) > 1:
            looks[of, path]["color"] = style.COLOURS[paths.index(path)]
    return looks


def _name(of, path, table):
    """With the figures that stand at the line's ends."""
    latency = style.seconds_text(table["seconds"][0])
    return f"{of}, {path}: {latency}, {style.number(table['gbs'][-1])} GB/s"


def _scales(axes, sizes):
    time, rate = axes.flat
    style.seconds_scale(time, "y")
    style.log_scale(rate, "y", few=True)
    for axis in (time, rate):
        style.whole_decades(axis)
    style.bytes_scale(rate)
    rate.set_xticks(sizes[::2])  # where points are
    time.set_ylabel("time of an exchange")
    rate.set(xlabel="bytes out of a rank in one exchange", ylabel="GB/s out of a rank")


def _networks(axis, curves):
    """Theory of the network, where each rank has a node of its own."""
    sides = style.each_once(side for side, alone, _ in curves.values() if alone)
    known = [(f"{side.label}, network", [side.theory.get("network")]) for side in sides]
    for gbs, text in levels.theories(known):
        levels.level(axis, gbs, text, ha="left")


def _pattern(context, pattern):
    curves = _curves(context, pattern)
    if not curves:
        return None
    figure, axes = style.panels(2, 1, 2.1, sharex=True)
    for key, looks in _looks(curves).items():
        _, _, table = curves[key]
        axes[0, 0].plot(table["bytes"], table["seconds"], label=_name(*key, table), **looks)
        axes[1, 0].plot(table["bytes"], table["gbs"], **looks)
    _scales(axes, sorted({size for _, _, table in curves.values() for size in table["bytes"]}))
    _networks(axes[1, 0], curves)
    return style.Plot(
        "exchange",
        f"Messages between ranks: {pattern}",
        "Medians. Where the time is flat, a message costs its latency; where the rate is flat, the "
        "link is at its limit. The legend has the time of the smallest and the rate of the largest "
        "size. Peer: stores of a kernel; device: MPI with device pointers; staged: over host "
        "memory, on a host by MPI alone.",
        figure,
        [pattern],
    )


def plots(context):
    for pattern in PATTERNS:
        yield _pattern(context, pattern)
