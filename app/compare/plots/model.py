# The model's prediction against the measurement, a point a run; and predictions of machines that
# are only described.
import textwrap

from matplotlib.lines import Line2D

from rows import Rows, beside, dot
import style

BAND = 0.15  # the error that docs/model.md promises for most runs
NAMED = 6  # at most so many runs outside the band are named: the worst


def _error(run):
    return run["predicted"] / run["measured"] - 1


# Of a number from its point, in points: the first place where nothing else stands.
PLACES = [(5, -9), (-12, 3), (5, 3), (-12, -9), (16, -9), (-23, 3), (-1, -16), (-1, 9)]
CLEAR = (8, 9)  # points between the middles of numbers, and of a number and a marker


def _free_place(axis, at, taken):
    """Adds the place to those taken."""
    points = 72 / axis.figure.dpi
    x, y = axis.transData.transform(at) * points
    for place in PLACES:
        middle = (x + place[0] + 3, y + place[1] + 4)
        near = [one for one in taken if all(abs(a - b) < c for a, b, c in zip(one, middle, CLEAR))]
        if not near:
            break
    taken.append(middle)
    return place


def _named(axis, runs):
    """Numbers beside the worst runs, and what they are as entries of a legend."""
    worst = sorted((run for run in runs if abs(_error(run)) > BAND), key=lambda r: -abs(_error(r)))
    entries, points = [], 72 / axis.figure.dpi
    drawn = [(run["measured"], run["predicted"]) for run in runs]
    taken = [tuple(axis.transData.transform(at) * points) for at in drawn]
    for number, run in enumerate(worst[:NAMED], start=1):
        at = (run["measured"], run["predicted"])
        axis.annotate(
            f"{number}",
            at,
            xytext=_free_place(axis, at, taken),
            textcoords="offset points",
            fontsize=8,
            weight="bold",
        )
        text = f"{number}: {run['machine']}: {run['case']}: {100 * _error(run):+.0f} %"
        blank = Line2D([], [], linestyle="none")
        entries += [(line, blank) for line in textwrap.wrap(text, 66, subsequent_indent="    ")]
    return entries


def _predictions(predictions):
    """Time and its causes, a row for each machine and memory space that it serves."""
    memories, causes = {}, []
    machines = [each["machine"] for each in predictions["machines"]]
    for each in predictions["machines"]:
        for of in each["memories"]:
            memories.setdefault(of["memory"], {})[each["machine"]] = of
            large = [name for name, part in of["causes"].items() if part > 0.01 * of["seconds"]]
            causes += [name for name in large if name not in causes]
    fastest = {memory: min(of["seconds"] for of in memories[memory].values()) for memory in memories}
    memories = {memory: memories[memory] for memory in sorted(memories, key=fastest.get)}
    rows = Rows([(memory, list(of)) for memory, of in memories.items()])
    figure, axes = rows.panels(2)
    times, shares = axes[0]
    for memory, of_machines in memories.items():
        for machine, of in of_machines.items():
            y, left = rows.y[memory, machine], 0.0
            number = machines.index(machine)
            times.plot([of["least"], of["most"]], [y, y], linewidth=2.5, color="0.75")
            dot(times, of["seconds"], y, number)
            for name in causes:
                share = 100 * of["causes"][name] / of["seconds"]
                shares.barh(y, share, 0.8, left, label=name, **style.bar(causes.index(name)))
                left += share
            beside(shares, y, f"{style.number(of['seconds'])} s")
    style.log_scale(times, "x", few=True)
    times.set(xlabel="predicted time (s), logarithmic")
    shares.set(xlabel="share of the time (%)", xlim=(0, 100))
    rows.label(axes)
    return style.Plot(
        "prediction",
        f"PREDICTION, not measured: {predictions['what']}",
        "Left: predicted time of a whole run; the grey bar is the band of the model's error. "
        "Right: the causes of that time. Two times whose bands overlap are no different.",
        figure,
        columns=3,
    )


def plots(context):
    if context.predictions:
        yield _predictions(context.predictions)
    runs = [run for run in context.model if run["measured"] > 0 and run["predicted"] > 0]
    if not runs:
        return
    figure, axes = style.panels(1, 1, 3.8)
    axis = axes[0, 0]
    labels = [side.label for side in context.sides]
    for run in runs:
        number = labels.index(run["machine"])
        looks = style.marker(number) | {"linestyle": "none", "alpha": 0.85}
        looks["marker"] = "o" if run["of"] == "Himeno" else "s"
        axis.plot(
            run["measured"], run["predicted"], label=f"{run['machine']}, {run['of']}", **looks
        )
    times = [run[which] for run in runs for which in ("measured", "predicted")]
    ends = [min(times) / 1.3, max(times) * 1.3]
    axis.plot(ends, ends, color="0.35", linewidth=1.0, label="prediction = measurement")
    low, high = ([part * end for end in ends] for part in (1 - BAND, 1 + BAND))
    name = f"within {100 * BAND:.0f} %"
    axis.fill_between(ends, low, high, color="0.88", zorder=0.5, label=name)
    for which in "xy":
        style.log_scale(axis, which)
    axis.set(xlim=ends, ylim=ends, xlabel="measured (s)", ylabel="predicted (s)")
    outside = _named(axis, runs)
    handles = dict(zip(*reversed(axis.get_legend_handles_labels())))
    yield style.Plot(
        "model",
        "Model: predicted and measured time of all phases",
        "Each point is a run, predicted from what membench measured on the same machine. A point "
        "in the band is predicted within 15 %; below the line a run took longer than predicted.",
        figure,
        columns=1 if outside else 2,
        entries=list(handles.items()) + outside,
    )
