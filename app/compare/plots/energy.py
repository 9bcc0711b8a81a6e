# Energy of a step in the timed part, a row for each case and machine: of himeno and of transpose.
from rows import Rows, beside, dot
import style

LEAST_RANGE = 4  # of the axis, end over end


def _joules(energy, part):
    """Of a step, of the "gpus" or the "hosts"; nothing where there is no such figure."""
    return ((energy or {}).get(part) or {}).get("joules_per_iteration")


def plot(kind, title, step, labels, energies, of):
    """`energies`: {group: {side label: record `energy` or None}}; nothing where none has joules."""
    known = {
        group: {label: energy for label, energy in of_sides.items() if _joules(energy, "gpus")}
        for group, of_sides in energies.items()
    }
    known = {group: of_sides for group, of_sides in known.items() if of_sides}
    if not known:
        return None
    rows = Rows([(group, list(of_sides)) for group, of_sides in known.items()])
    figure, axes = rows.panels()
    axis = axes[0, 0]
    for group, of_sides in known.items():
        for label, energy in of_sides.items():
            y, joules = rows.y[group, label], _joules(energy, "gpus")
            dot(axis, joules, y, labels.index(label), label)
            beside(axis, y, f"{style.number(joules)} J")
            if of_host := _joules(energy, "hosts"):
                dot(axis, of_host, y, labels.index(label), f"{label}, its host", filled=False)
    low, high = axis.get_xlim()
    if high < LEAST_RANGE * low:  # a few percent would fill the axis
        middle = (low * high) ** 0.5
        axis.set_xlim(middle / LEAST_RANGE**0.5, middle * LEAST_RANGE**0.5)
    style.log_scale(axis, "x")
    axis.set(xlabel=f"energy of a {step} (J), logarithmic; right: of the GPU")
    rows.label(axes)
    return style.Plot(
        kind,
        f"{title}: energy of a {step}",
        f"Energy in the timed part, divided by the number of {step}s. Further left is cheaper.",
        figure,
        of,
    )
