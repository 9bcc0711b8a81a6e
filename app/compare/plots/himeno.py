# Himeno by machine and memory space (thesis 003, figure 5.8), the time of each sweep, and the phases as stacks.
from results import file_name, memory_name, ranks
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
            known = runs.get((side.label, memory_name(run)))
            if known is None or _sweep_count(run) >= _sweep_count(known[1]):
                runs[side.label, memory_name(run)] = (side, run)
    return {problem: list(runs.values()) for problem, runs in found.items()}


def _title(problem):
    size, sweep, executor = problem
    return f"{size}, {sweep}, by the {executor}"


def _bars(context, problem, runs):
    memories = sorted({memory_name(run) for _, run in runs})
    labels = [side.label for side in context.sides if any(side is each for each, _ in runs)]
    figure, axes = style.panels(1, 1, width=max(4.5, 2.2 * len(labels) + 1), height=3.2)
    axis = axes[0, 0]
    width = 0.8 / len(memories)
    highest = max(run["mflops"] for _, run in runs) / 1e3
    for side, run in runs:
        n = memories.index(memory_name(run))
        x = labels.index(side.label) - 0.4 + width * (n + 0.5)
        rate = run["mflops"] / 1e3
        axis.bar(x, rate, width, label=memories[n], **style.bar(n))
        # On the foot of the bar, where no line of a limit passes; above a bar that it would hide.
        foot = 0 if rate > 0.15 * highest else rate
        axis.annotate(
            f"{rate:.4g}\nx {_sweep_count(run)}",
            (x, foot),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=7,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
        limit = run["limit"]["mflops"] / 1e3
        axis.plot(
            [x - width / 2, x + width / 2],
            [limit, limit],
            color="black",
            linewidth=1.4,
            label="one-sweep limit of this memory, measured",
        )
        theory = side.theory.get(THEORY[run["limit"]["kind"]])
        if theory:
            axis.plot(
                [x - width / 2, x + width / 2],
                [theory["gbs"] / BYTES_A_POINT * FLOPS_A_POINT] * 2,
                color="0.5",
                linewidth=1.2,
                linestyle=":",
                label="the same at the theoretical bandwidth",
            )
    axis.set(xticks=range(len(labels)), xticklabels=labels, ylabel="speed (GFLOPS)", xlim=(-0.5, len(labels) - 0.5))
    axis.grid(False, axis="x")
    style.legend(figure, axes, 2)
    return style.Plot(
        file_name("himeno-speed", *problem),
        f"Himeno by memory space: {_title(problem)}",
        "Speed over all sweeps with halo and reduction, and their number. As figure 5.8 of the thesis.",
        figure,
    )


def _sweeps(context, problem, runs):
    sides = [side for side in context.sides if any(side is each for each, _ in runs)]
    figure, axes = style.panels(1, len(sides), width=3.8, sharey=True)
    memories = sorted({memory_name(run) for _, run in runs})
    for axis, side in zip(axes.flat, sides):
        for each, run in runs:
            if each is not side:
                continue
            seconds = run["sweeps"]["seconds"]
            axis.plot(
                range(1, len(seconds) + 1),
                [1e3 * s for s in seconds],
                linewidth=1.1,
                label=memory_name(run),
                marker="o" if len(seconds) < 30 else None,
                markersize=3,
                **style.line(memories.index(memory_name(run))),
            )
        axis.set(title=side.label, xlabel="sweep")
        style.whole_numbers(axis)
        style.log_scale(axis, "y")
    axes[0, 0].set_ylabel("time of a sweep (ms)")
    style.legend(figure, axes, 2)
    return style.Plot(
        file_name("himeno-sweeps", *problem),
        f"Each sweep: {_title(problem)}",
        "Pages that move show in the first sweeps.",
        figure,
    )


def _phases(context, problem, runs):
    names = [f"{side.label}, {memory_name(run)}, x {_sweep_count(run)}" for side, run in runs]
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
