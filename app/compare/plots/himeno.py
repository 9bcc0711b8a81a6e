# Himeno by machine and memory space (thesis 003, figure 5.8), the time of each sweep, and the phases as stacks.
from results import file_name, ranks
import style

FLOPS_A_POINT, BYTES_A_POINT = 34, 56
THEORY = {"copy": "device_memory", "link": "link_host_to_device", "read stream": "host_memory"}
# In the order in which they run; phases of other programs or under a thousandth of the whole go into the rest.
PHASES = ["allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"]


def _sweep_count(run):
    return len(run["sweeps"]["seconds"])


def _problems(context):
    """{problem: [(side, run)]} of the runs on one rank: of each side and memory the one of the most sweeps."""
    found = {}
    for side in context.sides:
        for run in side.himeno():
            if ranks(run) > 1:
                continue
            runs = found.setdefault((run["size"], run["sweep"], run["exec"]), {})
            known = runs.get((side.label, run["memory"]))
            if known is None or _sweep_count(run) >= _sweep_count(known[1]):
                runs[side.label, run["memory"]] = (side, run)
    return {problem: list(runs.values()) for problem, runs in found.items()}


def _title(problem):
    size, sweep, executor = problem
    return f"{size}, {sweep}, by the {executor}"


def _marks(axis, context, y, side, run):
    """Across one bar: what the memory allows one sweep, by measurement and in theory, and what others published."""
    across = [y - 0.42, y + 0.42]
    limit = run["limit"]["mflops"] / 1e3
    label = "one-sweep limit of this memory, measured"
    style.mark(axis, [limit, limit], across, color="black", linewidth=1.4, label=label)
    ends = [run["mflops"] / 1e3, limit]
    theory = side.theory.get(THEORY[run["limit"]["kind"]])
    if theory:
        ends.append(theory["gbs"] / BYTES_A_POINT * FLOPS_A_POINT)
        label = "the same at the theoretical bandwidth"
        style.mark(axis, ends[-1:] * 2, across, color="0.35", linewidth=1.2, linestyle="--", label=label)
    identity = {name: run[name] for name in ("size", "sweep", "exec")}
    identity |= {"ranks": "1x1x1", "memspace": run["memspace"]["requested"]}  # more ranks are not drawn
    for figure in context.published_for("himeno", identity):
        if figure["unit"] == "GFLOPS":
            at, label = figure["low"], f"published: {figure['label']}"
            style.mark(axis, [at, at], across, color="0.35", linewidth=1.2, linestyle=":", label=label)
    return max(ends)


def _bars(context, problem, runs):
    sides = [side for side in context.sides if any(side is each for each, _ in runs)]
    memories = sorted({run["memory"] for _, run in runs})
    figure, axes = style.panels(len(sides), 1, width=6.8, height=0.7 + 0.3 * len(memories), sharex=True)
    for axis, side in zip(axes.flat, sides):
        for each, run in runs:
            if each is not side:
                continue
            y, rate = memories.index(run["memory"]), run["mflops"] / 1e3
            axis.barh(y, rate, 0.7, **style.bar(y))
            end = _marks(axis, context, y, side, run)
            axis.annotate(f"  {rate:.4g}, {_sweep_count(run)} sweeps", (end, y), va="center", fontsize=7)
        axis.set(title=side.label, yticks=range(len(memories)), yticklabels=memories)
        axis.set_ylim(len(memories) - 0.4, -0.6)  # from above, with room for what this side has not run
        axis.grid(False, axis="y")
        axis.margins(x=0.3)
    axes[-1, 0].set(xlabel="speed (GFLOPS)")
    style.legend(figure, axes, 2)
    return style.Plot(
        file_name("himeno-speed", *problem),
        f"Himeno by memory space: {_title(problem)}",
        "Speed over all sweeps with halo and reduction, and their number. As figure 5.8 of the thesis. Fused sweeps may "
        "pass the limit of one.",
        figure,
    )


def _sweeps(context, problem, runs):
    sides = [side for side in context.sides if any(side is each for each, _ in runs)]
    figure, axes = style.panels(1, len(sides), width=3.8, sharey=True)
    memories = sorted({run["memory"] for _, run in runs})
    in_order = sorted(runs, key=lambda entry: memories.index(entry[1]["memory"]))
    for axis, side in zip(axes.flat, sides):
        for each, run in in_order:
            if each is not side:
                continue
            seconds = run["sweeps"]["seconds"]
            axis.plot(
                range(1, len(seconds) + 1),
                [1e3 * s for s in seconds],
                # Lines on one another: each is thinner than the one under it.
                linewidth=0.9 + 0.5 * (len(memories) - 1 - memories.index(run["memory"])),
                label=run["memory"],
                marker="o" if len(seconds) < 30 else None,
                markersize=3,
                **style.line(memories.index(run["memory"])),
            )
        axis.set(title=side.label, xlabel="sweep")
        style.log_scale(axis, "x")
        style.log_scale(axis, "y")
    axes[0, 0].set_ylabel("time of a sweep (ms)")
    style.legend(figure, axes, 2)
    return style.Plot(
        file_name("himeno-sweeps", *problem),
        f"Each sweep: {_title(problem)}",
        "Both scales are logarithmic. Pages that move show in the first sweeps. Fused sweeps share the time of their pass; "
        "those left over run singly.",
        figure,
    )


def _phases(context, problem, runs):
    names = [f"{side.label}, {run['memory']}, x {_sweep_count(run)}" for side, run in runs]
    figure, axes = style.panels(1, 1, width=7.0, height=0.9 + 0.34 * len(runs))
    axis = axes[0, 0]
    left = [0.0] * len(runs)
    for n, phase in enumerate(PHASES):
        seconds = [run["phases"].get(phase, 0.0) for _, run in runs]
        if max(s / sum(run["phases"].values()) for s, (_, run) in zip(seconds, runs)) < 1e-3:
            continue
        axis.barh(range(len(runs)), seconds, 0.7, left, label=phase, **style.bar(n))
        left = [a + b for a, b in zip(left, seconds)]
    for y, total in enumerate(left):
        axis.annotate(f" {total:.3g} s", (total, y), va="center", fontsize=7)
    axis.set(yticks=range(len(runs)), yticklabels=names, xlabel="time (s)")
    axis.invert_yaxis()
    axis.grid(False, axis="y")
    axis.margins(x=0.12)
    style.legend(figure, axes, 4)
    return style.Plot(
        file_name("himeno-phases", *problem),
        f"Where the time goes: {_title(problem)}",
        "Wall time by phase; phases under a thousandth of every run are left out.",
        figure,
    )


def plots(context):
    for problem, runs in _problems(context).items():
        yield _bars(context, problem, runs)
        yield _sweeps(context, problem, runs)
        yield _phases(context, problem, runs)
