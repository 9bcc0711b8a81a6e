# The bandwidth roofline of a machine: each memory and link a line, each application and probe a
# point.
from results import file_name, median, ranks
from rows import Rows, beside, dot
import style

# (name, theory of it, parameters of the measurement of probe link)
CEILINGS = [
    ("device memory", "device_memory", {"direction": "device copy", "by": "kernel"}),
    ("host memory", "host_memory", {"direction": "host copy", "by": "vectorised"}),
    (
        "link, host to device",
        "link_host_to_device",
        {"direction": "HtoD", "memory": "pinned", "by": "copy engine"},
    ),
    (
        "link, device to host",
        "link_device_to_host",
        {"direction": "DtoH", "memory": "pinned", "by": "copy engine"},
    ),
]


def _ceilings(side):
    """[(name, GB/s, its theory or None)]: the best that was measured at any size."""
    found = []
    for name, theory, wanted in CEILINGS:
        rates = [m["median"] for m in side.measurements("link", **wanted)]
        if rates:
            figure = side.theory.get(theory)
            found.append((name, max(rates), figure["gbs"] if figure else None))
    return found


def _himeno(side):
    """{group: {row: (GB/s, first repeat's or None)}}; of equal runs the last."""
    found = {}
    for run in side.himeno():
        if ranks(run) == 1:
            group = found.setdefault(f"himeno {run['size']}, {run['sweep']}", {})
            group[run["memory"]] = (run["bandwidth_gbs"], None)
    return found


def _transpose(side):
    """The best variant of each run but the copy."""
    found = {}
    for run in side.of_program("transpose"):
        rates = {v["name"]: v["gbs"]["median"] for v in run["variants"] if v["name"] != "copy"}
        if rates and ranks(run) == 1:
            best = max(rates, key=rates.get)
            row = f"{run['rows']}x{run['columns']} {run['type']}, {run['operation']}: {best}"
            found.setdefault(f"transpose, {run['memory']}", {})[row] = (rates[best], None)
    return found


def _steady_and_first(measurement):
    """The first repeat's rate only where it differs."""
    steady, first = median(measurement["samples"]), measurement["samples"][0]
    return steady, first if abs(first / steady - 1) > 0.2 else None


def _patterns(side):
    found = {}
    for m in side.measurements("patterns"):
        of = m["parameters"]
        name = f"({of['pattern']}) {of['source']} to {of['destination']} by {of['executor']}"
        found[name] = _steady_and_first(m)
    return {"membench patterns": found} if found else {}


def _migration(side):
    """Without the driver's hints, which have a plot of their own; of several sizes the last."""
    found = {}
    for m in side.measurements("migration"):
        of = m["parameters"]
        if of["mode"] not in ("plain", "prefetch"):
            continue
        group = found.setdefault(f"membench migration, {of['memory']}", {})
        group[f"{of['mode']}, {of['phase']}"] = _steady_and_first(m)
    return found


def _matrix_copies(side):
    """Of probe copy those whose accesses are neither shifted nor spread."""
    found = {}
    for m in side.measurements("copy", step=0):
        of = m["parameters"]
        found[f"{of['pattern']}, {of['rows']} x {of['columns']}"] = (m["median"], None)
    return {"membench copy": found} if found else {}


def _l2(side):
    """The best rate of each stream over data of its own half of the L2, of the other, or of all."""
    found = {}
    for probe in side.probes("l2"):
        for name, table in probe.get("tables", {}).items():
            if "footprint_bytes" in table:
                found[name] = (max(table["gbs"]), None)
    return {"membench l2, best footprint": found} if found else {}


def _copies(side):
    """Copies that probe link measured beside the ceilings."""
    found = {}
    for m in side.measurements("link"):
        of = m["parameters"]
        if not any(all(of.get(k) == v for k, v in wanted.items()) for _, _, wanted in CEILINGS):
            found[f"{of['direction']}, {of['memory']}, {of['by']}"] = (m["median"], None)
    return {"membench link": found} if found else {}


# Each with the number of its marker.
POINTS = {
    _himeno: 0,
    _transpose: 1,
    _patterns: 2,
    _migration: 3,
    _matrix_copies: 4,
    _l2: 4,
    _copies: 7,
}


def _draw(side, ceilings):
    groups = [
        (number, name, points)
        for points_of, number in POINTS.items()
        for name, points in points_of(side).items()
    ]
    rows = Rows([(name, list(points)) for _, name, points in groups])
    figure, axes = rows.panels()
    axis = axes[0, 0]
    for number, name, points in groups:
        for row, (gbs, first) in points.items():
            y = rows.y[name, row]
            dot(axis, gbs, y, number)
            if first is not None:
                label = "open: first repeat, where it differs"
                dot(axis, first, y, number, label, filled=False)
            beside(axis, y, style.number(gbs))
    for number, (name, gbs, theory) in enumerate(ceilings):
        looks = {"color": "black", "linewidth": 1.1, "linestyle": style.LINES[number], "zorder": 1}
        promised = f", theory {theory:g}" if theory else ""
        axis.axvline(gbs, label=f"{name}: {gbs:.4g} GB/s{promised}", **looks)
    style.log_scale(axis, "x")
    axis.set(xlabel="bandwidth (GB/s), logarithmic")
    rows.label(axes)
    return style.Plot(
        "roofline",
        f"Bandwidth roofline of {side.label}",
        "Black lines: what each memory and each way of the link give, measured by probe link. A "
        "marker on a line uses that memory fully; one right of it fused sweeps or reused a cache; "
        "one between lines waits for something else, pages for example. Of a transpose the best "
        "variant is shown. Copies count bytes read and written.",
        figure,
        [file_name(side.label)],
        columns=1,
    )


def plots(context):
    for side in context.sides:
        ceilings = _ceilings(side)
        if ceilings and (_himeno(side) or _transpose(side)):
            yield _draw(side, ceilings)
