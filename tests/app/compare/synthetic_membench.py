# The membench results among the synthetic ones: every probe whose figures compare draws, with small numbers.
import math


def measurement(name, unit, samples, experiments=1, **parameters):
    ordered = sorted(samples)
    return {
        "name": name,
        "parameters": parameters,
        "unit": unit,
        "samples": samples,
        "experiments": experiments,
        "min": ordered[0],
        "median": ordered[len(ordered) // 2],
        "max": ordered[-1],
    }


def _wave(level, length, experiments=1, climb=0.0):
    """A series that climbs to its level, with a little unrest, the same on every run."""
    return [
        level * (1 - climb * math.exp(-n / 12)) * (1 + 0.01 * math.sin(7 * n + e))
        for e in range(experiments)
        for n in range(length)
    ]


def _link(scale):
    gib = 4 * 2**30
    rates = [
        ("host copy", "pageable", "loop", 300),
        ("host copy", "pageable", "vectorised", 350),
        ("device copy", "device", "kernel", 3000),
        ("HtoD", "pinned", "copy engine", 55),
        ("DtoH", "pinned", "copy engine", 54),
        ("HtoD", "pageable", "copy engine", 8),
    ]
    found = [
        measurement(f"{d} {m}, {by}", "GB/s", _wave(rate * scale, 40, 3), 3, direction=d, memory=m, by=by, bytes=size)
        for d, m, by, rate in rates
        for size in (gib, 2 * gib)
    ]
    table = {
        "bytes": [2**n for n in range(12, 29, 2)],
        "gbs": [50 * scale * 2**n / (2**n + 1e6) for n in range(12, 29, 2)],
    }
    return {
        "name": "link",
        "verified": True,
        "measurements": found,
        "tables": {"HtoD by size": table, "DtoH by size": table},
    }


def _patterns(scale):
    places = [
        ("host", "host", "host"),
        ("host", "device", "host"),
        ("device", "host", "host"),
        ("device", "device", "host"),
        ("host", "host", "device"),
        ("host", "device", "device"),
        ("device", "host", "device"),
        ("device", "device", "device"),
    ]
    levels = [350, 440, 430, 300, 3000, 3000, 2900, 3200]
    # A machine that loses a tenth from 4 to 8 GB where the GPU copies.
    derived = {
        f"{size} bytes": {
            f"pattern {n}": {"steady_gbs": level * scale * (0.9 if size > 4 * 10**9 and n > 4 else 1)}
            for n, level in enumerate(levels, start=1)
        }
        for size in (4 * 10**9, 8 * 10**9)
    }
    return {
        "name": "patterns",
        "verified": True,
        "derived": derived,
        "measurements": [
            measurement(
                f"({n}) {s} to {d} by {e}",
                "GB/s",
                _wave(level * scale, 60, 3, 0.9 if 5 <= n <= 7 else 0.0),
                3,
                pattern=n,
                source=s,
                destination=d,
                executor=e,
                memory="system",
                bytes=4 * 10**9,
            )
            for n, ((s, d, e), level) in enumerate(zip(places, levels), start=1)
        ],
    }


def _migration(scale):
    series = [("device 1", 2800, 0.95), ("host", 300, 0.0), ("device 2", 2800, 0.0)]
    derived = {"4000000000 bytes": {"system": {"plain": {"device 1": {"steady_repeat": 20}}}}}
    return {
        "name": "migration",
        "verified": True,
        "derived": derived,
        "measurements": [
            measurement(
                f"system plain, {phase}",
                "GB/s",
                _wave(level * scale, 50, 2, climb),
                2,
                memory="system",
                mode="plain",
                phase=phase,
                bytes=4 * 10**9,
            )
            for phase, level, climb in series
        ],
    }


def _latency(scale):
    sizes = [2**n for n in range(10, 30)]
    ns = [scale * (20 if s <= 2**17 else 130 if s <= 2**25 else 350) for s in sizes]
    curve = {"footprint_bytes": sizes, "cycles": [1.7 * t for t in ns], "ns": ns}
    return {
        "name": "latency",
        "verified": True,
        "derived": {"plateaus": {"global device": {"L1": {"ns": ns[0]}}}},
        "tables": {"global device, random line": curve, "shared": {key: column[:7] for key, column in curve.items()}},
        "measurements": [measurement("global, 1 KiB", "cycles", [34.0, 34.5], path="global", footprint_bytes=1024)],
    }


def _l2(scale):
    sizes = [2**n for n in range(20, 30)]
    parts = {"all": 1.0, "near": 1.05, "far": 0.7}
    rates = {"read": 9000, "write": 6000, "copy": 6500, "triad": 7000}
    tables = {
        f"{operation}, {data}": {
            "footprint_bytes": sizes,
            "gbs": [scale * (part * rate if size <= 2**25 else 3500) for size in sizes],
        }
        for operation, rate in rates.items()
        for data, part in parts.items()
    }
    tables["multiprocessors"] = {"identifier": [0, 1], "half": [0, 1]}
    return {
        "name": "l2",
        "verified": True,
        "derived": {"l2_bytes": int(scale * 50 * 2**20), "topology": {"halves_told_apart": True}},
        "tables": tables,
        "measurements": [
            measurement("read, all, 1 MiB", "GB/s", [9000.0 * scale], operation="read", data="all", footprint_bytes=2**20)
        ],
    }


SHARED_LOADS = ("64-bit loads", "64-bit loads, as printed")


def _shared(scale):
    points = [(i, w, c) for i in range(1, 33, 3) for w in range(1, 33, 3) for c in range(1, 33, 3)]
    times = [scale * (1.05 * i * w * c + 330) for i, w, c in points]
    columns = dict(zip("iwc", map(list, zip(*points))))
    fit = {"C1": 1.05 * scale, "C2": 330.0 * scale, "r_squared": 0.999}
    return {
        "name": "shared",
        "verified": True,
        "derived": {name: {"paper_fit": fit, "hopper_fit": fit} for name in SHARED_LOADS},
        "measurements": [measurement("64-bit loads, i 1", "cycles", [23.0], i=1)],
        "tables": {
            name: {
                **columns,
                "mean": times,
                "paper_residual": [math.sin(t) for t in times],
                "hopper_residual": [0.5 * math.cos(t) for t in times],
            }
            for name in SHARED_LOADS
        },
    }


def _copy(scale):
    steps = list(range(1, 33))
    return {
        "name": "copy",
        "verified": True,
        "measurements": [measurement("coalesced", "GB/s", [2900.0 * scale], pattern="coalesced")],
        "tables": {
            "offset, 16384 x 16384": {"step": steps, "gbs": [2800.0 * scale] * 32},
            "stride, 16384 x 16384": {"step": steps, "gbs": [2900.0 * scale / min(s, 8) for s in steps]},
        },
    }


def _pages(scale):
    costs = [("device", "allocate", 2e-4), ("managed", "allocate", 1e-4), ("managed", "first touch by device", 0.07)]
    return {
        "name": "pages",
        "verified": True,
        "measurements": [
            measurement(
                f"{space}, default pages, {act}",
                "ns/byte",
                [ns / scale] * 3,
                memspace=space,
                pages="default",
                act=act,
                bytes=2**29,
            )
            for space, act, ns in costs
        ],
    }


def _issue(scale):
    warps = [warps for _ in (1, 2) for warps in range(1, 17)]
    ilp = [ilp for ilp in (1, 2) for _ in range(16)]
    rates = [scale * min(4.0, w * i / 4) for w, i in zip(warps, ilp)]
    fma = {"warps": warps, "ilp": ilp, "per_clock": rates}
    found = [measurement("fp32 fma, latency", "cycles", [4.0], instruction="fp32 fma", figure="latency")]
    quarter = {"warps": [1, 2, 4, 8], "ilp": [8] * 4, "per_clock": [scale] * 4}
    tables = {"fp32 fma": fma, "fp32 fma, one quarter": quarter}
    return {"name": "issue", "verified": True, "measurements": found, "tables": tables}


def _warp(scale):
    kinds = [(method, load) for method in ("shuffle", "CUB") for load in ("alone", "full")]
    return {
        "name": "warp",
        "verified": True,
        "measurements": [
            measurement(
                f"warp sum of int32 by {method}, {load}",
                "cycles" if load == "alone" else "1/clock",
                [150 / scale if load == "alone" else 0.2 * scale],
                scope="warp",
                type="int32",
                method=method,
                load=load,
            )
            for method, load in kinds
        ],
    }


def _atomics(scale):
    rates = {("global", "one"): 1.3e9, ("global", "spread"): 5e11, ("shared", "one"): 2e11, ("shared", "spread"): 7e12}
    return {
        "name": "atomics",
        "verified": True,
        "measurements": [
            measurement(
                f"add {bits}-bit, {memory}, {addresses}",
                "1/s",
                [scale * rate],
                operation="add",
                bits=bits,
                memory=memory,
                addresses=addresses,
            )
            for bits in (32, 64)
            for (memory, addresses), rate in rates.items()
        ],
    }


def _registers(scale):
    limits = [24, 32, 64, 128]
    seconds = [0.02 / scale if limit < 64 else 7e-4 / scale for limit in limits]
    table = {"limit": limits, "registers": limits, "seconds": seconds}
    found = [
        measurement(f"32 live values, at most {limit} registers", "s", [each], live=32, limit=limit)
        for limit, each in zip(limits, seconds)
    ]
    return {"name": "registers", "verified": True, "measurements": found, "tables": {"32 live values": table}}


PROBES = (_link, _patterns, _migration, _latency, _l2, _shared, _copy, _pages, _issue, _warp, _atomics, _registers)


def probes_at(scale):
    """Those of a machine that is `scale` times as fast."""
    return [make(scale) for make in PROBES] + [{"name": "clock", "verified": False, "skipped": "not on this machine"}]
