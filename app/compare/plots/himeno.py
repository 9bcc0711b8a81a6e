# Himeno by machine and memory space ([tsukuba-thesis-2024] 5.8), the time of each sweep, the phases
# as stacks, and energy.
import textwrap

import energy
import levels
from results import file_name, ranks
from rows import Rows, beside, dot, stick
import style

FLOPS_A_POINT, BYTES_A_POINT = 34, 56
THEORY = {
    "copy": "device_memory",
    "link": "link_host_to_device",
    "read stream": "host_memory",
}
# In the order in which they run, each with the number of its looks; where one is under a thousandth
# of every run, it is left out.
PHASES = {
    "allocate": 0,
    "initialise": 1,
    "upload": 2,
    "pre-touch": 8,  # came last: the others look as in older pictures
    "sweeps": 3,
    "halo": 4,
    "reduce": 5,
    "download": 6,
    "free": 7,
}
LIMIT = {"color": "black", "linewidth": 1.4}
IN_THEORY = {"color": "0.35", "linewidth": 1.2, "linestyle": (0, (2, 1))}
PUBLISHED = {"color": "0.35", "markerfacecolor": "white", "markersize": 4.5, "linewidth": 0.8}
PUBLISHED_MARKERS = ["v", "^", "<", ">", "d"]  # the machines' are filled, or round


def _sweep_count(run):
    return run["sweep_seconds"].get("count", len(run["sweeps"]["seconds"]))


def _problems(context):
    """{problem: {memory: {side label: (side, run)}}} of the runs on one rank: of each side and
    memory the one of the most sweeps, and of equal ones the last."""
    found = {}
    for side in context.sides:
        for run in side.himeno():
            if ranks(run) > 1:
                continue
            memories = found.setdefault((run["size"], run["sweep"], run["exec"]), {})
            runs = memories.setdefault(run["memory"], {})
            known = runs.get(side.label)
            if known is None or _sweep_count(run) >= _sweep_count(known[1]):
                runs[side.label] = (side, run)
    return {problem: _fastest_first(found[problem]) for problem in found}


def _title(problem):
    size, sweep, executor = problem
    return f"Himeno {size}, {sweep}, by the {executor}"


def _all_runs(memories):
    return [entry for runs in memories.values() for entry in runs.values()]


def _most_sweeps(memories):
    return max(_sweep_count(run) for _, run in _all_runs(memories))


def _whole_rate(run, sweeps):
    """GFLOPS over all phases, had the run gone on to that many sweeps at its median's pace."""
    seconds, total = run["sweeps"]["seconds"], sum(run["phases"].values())
    count, median = _sweep_count(run), sorted(seconds)[len(seconds) // 2]
    giga_flops = run["mflops_end_to_end"] / 1e3 * total / count
    return giga_flops * sweeps / (total + (sweeps - count) * median)


def _fastest_first(memories):
    """By the time of a whole run, as the report ranks them."""
    most = _most_sweeps(memories)

    def slowness(memory):
        return -max(_whole_rate(run, most) for _, run in memories[memory].values())

    return {memory: memories[memory] for memory in sorted(memories, key=slowness)}


def _limits(axis, y, side, run):
    """What the memory allows one sweep, by measurement and in theory."""
    stick(axis, run["limit"]["mflops"] / 1e3, y, "limit of this memory, measured", **LIMIT)
    theory = side.theory.get(THEORY[run["limit"]["kind"]])
    if theory:
        rate = theory["gbs"] / BYTES_A_POINT * FLOPS_A_POINT
        stick(axis, rate, y, "limit, theory", **IN_THEORY)


def _published(axis, rows, marks):
    """`marks`: of each row. Each published figure has a marker of its own; differences stand off
    the speed of ours that they are taken from."""
    names = {}
    for row, of_row in marks.items():
        for mark in of_row:
            ends = [end for end in dict.fromkeys((mark["low"], mark["high"])) if end is not None]
            label = levels.published_label(f"{mark['text']}, {mark['label']}", mark)
            number = names.setdefault(label, len(names)) % len(PUBLISHED_MARKERS)
            looks = PUBLISHED | {"marker": PUBLISHED_MARKERS[number]}
            looks["linestyle"] = "-" if len(ends) > 1 else "none"
            axis.plot(ends, [rows.y[row]] * len(ends), label=label, **looks)


def _grouped(memories):
    return Rows([(memory, list(runs)) for memory, runs in memories.items()])


def _speed(context, problem, memories):
    labels = [side.label for side in context.sides]
    most = _most_sweeps(memories)
    rows = _grouped(memories)
    figure, axes = rows.panels()
    axis = axes[0, 0]
    fewer, marks = False, {}
    for memory, runs in memories.items():
        for label, (side, run) in runs.items():
            y, rate = rows.y[memory, label], run["mflops"] / 1e3
            number = labels.index(label)
            _limits(axis, y, side, run)
            marks[memory, label] = context.beside([(side, run["identity"])])
            whole = _whole_rate(run, most)
            dot(axis, whole, y, number, filled=False)
            dot(axis, rate, y, number)
            star = "" if _sweep_count(run) == most else "*"
            fewer = fewer or star != ""
            beside(axis, y, f"{style.number(rate)} ({style.number(whole)}{star})")
    _published(axis, rows, marks)
    neutral = {"color": "0.3", "marker": "o", "linestyle": "none", "markersize": 4.5}
    axis.plot([], [], label="sweeps alone", **neutral)
    axis.plot([], [], label=f"with set-up, {most} sweeps", markerfacecolor="white", **neutral)
    style.log_scale(axis, "x")
    axis.set(xlabel="speed (GFLOPS), logarithmic; right: sweeps alone (with set-up)")
    rows.label(axes)
    caption = (
        "Full marker: speed of all sweeps with halo and reduction; open marker: with allocation, "
        "first touch, copies and release. The nearer the full marker is to the black line, the "
        "better the program uses this memory. Fused sweeps may pass the limit of one. As "
        "[tsukuba-thesis-2024] 5.8."
    )
    if fewer:
        caption += f" *: extrapolated from a run of fewer sweeps to {most}, at its median's pace."
    if any(marks.values()):
        caption += (
            " Open triangles are published; a published difference stands off the speed here that "
            "it is taken from."
        )
    return style.Plot(
        "himeno-speed",
        f"{_title(problem)}: speed by memory",
        caption,
        figure,
        [file_name(*problem)],
        columns=1 if any(marks.values()) else 2,
    )


def _whole_passes(run):
    """Numbers and times of the sweeps that were kept, without those that are left over from fused
    passes: they run singly."""
    seconds, kind, count = run["sweeps"]["seconds"], run["sweep"].partition(":"), _sweep_count(run)
    numbers = range(1, count + 1, -(-count // len(seconds)))
    last = count - (count % int(kind[2]) if kind[2].isdigit() else 0)
    whole = [(n, s) for n, s in zip(numbers, seconds) if n <= (last or count)]
    return zip(*whole)


def _sweeps(context, problem, memories):
    labels = [side.label for side in context.sides]
    columns = 2 if len(memories) > 1 else 1
    lines = -(-len(memories) // columns)
    high = 2.4 if lines == 1 else 1.3
    figure, axes = style.panels(lines, columns, high, sharex=True, sharey=True)
    for axis, (memory, runs) in zip(axes.flat, memories.items()):
        for label, (_, run) in runs.items():
            numbers, seconds = _whole_passes(run)
            number = labels.index(label)
            looks = style.marked_line(number, 3)
            axis.plot(
                numbers,
                [1e3 * s for s in seconds],
                linewidth=1.1,
                label=label,
                markevery=None if len(seconds) < 30 else [0],
                **looks,
            )
        axis.set_title("\n".join(textwrap.wrap(memory, 40 // columns + 8)), loc="left")
        axis.set(**{"xlim": (0.9, None)})
        style.log_scale(axis, "x")
        style.log_scale(axis, "y", few=True)
    style.hide_unused(axes, len(memories), "sweep", "time (ms)")
    return style.Plot(
        "himeno-sweeps",
        f"{_title(problem)}: each sweep",
        "Time of each sweep, both scales logarithmic. A line that falls after the first sweep "
        "shows pages that move; a flat line shows memory that is read where it lies. Fused sweeps "
        "share the time of their pass; those left over, which run singly, are not drawn.",
        figure,
        [file_name(*problem)],
    )


def _stack(axis, rows, memories, phases):
    for memory, runs in memories.items():
        for label, (_, run) in runs.items():
            y, left = rows.y[memory, label], 0.0
            for phase in phases:
                seconds = run["phases"].get(phase, 0.0)
                axis.barh(y, seconds, 0.8, left, label=phase, **style.bar(PHASES[phase]))
                left += seconds
            beside(axis, y, f"{style.number(left)} s")


def _with_sweeps(memories, count):
    kept = {
        memory: {label: entry for label, entry in runs.items() if _sweep_count(entry[1]) == count}
        for memory, runs in memories.items()
    }
    return {memory: runs for memory, runs in kept.items() if runs}


def _phases(context, problem, memories):
    """A panel for each number of sweeps: times of more sweeps are not to be set beside those of
    fewer."""
    runs = [run for _, run in _all_runs(memories)]
    shown = [
        phase
        for phase in PHASES
        if any(run["phases"].get(phase, 0) > 1e-3 * sum(run["phases"].values()) for run in runs)
    ]
    groups = [
        (count, _with_sweeps(memories, count))
        for count in sorted({_sweep_count(run) for run in runs}, reverse=True)
    ]
    rows = [_grouped(of) for _, of in groups]
    figure, axes = style.panels(
        len(groups),
        1,
        1.0,
        gridspec_kw={"height_ratios": [each.high + 4 for each in rows]},
    )
    figure.set_figheight(sum(0.7 + 0.155 * each.high for each in rows) + 0.3)
    for axis, each, (count, of) in zip(axes, rows, groups):
        _stack(axis[0], each, of, shown)
        axis[0].set_title(f"{count} sweeps", loc="left")
        each.label(axis.reshape(1, 1))
        axis[0].set_xlabel("time (s)")
    return style.Plot(
        "himeno-phases",
        f"{_title(problem)}: where the time goes",
        "Wall time by phase; the figure at the right is the whole run. Each number of sweeps has "
        "an axis of its own. A long 'sweeps' beside a flat line in the plot of each sweep is "
        "computation; where the first sweep is long, pages move.",
        figure,
        [file_name(*problem)],
        columns=4,
    )


def _energy(context, problem, memories):
    energies = {
        memory: {label: run.get("energy") for label, (_, run) in runs.items()}
        for memory, runs in memories.items()
    }
    labels = [side.label for side in context.sides]
    of = [file_name(*problem)]
    return energy.plot("himeno-energy", _title(problem), "sweep", labels, energies, of)


def plots(context):
    problems = _problems(context)
    # The problem with the most runs leads the page.
    first = max(problems, key=lambda problem: len(_all_runs(problems[problem])), default=None)
    for problem in sorted(problems, key=lambda problem: problem != first):
        for make in (_speed, _phases, _sweeps):
            plot = make(context, problem, problems[problem])
            plot.lead = problem == first
            yield plot
        yield _energy(context, problem, problems[problem])
