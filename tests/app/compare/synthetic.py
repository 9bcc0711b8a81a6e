# Result files of machines that do not exist, for the tests of memcompare: small numbers in the schema of
# docs/reference/result-format.md. Their members are those of results.json, as in records.hpp.
import contextlib
import copy
import json
import math
import os
import zlib

import h5py
import numpy

from synthetic_membench import probes_at

with open(os.path.join(os.path.dirname(__file__), "results.json")) as file:
    PLAIN = json.load(file)


def _result(program, on, **members):
    """The program's plain result, but for these members."""
    return {**copy.deepcopy(PLAIN[program]), "machine": on, **members}


def text(value):
    """As h5py stores it with a fixed length, which is at least 1."""
    return numpy.array(value.encode(), h5py.string_dtype("utf-8", max(1, len(value.encode()))))


def _write(group, record):
    for name, value in record.items():
        if value is None:
            group.attrs[name] = numpy.zeros(0, numpy.uint8)
        elif isinstance(value, dict):
            _write(group.create_group(name), value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            members = group.create_group(name)
            for n, each in enumerate(value):
                _write(members.create_group(f"{n + 1:04}"), each)
        elif isinstance(value, list) and value and isinstance(value[0], str):
            group[name] = numpy.array([each.encode() for each in value])
        elif isinstance(value, list) and value:
            group[name] = value
        elif isinstance(value, list):
            group.attrs[name] = numpy.zeros(0)
        elif isinstance(value, str):
            group.attrs[name] = text(value)
        else:
            group.attrs[name] = numpy.uint8(value) if isinstance(value, bool) else value


def seal(path):
    """Makes the first 512 bytes of the file what docs/reference/result-format.md says."""
    with h5py.File(path) as file:
        version = file.attrs["schema_version"]
    with open(path, "r+b") as file:
        image = file.read()[512:]
        file.seek(0)
        file.write(f"memstencil-results {version} {len(image)} {zlib.crc32(image):08x}\n".encode().ljust(512, b"\0"))


@contextlib.contextmanager
def edited(path):
    """A whole result again after what was done to its HDF5 file."""
    with h5py.File(path, "r+") as file:
        yield file
    seal(path)


def write_file(path, run):
    h5py.get_config().track_order = True
    with h5py.File(path, "w", userblock_size=512, libver=("v108", "v108")) as file:
        _write(file, {"schema": "memstencil-results", "schema_version": 3, **run})
    seal(path)
    return path


def write_folder(path, runs):
    os.makedirs(path)
    for n, run in enumerate(runs):
        write_file(os.path.join(path, f"{n + 1:04}.h5"), run)
    return path


# As inputs/machines has them, whose descriptions fit a machine by GPU and cores.
CORES = {"NVIDIA H100 PCIe": 48, "NVIDIA GH200 120GB": 72}


def machine(name, gpu, **memory):
    made = {**copy.deepcopy(PLAIN["machine"]), "hostname": name}
    made["cpu"]["model"] = "CPU of " + gpu
    made["memory"].update(memory)
    made["cpu"]["cores"] = CORES[gpu]
    made["gpu"]["name"] = gpu
    return made


def himeno(
    on,
    gbs,
    limit=3000.0,
    kind="copy",
    space="device",
    size="XL",
    sweep="single",
    iterations=60,
    ranks=(1, 1, 1),
    touch="host",
    first=1.0,
    joules=None,
):
    extents = {"XL": [512, 512, 1024], "L": [256, 256, 512]}.get(size) or [int(n) for n in size.split("x")]
    points = math.prod(n - 2 for n in extents)
    second = 56 * points / (gbs * 1e9)
    seconds = [first + second] + [second] * (iterations - 1)
    phases = {
        "allocate": 0.4,
        "initialise": 0.8,
        "upload": 0.25 if space == "device" else 0.0,
        "sweeps": sum(seconds),
        "halo": 0.0,
        "reduce": 1e-5,
        "download": 0.02 if space == "device" else 0.0,
        "free": 0.1,
    }
    mflops = 34e-6 * math.prod(n - 3 for n in extents) * iterations
    return _result(
        "himeno",
        on,
        size=size,
        extents=extents,
        iterations=iterations,
        ranks=list(ranks),
        memspace={"requested": space, "effective": space},
        first_touch=touch,
        sweep=sweep,
        halo="none" if ranks == (1, 1, 1) else "device",
        mflops=mflops / sum(seconds),
        bandwidth_gbs=gbs,
        limit={"kind": kind, "gbs": limit, "fraction": gbs / limit},
        phases=phases,
        sweeps={"seconds": seconds},
        **({"energy": energy_of(joules)} if joules else {}),
    )


def heat(on, gbs, **like):
    """As a himeno run, but for its name and options."""
    run = himeno(on, gbs, **like)
    del run["options"]["coefficients"]
    return run | {"program": "heat"}


def energy_of(joules_per_iteration):
    gpus = {"count": 1, "joules": 0.0, "mean_watts": 0.0}
    return {"seconds": 2.0, "gpus": gpus | {"joules_per_iteration": joules_per_iteration}}


def transpose(on, scale=1.0, ranks=1, side=4096):
    gbs = {"copy": 3000, "portable": 2950, "padded": 2800, "naive": 400}

    def variant(name):
        rate = gbs[name] * scale * ranks
        spread = {"min": 0.98 * rate, "median": rate, "max": 1.01 * rate}
        return {
            "name": name,
            "gbs": spread,
            "of_copy": gbs[name] / 3000,
            "fraction": gbs[name] / 3000,
            "verified": True,
            "bytes": 8.0 * side * side,
            "seconds": [8e-9 * side * side / rate] * 20,
        }

    variants = [variant(name) for name in gbs]
    variants[1]["energy"] = energy_of(0.8)
    return _result(
        "transpose",
        on,
        size=f"{side}x{side}",
        rows=side,
        columns=side,
        ranks=ranks,
        memspace={"requested": "device", "effective": "device"},
        first_touch="device",
        variants=variants,
        limit={"kind": "copy", "gbs": 3000.0 * scale},
    )


def membench(on, scale=1.0):
    return _result("membench", on, probes=probes_at(scale))


ONE = machine("one", "NVIDIA H100 PCIe")
OTHER = machine("other", "NVIDIA GH200 120GB", page_bytes=65536)


def whole(on, scale):
    """Every kind of run that memcompare knows, of a machine that is `scale` times as fast."""
    spaces = [
        himeno(on, 2800 * scale, 3000 * scale, first=0.0, joules=2.5 / scale),
        himeno(on, 2700 * scale, 3000 * scale, space="managed", first=1.5),
        himeno(on, 45 * scale, 55 * scale, "link", "host-pinned", first=0.0),
    ]

    def on_ranks(n, gbs, size, iterations):
        of = {"size": size, "ranks": (n, 1, 1), "iterations": iterations, "touch": "device", "first": 0.0}
        return himeno(on, gbs * scale, 3000 * scale * n, **of)

    strong = [on_ranks(n, 2500 * n**0.9, "L", 30) for n in (1, 2, 4)]
    weak = [on_ranks(n, 2600 * n**0.97, f"{256 * n}x256x256", 20) for n in (1, 2, 4)]
    return spaces + strong + weak + [membench(on, scale), transpose(on, scale), transpose(on, scale, side=8192)]


def two_sides(path, one="one", other="other"):
    """Folders of all that ran on two machines, of which the other is twice as fast."""
    return [write_folder(path(one), whole(ONE, 1.0)), write_folder(path(other), whole(OTHER, 2.0))]
