"""Damage of results files, by a generator of random numbers: in bytes, or in structure by h5py."""

import json
import shutil
import zlib

import h5py
import numpy

# Where damage does most: the signatures of HDF5's metadata, and of our checksum.
MARKS = (
    b"GCOL",
    b"OHDR",
    b"OCHK",
    b"FRHP",
    b"FHDB",
    b"BTHD",
    b"BTLF",
    b"BTIN",
    b"FSHD",
    b"FSSE",
    b"FADB",
    b"TREE",
    b"HEAP",
    b"SNOD",
    b"\x89HDF",
    b"memstencil_checksum",
)

# --- damage of bytes


def somewhere(rng, data):
    """A place in the file: half of the time close behind a signature."""
    marks = [m for m in MARKS if m in data]
    if marks and rng.random() < 0.5:
        mark, at = rng.choice(marks), rng.randrange(len(data))
        found = data.find(mark, at)
        return min(len(data) - 1, (found if found >= 0 else data.find(mark)) + rng.randrange(64))
    return rng.randrange(len(data))


def change_bytes(rng, data):
    for _ in range(rng.randint(1, 16)):
        data[somewhere(rng, data)] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])


def flip_a_bit(rng, data):
    data[somewhere(rng, data)] ^= 1 << rng.randrange(8)


def overwrite_block(rng, data):
    at, length = somewhere(rng, data), rng.choice([4, 8, 16, 64, 512, 4096])
    data[at : at + length] = rng.choice([bytes(length), b"\xff" * length, rng.randbytes(length)])


def copy_block(rng, data):
    length = rng.choice([8, 64, 512])
    source, target = somewhere(rng, data), somewhere(rng, data)
    data[target : target + length] = data[source : source + length]


def write_number(rng, data):
    at, size = somewhere(rng, data), rng.choice([2, 4, 8])
    value = rng.choice([0, 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1, len(data), len(data) - 1])
    data[at : at + size] = (value % 256**size).to_bytes(size, "little")


def cut_off(rng, data):
    del data[rng.randrange(len(data)) :]


def insert_bytes(rng, data):
    at = somewhere(rng, data)
    data[at:at] = rng.randbytes(rng.choice([1, 8, 100]))


BYTES = (change_bytes, flip_a_bit, overwrite_block, copy_block, write_number, cut_off, insert_bytes)

# --- damage of structure


def objects_of(file):
    found = [file]
    file.visititems(lambda _, item: found.append(item))
    return found


def odd_value(rng):
    return rng.choice(
        [
            0,
            -1,
            2**62,
            10**12,
            1.5,
            float("nan"),
            float("inf"),
            -1e308,
            "",
            "x" * 70000,
            "\n",
            "0",
            True,
            b"\xff\xfe",
            numpy.int8(3),
            numpy.uint64(2**64 - 1),
            numpy.float16(2),
            [1, 2, 3],
            ["a", "b"],
            numpy.zeros((2, 2)),
            numpy.complex128(1),
            h5py.Empty("f8"),
            h5py.Empty("S3"),
            numpy.bytes_(b"fixed"),
        ]
    )


def change_attribute(rng, file):
    item = rng.choice([o for o in objects_of(file) if len(o.attrs)])
    name = rng.choice(sorted(item.attrs))
    what = rng.randrange(4)
    if what == 0:
        del item.attrs[name]
    elif what == 1:
        value = item.attrs[name]
        del item.attrs[name]
        item.attrs[rng.choice(["x", name + "x", name[:-1] or "y", "schema", "program"])] = value
    else:
        item.attrs[name] = odd_value(rng)


def add_dataset(rng, group, name):
    kind = rng.randrange(9)
    if kind == 0:
        group.create_dataset(name, (10**12,), "f8", chunks=(1024,))
    elif kind == 1:
        group.create_dataset(
            name, (rng.choice([0, 1, 2]),), rng.choice(["f8", "i8", "i1", "f4", "S5", "u8"])
        )
    elif kind == 2:
        group.create_dataset(name, (3, 3), "f8")
    elif kind == 3:
        group.create_dataset(name, data=["text"] * 3)
    elif kind == 4:
        group.create_dataset(name, (50_000_000,), "i1", chunks=(1 << 20,), compression="gzip")
    elif kind == 5:
        group.create_dataset(name, data=numpy.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]))
    elif kind == 6:
        group.create_dataset(name, data=numpy.array([1.0, float("nan")]))
    elif kind == 7:
        group.create_dataset(name, (4,), "i1", external=[("/etc/hostname", 0, 4)])
    else:
        group.create_dataset(
            name, data=[0, 1], dtype=h5py.enum_dtype({"NO": 0, "YES": 1, "MAYBE": 2}, "i1")
        )


def change_dataset(rng, file):
    sets = [o for o in objects_of(file) if isinstance(o, h5py.Dataset)]
    item = rng.choice(sets)
    group, name = item.parent, item.name.rsplit("/", 1)[1]
    what = rng.randrange(4)
    if what == 0:
        del group[name]
    elif what == 1:
        group.move(name, rng.choice(["x", name + "x", "0001"]))
    elif what == 2 and 0 < item.size <= 10**6 and item.dtype.kind in "if":
        values = item[...].ravel()
        values[rng.randrange(values.size)] = rng.choice([0, -1, 100])
        del group[name]
        group[name] = values if rng.random() < 0.5 else values[: rng.randrange(values.size + 1)]
    else:
        del group[name]
        add_dataset(rng, group, name)


def change_group(rng, file):
    groups = [o for o in objects_of(file) if isinstance(o, h5py.Group) and o.name != "/"]
    item = rng.choice(groups)
    parent, name = item.parent, item.name.rsplit("/", 1)[1]
    what = rng.randrange(8)
    if what == 0:
        del parent[name]
    elif what == 1:
        parent.move(name, rng.choice(["x", "0000", "0001x", "99999999999999999999"]))
    elif what == 2:
        item["again"] = item
    elif what == 3:
        item["gone"] = h5py.SoftLink("/nowhere")
    elif what == 4:
        item["other"] = h5py.ExternalLink("other.h5", "/")
    elif what == 5:
        del parent[name]
        add_dataset(rng, parent, name)
    elif what == 6:
        for _ in range(100):
            item = item.create_group("deeper")
    else:
        parent["type"] = numpy.dtype("f8")  # a type that stands by itself


STRUCTURE = (change_attribute, change_attribute, change_dataset, change_dataset, change_group)


def sign(path):
    """Ends the damaged file with a checksum that is right."""
    with open(path, "rb+") as file:
        data = file.read()
        told = {"crc32": f"{zlib.crc32(data):08x}", "bytes": len(data), "without": []}
        text = json.dumps({"memstencil_checksum": told}, separators=(",", ":"))
        file.write(f"\n{text}\n".encode())


def damage(rng, source, target):
    """Returns what was done, for the reader of a finding."""
    done = unsigned_damage(rng, source, target)
    if rng.random() < 0.2:
        sign(target)
        done.append("sign")
    return done


def unsigned_damage(rng, source, target):
    if rng.random() < 0.35:
        shutil.copy(source, target)
        done = []
        with h5py.File(target, "r+") as file:
            for _ in range(rng.choice([1, 1, 1, 2, 4])):
                step = rng.choice(STRUCTURE)
                try:
                    step(rng, file)
                    done.append(step.__name__)
                except (ValueError, OSError, TypeError, RuntimeError, KeyError, IndexError):
                    pass  # the file is a little less damaged
        return done
    with open(source, "rb") as file:
        data = bytearray(file.read())
    # Most cases as files of an older program: nothing but the library's process stands before them.
    if rng.random() < 0.8 and (at := data.rfind(b'\n{"memstencil_checksum')) >= 0:
        del data[at:]
    step = rng.choice(BYTES)
    step(rng, data)
    with open(target, "wb") as file:
        file.write(data)
    return [step.__name__]
