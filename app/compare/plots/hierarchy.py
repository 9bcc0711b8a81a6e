# Inside the GPU: the latency curve, the fit of shared-memory accesses, and offset and strided copies.
import style


def _course(name):
    """"shared, shared, random line" says one thing twice."""
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
    figure, axes = style.panels(1, len(sides), width=4.6, height=3.4, sharey=True)
    for axis, side in zip(axes.flat, sides):
        for each, name, table in curves:
            if each is side:
                axis.plot(
                    table["footprint_bytes"],
                    table["ns"],
                    linewidth=1.1,
                    label=_course(name),
                    **style.marked_line(names.index(name), 3),
                )
        axis.set(title=side.label, xlabel="footprint")
        style.log_scale(axis, "y")
        style.bytes_scale(axis)
        for level in context.published:
            if level["where"].get("derived", "").endswith(".ns"):
                style.band(axis, level["low"], level["high"], f"{level['label']}, {level['note']}")
    axes[0, 0].set_ylabel("latency of a load (ns)")
    style.legend(figure, axes, 2)
    return style.Plot(
        "latency",
        "Latency over the footprint",
        "One dependent load at a time through a random cycle of lines, or one a page.",
        figure,
    )


def _shared(context, side, probe, loads):
    table, fits = probe["tables"][loads], probe["derived"][loads]
    product = [i * w * c for i, w, c in zip(table["i"], table["w"], table["c"])]
    figure, axes = style.panels(1, 3, width=3.4)
    axes[0, 2].sharey(axes[0, 1])
    axes[0, 0].plot(
        product, table["mean"], ".", markersize=1.5, color=style.COLOURS[1], label="measured", rasterized=True
    )
    paper = fits["paper_fit"]
    ends = [0, max(product)]
    axes[0, 0].plot(
        ends,
        [paper["C1"] * x + paper["C2"] for x in ends],
        color="black",
        linewidth=1.1,
        label=f"{paper['C1']:.4g} iwc + {paper['C2']:.4g}, R² = {paper['r_squared']:.5f}",
    )
    axes[0, 0].set(title=f"{side.label}, {loads}", xlabel="instructions x warps x congestion", ylabel="time (cycles)")
    axes[0, 0].legend(frameon=False, loc="lower right")
    for axis, model, column in (
        (axes[0, 1], "the paper's model", "paper_residual"),
        (axes[0, 2], "the model for Hopper", "hopper_residual"),
    ):
        axis.plot(product, table[column], ".", markersize=1.5, color=style.COLOURS[1], rasterized=True)
        r_squared = fits[column.replace("residual", "fit")]["r_squared"]
        axis.set(
            title=f"what {model} misses, R² = {r_squared:.5f}",
            xlabel="instructions x warps x congestion",
            ylabel="residual (cycles)",
        )
    name = f"shared-{context.sides.index(side) + 1}-{loads.split('-')[0]}"
    return style.Plot(
        name,
        f"Shared-memory accesses, {loads}, {side.label}",
        "All combinations of 1 to 32 instructions, warps and congestion (paper 000), and the two models.",
        figure,
    )


def _copies(context):
    tables = [
        (side, name, table)
        for side in context.sides
        for probe in side.probes("copy")
        for name, table in probe.get("tables", {}).items()
    ]
    names = list(dict.fromkeys(name for _, name, _ in tables))
    if not names:
        return None
    figure, axes = style.panels(1, len(names), width=3.2)
    for axis, name in zip(axes.flat, names):
        for number, side in enumerate(context.sides):
            for each, of, table in tables:
                if each is side and of == name:
                    axis.plot(table["step"], table["gbs"], label=side.label, **style.marked_line(number))
        axis.set(title=name, xlabel="step (elements)")
    style.from_zero(axes.flat)
    axes[0, 0].set_ylabel("bandwidth asked for (GB/s)")
    style.legend(figure, axes)
    return style.Plot(
        "copy-patterns", "Offset and strided copies", "Bytes asked for, read and written (thesis 002, 4.2).", figure
    )


def plots(context):
    yield _latency(context)
    for side in context.sides:
        for probe in side.probes("shared")[-1:]:
            for loads in probe["tables"]:
                yield _shared(context, side, probe, loads)
    yield _copies(context)
