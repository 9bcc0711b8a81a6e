# The membench results among the synthetic ones: tables of rows of every probe whose figures compare draws, with small
# numbers, as a file has them: blocks of columns.
import itertools
import math


def table(name, axes, rows):
    """A probe of these rows: dictionaries of cells, and under "samples" {column: values} of one experiment."""
    blocks = {}
    for row in rows:
        columns = tuple(name for name in row if name != "samples")
        sampled = tuple(row.get("samples", {}))
        blocks.setdefault((columns, sampled), []).append(row)
    return {"name": name, "verified": True, "axes": axes, "rows": [_block(*key, rows) for key, rows in blocks.items()]}


def _block(columns, sampled, rows):
    block = {name: [row[name] for row in rows] for name in columns}
    if sampled:
        block["experiments"] = [1] * len(rows)
        block["sample_counts"] = [len(row["samples"][sampled[0]]) for row in rows]
        block["samples"] = {name: [value for row in rows for value in row["samples"][name]] for name in sampled}
    return block


def measured(column, samples, **cells):
    return cells | {column: sorted(samples)[len(samples) // 2], "samples": {column: samples}}


def crossed(column, figure, **axes):
    """A row for each combination of the axes' values, measured once; figure(*values) of its column."""
    names = list(axes)
    for values in itertools.product(*axes.values()):
        cells = {name: float(value) if isinstance(value, int) else value for name, value in zip(names, values)}
        yield measured(column, [figure(*values)], **cells)


def _wave(level, length, climb=0.0):
    """A series that climbs to its level, with a little unrest, the same on every run."""
    return [level * (1 - climb * math.exp(-n / 12)) * (1 + 0.01 * math.sin(7 * n)) for n in range(length)]


# Memory, direction and by whom, with GB/s of a large copy.
LINK = [("pinned", "host copy", "vectorised", 350), ("device", "device copy", "kernel", 3000),
        ("pinned", "HtoD", "copy engine", 55), ("pinned", "DtoH", "copy engine", 54), ("pageable", "DtoH", "copy engine", 8),
        ("pinned", "HtoD", "kernel", 50), ("pinned", "DtoH", "kernel", 52), ("pinned", "HtoD against DtoH", "kernel", 40),
        ("pinned", "DtoH against HtoD", "kernel", 38)]  # fmt: skip


def _link(scale):
    rows = [measured("gbs", [rate * scale * size / (size + 1e5)] * 3, bytes=float(size), memory=memory, direction=direction,
                     by=by) for memory, direction, by, rate in LINK for size in (2**20, 2**30)]  # fmt: skip
    return table("link", ["bytes", "memory", "direction", "by"], rows)


def _patterns(scale):
    sides = ("host", "device")
    rows = [measured("gbs", _wave(level * scale, 40, 0.9 if 5 <= n <= 7 else 0.0), bytes=4e9, memory="system",
                     pattern=float(n), source=sides[(n - 1) >> 1 & 1], destination=sides[n - 1 & 1],
                     executor=sides[(n - 1) >> 2], steady_gbs=level * scale)
            for n, level in enumerate([350, 440, 430, 300, 3000, 3000, 2900, 3200], start=1)]  # fmt: skip
    return table("patterns", ["bytes", "memory", "pattern"], rows)


def _migration(scale):
    rows = [measured("gbs", _wave(level * scale, 30, climb), bytes=4e9, memory=memory, mode=mode, phase=phase,
                     steady_gbs=level * scale, steady_repeat=20.0 if climb else 1.0,
                     moved_gbs=9.0 * scale if mode == "plain" else 0.0,
                     prefetch_gbs=45.0 * scale if mode == "prefetch" else 0.0)
            for memory in ("system", "managed") for mode in ("plain", "prefetch")
            for phase, level, climb in (("device 1", 2800, 0.95), ("host", 300, 0.0), ("device 2", 2800, 0.0))]  # fmt: skip
    return table("migration", ["bytes", "memory", "mode", "phase"], rows)


COSTS = {"allocate": 0.0, "first touch by host": 0.05, "first fill by device": 0.07, "prefetch to device": 0.005, "free": 0.02,
         "free after fill by device": 0.01}  # ns a byte  # fmt: skip


def _pages(scale):
    rows = [{"memory": memory, "pages": "default", "act": act, "start_us": 20.0, "ns_per_byte": cost / scale}
            for memory in ("device", "managed", "system", "host-pinned")
            for act, cost in (COSTS | ({"allocate": 0.5} if memory == "host-pinned" else {})).items()]  # fmt: skip
    rows = [row | {"allocation": "default"} for row in rows]
    rows += [{"memory": "host-pinned", "allocation": "registered", "pages": "huge", "act": act, "start_us": 20.0,
              "ns_per_byte": cost / scale} for act, cost in (("allocate", 0.04), ("free", 0.02))]  # fmt: skip
    return table("pages", ["bytes", "memory", "allocation", "pages", "act"], rows)


def _latency(scale):
    at = {"path": ["global"], "memory": ["device"], "touched": ["device"]}
    rows = list(crossed("ns", lambda *at: scale * (20 if at[4] <= 2**17 else 130 if at[4] <= 2**25 else 350), **at,
                        chain=["random line"], footprint=[2**n for n in range(10, 30)]))  # fmt: skip
    rows.append({name: of for name, (of,) in at.items()} | {"level": "memory", "ns": 350 * scale})
    return table("latency", ["path", "memory", "touched", "chain", "footprint"], rows)


def _l2(scale):
    rows = list(crossed("gbs", lambda operation, data, size: scale * (9000 if size <= 2**25 else 3500),
                        operation=("read", "copy"), data=["all"], footprint=[2**n for n in range(20, 30)]))  # fmt: skip
    return table("l2", ["operation", "data", "footprint"], [row | {"dealt_bytes": row["footprint"]} for row in rows])


def exchange(scale, ranks=2, nodes=1, paths=("nccl", "staged")):
    """Each further path has a tenth of the rate."""
    rows = []
    for pattern in ("neighbours", "all-to-all"):
        for n, path in enumerate(paths):
            for size in (2**n for n in range(10, 31, 4)):
                seconds = 2e-5 + size / (1e9 * 300 * scale / 10**n)
                figures = {"gbs": 1e-9 * size / seconds, "seconds": seconds}
                cells = {"path": path, "pattern": pattern, "bytes": float(size), "ranks": float(ranks), "nodes": float(nodes)}
                rows.append(cells | figures | {"samples": {name: [value] for name, value in figures.items()}})
    return table("exchange", ["path", "pattern", "bytes"], rows)


# Of the other probes: the axes, the figure, its values and those of further cells; the scale is the machine's.
def _others(scale):
    parts = {"copy alone": 5e-3, "kernel alone": 4e-3, "both": 5.4e-3}
    cycles = {"shuffle": 130.0, "shared memory": 180.0}
    for name, axes, column, figure, cells in [
            ("overlap", "bytes direction work part", "seconds", lambda size, way, work, part: parts[part] / scale,
             {"bytes": [1e9], "direction": ["HtoD"], "work": ["memory"], "part": parts}),
            ("copy", "side access step", "gbs", lambda side, access, step: 2000 * scale / (1 + step),
             {"side": [2048], "access": ("offset", "stride"), "step": range(0, 33, 8)}),
            ("issue", "instruction placement warps ilp", "per_clock", lambda of, place, warps, ilp: min(4.0, 0.25 * warps * ilp),
             {"instruction": ["fp32 fma"], "placement": ["spread"], "warps": (4, 8, 16, 32), "ilp": (1, 4)}),
            ("registers", "type live limit", "seconds", lambda of, live, limit: 1e-3 * (10 if limit < 64 else 1),
             {"type": ["fp32"], "live": [64], "limit": (32, 64, 128, 255)}),
            ("atomics", "where addresses type operation", "per_second", lambda *at: 1e9 * scale,
             {"where": ("global", "shared"), "addresses": ["one"], "type": ["int32"], "operation": ["add"]}),
            ("warp", "scope type method load", "cycles", lambda scope, of, method, load: cycles[method],
             {"scope": ["warp"], "type": ["int32"], "method": cycles, "load": ["alone"]})]:  # fmt: skip
        yield table(name, axes.split(), list(crossed(column, figure, **cells)))


def probes_at(scale):
    made = [make(scale) for make in (_link, _patterns, _migration, _pages, _latency, _l2, exchange)]
    return made + list(_others(scale)) + [{"name": "shared", "verified": False, "skipped": "not here"}]
