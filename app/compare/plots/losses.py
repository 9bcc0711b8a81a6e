# What the arrays' size costs the patterns and the migration experiment, from the first to the last
# of several sizes ([tsukuba-thesis-2024] 5.3.1).
from results import size_text
from rows import Rows, beside, dot
import style

PROBES = ("patterns", "migration")


def _steady(derived, names=()):
    """(name, GB/s) of each series of one size that has settled."""
    if "steady_gbs" in derived:
        yield ", ".join(names), derived["steady_gbs"]
        return
    for name, member in derived.items():
        if isinstance(member, dict):
            yield from _steady(member, (*names, name))


def _by_size(side, probe):
    """{bytes: {name with its memory: GB/s}}, rising; of several runs the later counts."""
    found = {}
    for of_run in side.probes(probe):
        # A run of patterns has one memory, and its derived values do not name it.
        memory = of_run["measurements"][0]["parameters"]["memory"]
        names = (memory,) if probe == "patterns" else ()
        for key, derived in of_run.get("derived", {}).items():
            size, _, unit = key.partition(" ")
            if unit == "bytes":
                found.setdefault(int(size), {}).update(_steady(derived, names))
    return dict(sorted(found.items()))


def _losses(context):
    """{probe: [(side number, label, {name: lost part})]}"""
    losses = {}
    for probe in PROBES:
        for number, side in enumerate(context.sides):
            by_size = _by_size(side, probe)
            if len(by_size) < 2:
                continue
            first, last = list(by_size)[0], list(by_size)[-1]
            lost = {
                name: 1 - by_size[last][name] / gbs
                for name, gbs in by_size[first].items()
                if name in by_size[last]
            }
            if lost:
                label = f"{side.label}, {size_text(first)} to {size_text(last)}"
                losses.setdefault(probe, []).append((number, label, lost))
    return losses


def plots(context):
    losses = _losses(context)
    if not losses:
        return
    names = {
        probe: dict.fromkeys(name for _, _, lost in of_sides for name in lost)
        for probe, of_sides in losses.items()
    }
    rows = Rows([(probe, list(of_probe)) for probe, of_probe in names.items()])
    figure, axes = rows.panels()
    axis = axes[0, 0]
    for probe, of_sides in losses.items():
        for number, label, lost in of_sides:
            for name, part in lost.items():
                dot(axis, 100 * part, rows.y[probe, name], number, label)
        for name in names[probe]:
            parts = [f"{100 * lost[name]:.1f}" for _, _, lost in of_sides if name in lost]
            beside(axis, rows.y[probe, name], " / ".join(parts))
    axis.axvline(0, color="0.35", linewidth=1.0)
    axis.set_xlabel("lost of the steady rate (%); below 0: gained")
    rows.label(axes)
    yield style.Plot(
        "size-losses",
        "Lost from the smallest to the largest arrays",
        "The part of each series' steady bandwidth that larger arrays lose. Patterns 1 to 4 are "
        "copied by the CPU, 5 to 8 by the GPU. As [tsukuba-thesis-2024] 5.3.1, where the GPU's "
        "patterns lost 500 to 1000 GB/s from 4 to 8 GB.",
        figure,
    )
