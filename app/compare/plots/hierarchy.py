# Inside the GPU: the latency curve, the bandwidth over the footprint, the fit of shared-memory
# accesses ([hiroshima-shared-memory]), and offset and strided copies ([ufrgs-thesis] 4.2).
import levels
from results import file_name
import style


def _course(name):
    """ "shared, shared, random line" says one thing twice."""
    return ", ".join(dict.fromkeys(name.split(", ")))


def _latency(context):
    curves = [
        (side, name, table)
        for side in context.sides
        for probe in side.probes("latency")
        for name, table in probe.get("tables", {}).items()
        if "footprint_bytes" in table
    ]
    if not curves:
        return None
    sides = [side for side in context.sides if any(side is each for each, _, _ in curves)]
    names = list(dict.fromkeys(name for _, name, _ in curves))
    figure, axes = style.panels(len(sides), 1, 2.6, sharex=True, sharey=True)
    for axis, side in zip(axes.flat, sides):
        for each, name, table in curves:
            if each is side:
                looks = style.marked_line(names.index(name), 2.5) | {"linewidth": 1.1}
                axis.plot(table["footprint_bytes"], table["ns"], label=_course(name), **looks)
        axis.set_title(side.label, loc="left")
        axis.set_ylabel("latency of a load (ns)")
        style.log_scale(axis, "y")
        style.bytes_scale(axis)
        for level in context.published:
            if level["where"].get("derived", "").endswith(".ns"):
                name = f"{level['label']}, {level['note']}: {level['text']}"
                levels.band(axis, level["low"], level["high"], name)
    axes[-1, 0].set_xlabel("footprint")
    return style.Plot(
        "latency",
        "Latency of a load over the footprint",
        "One dependent load at a time through a random cycle of lines, or one a page. Each step "
        "upwards is the end of a cache.",
        figure,
    )


STREAMS = ("read", "write", "copy", "triad")


def _l2(context):
    """A panel an operation; a line for each machine and each choice of data."""
    probes = [(side, probe) for side in context.sides for probe in side.probes("l2")[-1:]]
    kinds = [f"{operation}, {data}" for operation in STREAMS for data in ("all", "near", "far")]
    curves = [
        (side.label, *kind.split(", "), probe["tables"][kind])
        for side, probe in probes
        for kind in kinds
        if kind in probe["tables"]
    ]
    operations = list(dict.fromkeys(operation for _, operation, _, _ in curves))
    if not operations:
        return None
    lines = list(dict.fromkeys((label, data) for label, _, data, _ in curves))
    figure, axes = style.panels(-(-len(operations) // 2), 2, 2.0, sharex=True, sharey=True)
    capacities = {probe["derived"]["l2_bytes"]: side.label for side, probe in probes}
    for axis, operation in zip(axes.flat, operations):
        for label, of, data, table in curves:
            if of == operation:
                looks = style.marked_line(lines.index((label, data)), 2.5) | {"linewidth": 1.1}
                footprints, gbs = table["footprint_bytes"], table["gbs"]
                axis.plot(footprints, gbs, label=f"{label}, {data}", **looks)
        axis.set_title(operation, loc="left")
        style.bytes_scale(axis)
        for capacity, label in capacities.items():
            levels.capacity(axis, capacity, label if len(capacities) > 1 else "L2")
        _published_l2(context, axis, operation)
    style.hide_unused(axes, len(operations), "footprint of all arrays", "GB/s")
    style.from_zero(axes.flat)
    return style.Plot(
        "l2",
        "Bandwidth over the footprint: L2 and memory",
        "Streams over the same footprint again and again; bytes read and written. The upright line "
        "is the capacity of the L2. Near, far: each multiprocessor has only data of its own half "
        "of the L2, or of the other one. As [gpu-benches].",
        figure,
    )


def _published_l2(context, axis, operation):
    for figure in context.published:
        if figure["where"].get("derived", "").startswith(f"gbs.{operation}, all."):
            levels.band(axis, figure["low"], figure["high"], f"{figure['note']}: {figure['text']}")


POINTS = 4096  # of 32768: more are not told apart


def _published_fit(context, loads):
    """C1 and C2 of a published fit to these loads, or nothing."""
    constants = {}
    for figure in context.published:
        name = figure["where"].get("derived", "")
        for constant in ("C1", "C2"):
            if name == f"{loads}.paper_fit.{constant}":
                constants[constant] = figure["low"]
    return constants if len(constants) == 2 else None


def _fit_text(fit):
    return f"{fit['C1']:.4g} iwc {'+' if fit['C2'] >= 0 else '−'} {abs(fit['C2']):.4g}"


def _shared(context, side, probe, loads):
    table, fits = probe["tables"][loads], probe["derived"][loads]
    every = max(1, len(table["i"]) // POINTS) | 1  # odd: combinations come in powers of two
    columns = {name: column[::every] for name, column in table.items()}
    product = [i * w * c for i, w, c in zip(columns["i"], columns["w"], columns["c"])]
    figure, axes = style.panels(3, 1, 1.6, sharex=True)
    looks = {"marker": ".", "linestyle": "none", "markersize": 1.5, "rasterized": True}
    looks["color"] = style.COLOURS[1]
    paper = fits["paper_fit"]
    ends = [0, max(product)]
    axes[0, 0].plot(product, columns["mean"], label="_measured", **looks)
    axes[0, 0].plot(
        ends,
        [paper["C1"] * x + paper["C2"] for x in ends],
        color="black",
        linewidth=1.1,
        label=f"{_fit_text(paper)}, R² = {paper['r_squared']:.5f}",
    )
    axes[0, 0].plot([], [], label="measured", **(looks | {"markersize": 5}))
    theirs = _published_fit(context, loads)
    if theirs:
        axes[0, 0].plot(
            ends,
            [theirs["C1"] * x + theirs["C2"] for x in ends],
            color=style.COLOURS[0],
            linewidth=1.1,
            linestyle="--",
            label=f"published: {_fit_text(theirs)}",
        )
    axes[0, 0].set(ylabel="time (cycles)")
    axes[0, 0].set_title("measured, and the paper's model", loc="left")
    for axis, model, column in (
        (axes[1, 0], "the paper's model", "paper_residual"),
        (axes[2, 0], "the model for Hopper", "hopper_residual"),
    ):
        axis.plot(product, columns[column], **looks)
        r_squared = fits[column.replace("residual", "fit")]["r_squared"]
        axis.set_title(f"measured less {model}, R² = {r_squared:.5f}", loc="left")
        axis.set(ylabel="cycles")
    axes[1, 0].sharey(axes[2, 0])
    axes[2, 0].set(xlabel="instructions x warps x congestion (iwc)")
    return style.Plot(
        "shared",
        f"Shared memory: {loads}, {side.label}",
        "Combinations of 1 to 32 instructions, warps and congestion, one in "
        f"{every}. The flatter the lower panels, the better a model. As [hiroshima-shared-memory].",
        figure,
        [file_name(side.label, loads.replace("-bit loads", ""))],
    )


def _copies(context):
    tables = [
        (side, name, table)
        for side in context.sides
        for probe in side.probes("copy")
        for name, table in probe.get("tables", {}).items()
        if "step" in table
    ]
    names = list(dict.fromkeys(name for _, name, _ in tables))
    if not names:
        return None
    columns = min(2, len(names))
    figure, axes = style.panels(-(-len(names) // columns), columns, 1.8, sharex=True, sharey=True)
    for axis, name in zip(axes.flat, names):
        for number, side in enumerate(context.sides):
            for each, of, table in tables:
                if each is side and of == name:
                    looks = style.marked_line(number, 3)
                    axis.plot(table["step"], table["gbs"], label=side.label, **looks)
        axis.set_title(name, loc="left")
    style.hide_unused(axes, len(names), "step (elements)", "GB/s asked for")
    style.from_zero(axes.flat)
    return style.Plot(
        "copy-patterns",
        "Offset and strided copies",
        "Bytes that the program asks for, read and written. A line that falls with the step moves "
        "bytes that nobody uses. As [ufrgs-thesis] 4.2, whose GB have 1024^3 bytes: 1.074 of these.",
        figure,
    )


def plots(context):
    yield _latency(context)
    yield _l2(context)
    for side in context.sides:
        for probe in side.probes("shared")[-1:]:
            for loads in probe["tables"]:
                yield _shared(context, side, probe, loads)
    yield _copies(context)
