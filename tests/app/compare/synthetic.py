# Result files of machines that do not exist, for the tests of compare: the schema of docs/results-format.md, small numbers.
import math

import h5py
import numpy


def _write(group, record):
    for name, value in record.items():
        if value is None:
            group.attrs[name] = h5py.Empty("f8")
        elif isinstance(value, dict):
            _write(group.create_group(name), value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            members = group.create_group(name)
            for n, each in enumerate(value):
                _write(members.create_group(f"{n + 1:04}"), each)
        elif isinstance(value, list):
            group[name] = value
        else:
            group.attrs[name] = numpy.bool_(value) if isinstance(value, bool) else value


def write_file(path, runs):
    with h5py.File(path, "w", track_order=True) as file:
        file.attrs["schema"], file.attrs["schema_version"] = "memstencil-results", 1
        _write(file.create_group("runs"), {f"{n + 1:04}": run for n, run in enumerate(runs)})
    return path


def machine(name, gpu, **memory):
    return {"hostname": name, "kernel": "6.1", "cpu": {"model": "CPU of " + name, "cores": 8},
            "memory": {"page_bytes": 4096, **memory}, "program": {"git_revision": "0" * 12, "compiler": "GNU 12"},
            "gpu": {"name": gpu, "driver": "580.1", "address_translation": "none", "numa_node": None, "memory_bytes": 80 * 10 ** 9}}


def himeno(on, gbs, limit=3000.0, kind="copy", space="device", size="XL", sweep="single", iterations=60, ranks=(1, 1, 1),
           touch="host", first=1.0):
    extents = {"XL": [512, 512, 1024], "L": [256, 256, 512]}.get(size) or [int(n) for n in size.split("x")]
    points = math.prod(n - 2 for n in extents)
    second = 56 * points / (gbs * 1e9)
    seconds = [first + second] + [second] * (iterations - 1)
    phases = {"allocate": 0.4, "initialise": 0.8, "upload": 0.25 if space == "device" else 0.0, "sweeps": sum(seconds), "halo": 0.0,
              "reduce": 1e-5, "download": 0.02 if space == "device" else 0.0, "free": 0.1}
    mflops = 34e-6 * math.prod(n - 3 for n in extents) * iterations
    return {"schema": "memstencil-results", "schema_version": 1, "program": "himeno", "size": size, "extents": extents,
            "iterations": iterations, "ranks": list(ranks), "exec": "device",
            "memspace": {"requested": space, "effective": space}, "first_touch": touch, "sweep": sweep, "sweep_kernel": "128x2x8",
            "halo": "none" if ranks == (1, 1, 1) else "device", "gosa": 1e-3,
            "mflops": mflops / sum(seconds), "mflops_end_to_end": mflops / sum(phases.values()), "bandwidth_gbs": gbs,
            "limit": {"kind": kind, "gbs": limit, "mflops": limit / 56 * 34e3, "fraction": gbs / limit}, "phases": phases,
            "sweep_seconds": {"min": second, "median": second, "max": max(seconds), "first": seconds[0]},
            "sweeps": {"seconds": seconds}, "verified": True,
            "options": {"coefficients": "standard", "seconds": None, "prefetch": False, "advise": "none", "pages": "default", "place": ""},
            "machine": on}


def measurement(name, unit, samples, experiments=1, **parameters):
    ordered = sorted(samples)
    return {"name": name, "parameters": parameters, "unit": unit, "samples": samples, "experiments": experiments,
            "min": ordered[0], "median": ordered[len(ordered) // 2], "max": ordered[-1]}


def _wave(level, length, experiments=1, climb=0.0):
    """A series that climbs to its level, with a little unrest, the same on every run."""
    return [level * (1 - climb * math.exp(-n / 12)) * (1 + 0.01 * math.sin(7 * n + e)) for e in range(experiments) for n in range(length)]


def _link(scale):
    gib = 4 * 2 ** 30
    rates = [("host copy", "pageable", "loop", 300), ("host copy", "pageable", "vectorised", 350), ("device copy", "device", "kernel", 3000),
             ("HtoD", "pinned", "copy engine", 55), ("DtoH", "pinned", "copy engine", 54), ("HtoD", "pageable", "copy engine", 8)]
    found = [measurement(f"{d} {m}, {by}", "GB/s", _wave(rate * scale, 40, 3), 3, direction=d, memory=m, by=by, bytes=size)
             for d, m, by, rate in rates for size in (gib, 2 * gib)]
    table = {"bytes": [2 ** n for n in range(12, 29, 2)], "gbs": [50 * scale * 2 ** n / (2 ** n + 1e6) for n in range(12, 29, 2)]}
    return {"name": "link", "verified": True, "measurements": found, "tables": {"HtoD by size": table, "DtoH by size": table}}


def _patterns(scale):
    places = [("host", "host", "host"), ("host", "device", "host"), ("device", "host", "host"), ("device", "device", "host"),
              ("host", "host", "device"), ("host", "device", "device"), ("device", "host", "device"), ("device", "device", "device")]
    levels = [350, 440, 430, 300, 3000, 3000, 2900, 3200]
    return {"name": "patterns", "verified": True, "measurements": [
        measurement(f"({n}) {s} to {d} by {e}", "GB/s", _wave(level * scale, 60, 3, 0.9 if 5 <= n <= 7 else 0.0), 3, pattern=n, source=s,
                    destination=d, executor=e, memory="system", bytes=4 * 10 ** 9)
        for n, ((s, d, e), level) in enumerate(zip(places, levels), start=1)]}


def _migration(scale):
    series = [("device 1", 2800, 0.95), ("host", 300, 0.0), ("device 2", 2800, 0.0)]
    derived = {"4000000000 bytes": {"system": {"plain": {"device 1": {"steady_repeat": 20}}}}}
    return {"name": "migration", "verified": True, "derived": derived, "measurements": [
        measurement(f"system plain, {phase}", "GB/s", _wave(level * scale, 50, 2, climb), 2, memory="system", mode="plain", phase=phase,
                    bytes=4 * 10 ** 9) for phase, level, climb in series]}


def _latency(scale):
    sizes = [2 ** n for n in range(10, 30)]
    ns = [scale * (20 if s <= 2 ** 17 else 130 if s <= 2 ** 25 else 350) for s in sizes]
    curve = {"footprint_bytes": sizes, "cycles": [1.7 * t for t in ns], "ns": ns}
    return {"name": "latency", "verified": True, "derived": {"plateaus": {"global device": {"L1": {"ns": ns[0]}}}},
            "tables": {"global device, random line": curve, "shared": {key: column[:7] for key, column in curve.items()}},
            "measurements": [measurement("global, 1 KiB", "cycles", [34.0, 34.5], path="global", footprint_bytes=1024)]}


def _shared(scale):
    points = [(i, w, c) for i in range(1, 33, 3) for w in range(1, 33, 3) for c in range(1, 33, 3)]
    times = [scale * (1.05 * i * w * c + 330) for i, w, c in points]
    columns = dict(zip("iwc", map(list, zip(*points))))
    fit = {"C1": 1.05 * scale, "C2": 330.0 * scale, "r_squared": 0.999}
    return {"name": "shared", "verified": True, "derived": {"64-bit loads": {"paper_fit": fit, "hopper_fit": fit}},
            "measurements": [measurement("64-bit loads, i 1", "cycles", [23.0], i=1)],
            "tables": {"64-bit loads": {**columns, "mean": times, "paper_residual": [math.sin(t) for t in times],
                                        "hopper_residual": [0.5 * math.cos(t) for t in times]}}}


def _copy(scale):
    steps = list(range(1, 33))
    return {"name": "copy", "verified": True, "measurements": [measurement("coalesced", "GB/s", [2900.0 * scale], pattern="coalesced")],
            "tables": {"offset, 16384 x 16384": {"step": steps, "gbs": [2800.0 * scale] * 32},
                       "stride, 16384 x 16384": {"step": steps, "gbs": [2900.0 * scale / min(s, 8) for s in steps]}}}


def membench(on, scale=1.0):
    probes = [make(scale) for make in (_link, _patterns, _migration, _latency, _shared, _copy)]
    probes.append({"name": "warp", "verified": False, "skipped": "not on this machine"})
    return {"schema": "memstencil-results", "schema_version": 1, "program": "membench", "probes": probes, "options": {"paper": False}, "machine": on}


def transpose(on, scale=1.0, ranks=1):
    """With the rows of --sweep-sizes."""
    gbs = {"copy": 3000, "tuned": 2950, "padded": 2800, "naive": 400}

    def rate(name, factor=1.0):
        median = gbs[name] * scale * factor
        return {"min": 0.98 * median, "median": median, "max": 1.01 * median}
    variants = [{"name": name, "gbs": rate(name, ranks), "of_copy": gbs[name] / 3000, "verified": True, "seconds": [1e-3]} for name in gbs]
    sizes = [{"size": size, "variant": name, **rate(name, size / 4096)} for size in (1024, 2048, 4096) for name in gbs]
    return {"schema": "memstencil-results", "schema_version": 1, "program": "transpose", "size": "4096x4096", "rows": 4096, "columns": 4096,
            "type": "float", "operation": "plain", "iterations": 20, "ranks": ranks, "exec": "device",
            "memspace": {"requested": "device", "effective": "device"}, "first_touch": "device", "variants": variants, "sizes": sizes,
            "limit": {"kind": "copy", "gbs": 3000.0 * scale}, "phases": {"allocate": 0.1, "transpose": 0.2}, "verified": True,
            "options": {"prefetch": False, "advise": "none", "pages": "default"}, "machine": on}


ONE = machine("one", "NVIDIA H100 PCIe")
OTHER = machine("other", "NVIDIA GH200 120GB", page_bytes=65536)


def whole(on, scale):
    """Every kind of run that compare knows, of a machine that is `scale` times as fast."""
    spaces = [himeno(on, 2800 * scale, 3000 * scale, first=0.0), himeno(on, 2700 * scale, 3000 * scale, space="managed", first=1.5),
              himeno(on, 45 * scale, 55 * scale, "link", "host-pinned", first=0.0)]
    strong = [himeno(on, 2500 * scale * n ** 0.9, 3000 * scale * n, size="L", ranks=(n, 1, 1), iterations=30, touch="device", first=0.0) for n in (1, 2, 4)]
    weak = [himeno(on, 2600 * scale * n ** 0.97, 3000 * scale * n, size=f"{256 * n}x256x256", ranks=(n, 1, 1), iterations=20, touch="device", first=0.0)
            for n in (1, 2, 4)]
    return spaces + strong + weak + [membench(on, scale), transpose(on, scale)]
