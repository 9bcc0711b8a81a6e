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


def machine(name, gpu, **memory):
    made = copy.deepcopy(PLAIN["machine"]) | {"hostname": name}
    made["cpu"]["model"] = "CPU of " + gpu
    made["memory"].update(memory)
    made["gpu"]["name"] = gpu
    return made


def himeno(on, gbs, space="device", size="XL", iterations=60):
    extents = {"XL": [512, 512, 1024], "L": [256, 256, 512]}[size]
    second = 56e-9 * math.prod(n - 2 for n in extents) / gbs
    return _result(
        "himeno",
        on,
        size=size,
        extents=extents,
        iterations=iterations,
        memspace={"requested": space, "effective": space},
        mflops=34e-6 * math.prod(n - 3 for n in extents) / second,
        bandwidth_gbs=gbs,
        limit={"kind": "copy", "gbs": 3000.0, "fraction": gbs / 3000},
        phases=PLAIN["himeno"]["phases"] | {"sweeps": iterations * second},
        sweeps={"seconds": [second] * iterations},
    )


def membench(on):
    return _result("membench", on)


ONE = machine("one", "NVIDIA H100 PCIe")
OTHER = machine("other", "NVIDIA GH200 120GB", page_bytes=65536)
