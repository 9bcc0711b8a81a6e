# The membench results among the synthetic ones: tables of rows of every probe whose figures compare draws, with small
# numbers, as a file has them: blocks of columns.
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


def _wave(level, length, climb=0.0):
    """A series that climbs to its level, with a little unrest, the same on every run."""
    return [level * (1 - climb * math.exp(-n / 12)) * (1 + 0.01 * math.sin(7 * n)) for n in range(length)]


def _link(scale):
    rates = [
        ("host copy", "pinned", "vectorised", 350),
        ("device copy", "device", "kernel", 3000),
        ("HtoD", "pinned", "copy engine", 55),
        ("DtoH", "pinned", "copy engine", 54),
        ("DtoH", "pageable", "copy engine", 8),
        ("HtoD", "pinned", "kernel", 50),
        ("DtoH", "pinned", "kernel", 52),
        ("HtoD against DtoH", "pinned", "kernel", 40),
        ("DtoH against HtoD", "pinned", "kernel", 38),
    ]
    rows = [
        measured("gbs", [rate * scale * size / (size + 1e5)] * 3, bytes=float(size), memory=m, direction=d, by=by)
        for d, m, by, rate in rates
        for size in (2**20, 2**30)
    ]
    return table("link", ["bytes", "memory", "direction", "by"], rows)


def _patterns(scale):
    sides = ("host", "device")
    rows = [
        measured(
            "gbs",
            _wave(level * scale, 40, 0.9 if 5 <= n <= 7 else 0.0),
            bytes=4e9,
            memory="system",
            pattern=float(n),
            source=sides[(n - 1) >> 1 & 1],
            destination=sides[n - 1 & 1],
            executor=sides[(n - 1) >> 2],
            steady_gbs=level * scale,
        )
        for n, level in enumerate([350, 440, 430, 300, 3000, 3000, 2900, 3200], start=1)
    ]
    return table("patterns", ["bytes", "memory", "pattern"], rows)


def _migration(scale):
    rows = [
        measured(
            "gbs",
            _wave(level * scale, 30, climb),
            bytes=4e9,
            memory=memory,
            mode=mode,
            phase=phase,
            steady_gbs=level * scale,
            steady_repeat=20.0 if climb else 1.0,
            moved_gbs=9.0 * scale if mode == "plain" else 0.0,
            prefetch_gbs=45.0 * scale if mode == "prefetch" else 0.0,
        )
        for memory in ("system", "managed")
        for mode in ("plain", "prefetch")
        for phase, level, climb in (("device 1", 2800, 0.95), ("host", 300, 0.0), ("device 2", 2800, 0.0))
    ]
    return table("migration", ["bytes", "memory", "mode", "phase"], rows)


def _pages(scale):
    costs = {
        "allocate": 0.0,
        "first touch by host": 0.05,
        "first fill by device": 0.07,
        "prefetch to device": 0.005,
        "free": 0.02,
        "free after fill by device": 0.01,
    }
    rows = [
        {"memory": memory, "pages": "default", "act": act, "start_us": 20.0, "ns_per_byte": cost / scale}
        for memory in ("device", "managed", "system", "host-pinned")
        for act, cost in (costs | ({"allocate": 0.5} if memory == "host-pinned" else {})).items()
    ]
    return table("pages", ["bytes", "memory", "pages", "act"], rows)


def _latency(scale):
    sizes = [2**n for n in range(10, 30)]
    rows = [
        measured(
            "ns",
            [scale * (20 if s <= 2**17 else 130 if s <= 2**25 else 350)],
            path="global",
            memory="device",
            touched="device",
            chain="random line",
            footprint=float(s),
        )
        for s in sizes
    ]
    rows.append({"path": "global", "memory": "device", "touched": "device", "level": "memory", "ns": 350 * scale})
    return table("latency", ["path", "memory", "touched", "chain", "footprint"], rows)


def _l2(scale):
    rows = [
        measured(
            "gbs",
            [scale * (9000 if s <= 2**25 else 3500)],
            operation=operation,
            data="all",
            footprint=float(s),
            dealt_bytes=float(s),
        )
        for operation in ("read", "copy")
        for s in (2**n for n in range(20, 30))
    ]
    return table("l2", ["operation", "data", "footprint"], rows)


def exchange(scale, ranks=2, nodes=1, paths=("nccl", "staged")):
    """Each further path has a tenth of the rate."""
    rows = []
    for pattern in ("neighbours", "all-to-all"):
        for n, path in enumerate(paths):
            for size in (2**n for n in range(10, 31, 4)):
                seconds = 2e-5 + size / (1e9 * 300 * scale / 10**n)
                rows.append(
                    {
                        "path": path,
                        "pattern": pattern,
                        "bytes": float(size),
                        "ranks": float(ranks),
                        "nodes": float(nodes),
                        "gbs": 1e-9 * size / seconds,
                        "seconds": seconds,
                        "samples": {"gbs": [1e-9 * size / seconds], "seconds": [seconds]},
                    }
                )
    return table("exchange", ["path", "pattern", "bytes"], rows)


def _others(scale):
    yield table(
        "overlap",
        ["bytes", "direction", "work", "part"],
        [
            measured("seconds", [s / scale], bytes=1e9, direction="HtoD", work="memory", part=part)
            for part, s in (("copy alone", 5e-3), ("kernel alone", 4e-3), ("both", 5.4e-3))
        ],
    )
    yield table(
        "copy",
        ["side", "access", "step"],
        [
            measured("gbs", [2000 * scale / (1 + step)], side=2048.0, access=access, step=float(step))
            for access in ("offset", "stride")
            for step in range(0, 33, 8)
        ],
    )
    yield table(
        "issue",
        ["instruction", "placement", "warps", "ilp"],
        [
            measured(
                "per_clock",
                [min(4.0, 0.25 * warps * ilp)],
                instruction="fp32 fma",
                placement="spread",
                warps=float(warps),
                ilp=float(ilp),
            )
            for ilp in (1, 4)
            for warps in (4, 8, 16, 32)
        ],
    )
    yield table(
        "registers",
        ["type", "live", "limit"],
        [
            measured("seconds", [1e-3 * (10 if limit < 64 else 1)], type="fp32", live=64.0, limit=float(limit))
            for limit in (32, 64, 128, 255)
        ],
    )
    yield table(
        "atomics",
        ["where", "addresses", "type", "operation"],
        [
            measured("per_second", [1e9 * scale], where=where, addresses="one", type="int32", operation="add")
            for where in ("global", "shared")
        ],
    )
    yield table(
        "warp",
        ["scope", "type", "method", "load"],
        [
            measured("cycles", [n], scope="warp", type="int32", method=method, load="alone")
            for n, method in ((130.0, "shuffle"), (180.0, "shared memory"))
        ],
    )


def probes_at(scale):
    made = [make(scale) for make in (_link, _patterns, _migration, _pages, _latency, _l2, exchange)]
    return made + list(_others(scale)) + [{"name": "shared", "verified": False, "skipped": "not here"}]
