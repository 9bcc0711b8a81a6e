#!/usr/bin/env python3
"""Damages results files in bytes and in structure, and runs every reader of them.

usage: damage.py BIN [--seed N] [--seconds S | --count N] [--from N] [--jobs N] [--keep FOLDER]

BIN holds compare, himeno, transpose and membench. Case N of a seed is always the same damage: with
`--from N --count 1` it is made again. A case is a finding where a reader ends by a signal or with a
code that is not documented, says more or less than one line of an error, takes more than 15 s of a
processor or 1.5 GB, or leaves another file than the old one or a whole new one. Exit code 1 where
there is a finding; 77 where this Python has no h5py.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

MOST_CPU_SECONDS, MOST_WALL_SECONDS, MOST_KILOBYTES = 15, 60, 1536 * 1024
READERS = ("compare", "compare", "probes", "append")  # compare twice: it reads most
RUN = ["--size", "8x8x8", "--iterations", "1", "--memspace", "host-pinned", "--exec", "host", "--quiet"]
# Where damage does most: the signatures of HDF5's metadata, and of our checksum.
MARKS = (b"GCOL", b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"BTHD", b"BTLF", b"BTIN", b"FSHD", b"FSSE", b"FADB",
         b"TREE", b"HEAP", b"SNOD", b"\x89HDF", b"memstencil_checksum")


def environment(folder):
    quiet = {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OMPI_MCA_pml": "^cm,ucx",
             # Open MPI without a daemon of its own for each program, which then need folders of their own.
             "OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_orte_tmpdir_base": folder}  # fmt: skip
    return os.environ | quiet | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


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
        [0, -1, 2**62, 10**12, 1.5, float("nan"), float("inf"), -1e308, "", "x" * 70000, "\n", "0", True,
         b"\xff\xfe", numpy.int8(3), numpy.uint64(2**64 - 1), numpy.float16(2), [1, 2, 3], ["a", "b"],
         numpy.zeros((2, 2)), numpy.complex128(1), h5py.Empty("f8"), h5py.Empty("S3"), numpy.bytes_(b"fixed")]
    )  # fmt: skip


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
        group.create_dataset(name, (rng.choice([0, 1, 2]),), rng.choice(["f8", "i8", "i1", "f4", "S5", "u8"]))
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
        group.create_dataset(name, data=[0, 1], dtype=h5py.enum_dtype({"NO": 0, "YES": 1, "MAYBE": 2}, "i1"))


def change_dataset(rng, file):
    sets = [o for o in objects_of(file) if isinstance(o, h5py.Dataset)]
    item = rng.choice(sets)
    group, name = item.parent, item.name.rsplit("/", 1)[1]
    what = rng.randrange(4)
    if what == 0:
        del group[name]
    elif what == 1:
        group.move(name, rng.choice(["x", name + "x", "0001"]))
    elif what == 2 and item.size and item.dtype.kind in "if":
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


def damage(rng, source, target):
    """Returns what was done, for the reader of a finding."""
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
    # Most cases as files of an older program, which nothing but the library's process stands before.
    if rng.random() < 0.8 and (at := data.rfind(b'\n{"memstencil_checksum')) >= 0:
        del data[at:]
    step = rng.choice(BYTES)
    step(rng, data)
    with open(target, "wb") as file:
        file.write(data)
    return [step.__name__]


# --- the readers


def command(reader, programs, path):
    if reader == "compare":
        return [os.path.join(programs, "compare"), path, "--format", "json"]
    if reader == "probes":
        return [os.path.join(programs, "himeno"), *RUN, "--probes", path]
    return [os.path.join(programs, "himeno"), *RUN, "--output", path, "--append"]


def run(arguments, folder):
    """Code, seconds of processors, kilobytes, standard error."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory(prefix="mpi-") as own:
        with subprocess.Popen(arguments, cwd=folder, env=environment(own), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True) as child:
            timer = threading.Timer(MOST_WALL_SECONDS, os.killpg, (child.pid, signal.SIGKILL))
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, text


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Driver:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.sources = self.make_sources()
        self.codes = collections.Counter()
        self.findings = []
        self.most_seconds = self.most_kilobytes = 0

    def make_sources(self):
        """Small files of every program, by this build."""
        runs = os.path.join(self.work, "runs.h5")
        probes = os.path.join(self.work, "probes.h5")
        himeno, transpose, membench = (os.path.join(self.options.bin, p) for p in ("himeno", "transpose", "membench"))
        for arguments in (
            [himeno, *RUN, "--output", runs],
            [himeno, *RUN, "--output", runs, "--append", "--repeat", "2", "--gosa-history", "--save-field"],
            [transpose, "--rows", "64", "--cols", "64", "--iterations", "2", "--variant", "all", "--exec", "host",
             "--memspace", "host-pinned", "--quiet", "--output", runs, "--append"],
            [membench, "link", "--size", "1048576", "--repeats", "3", "--quiet", "--output", probes],
        ):  # fmt: skip
            done = subprocess.run(arguments, env=environment(self.work), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"cannot make the sources: {' '.join(arguments)}: {done.stderr}")
        return [runs, runs, probes]

    def case(self, number):
        rng = random.Random(f"{self.options.seed}-{number}")
        reader, source = rng.choice(READERS), rng.choice(self.sources)
        folder = tempfile.mkdtemp(prefix=f"case{number}-", dir=self.work)
        path = os.path.join(folder, "r.h5")
        done = damage(rng, source, path)
        before = content(path)
        arguments = command(reader, self.options.bin, path)
        code, seconds, kilobytes, errors = run(arguments, folder)
        lines = errors.removesuffix("\n").split("\n") if errors else []
        wrong = []
        if code not in (0, 1, 2, 3, 4):
            wrong.append(f"code {code}")
        if code == 0 and lines or code != 0 and (len(lines) != 1 or ": " not in lines[0]):
            wrong.append(f"{len(lines)} lines")
        if any(ord(c) < 32 for line in lines for c in line):
            wrong.append("control characters on the terminal")
        if seconds > MOST_CPU_SECONDS:
            wrong.append(f"{seconds:.1f} s")
        if kilobytes > MOST_KILOBYTES:
            wrong.append(f"{kilobytes} kB")
        if os.listdir(folder) != ["r.h5"]:
            wrong.append(f"left {sorted(os.listdir(folder))}")
        elif reader != "append" or code != 0:
            if content(path) != before:
                wrong.append("the file changed")
        else:
            again = run(command("compare", self.options.bin, path), folder)
            if again[0] < 0 or b"memstencil_checksum" not in content(path)[-70000:]:
                wrong.append("what was appended to is damaged")
        self.codes[(reader, code)] += 1
        self.most_seconds = max(self.most_seconds, seconds)
        self.most_kilobytes = max(self.most_kilobytes, kilobytes)
        if wrong:
            told = f"case {number} ({reader}, {'+'.join(done)}): {', '.join(wrong)}: {errors.strip()[:300]!r}"
            self.findings.append(told)
            print("FINDING", told, flush=True)
            if self.options.keep:
                os.makedirs(self.options.keep, exist_ok=True)
                with open(os.path.join(self.options.keep, f"case{number}.h5"), "wb") as file:
                    file.write(before)
        shutil.rmtree(folder)

    def all_cases(self):
        end = time.monotonic() + self.options.seconds if self.options.seconds else None
        number, last = self.options.start, self.options.start + self.options.count
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            waiting = set()
            while number < last and (end is None or time.monotonic() < end) or waiting:
                while len(waiting) < 2 * self.options.jobs and number < last and not (end and time.monotonic() > end):
                    waiting.add(pool.submit(self.case, number))
                    number += 1
                finished, waiting = concurrent.futures.wait(waiting, return_when="FIRST_COMPLETED")
                for each in finished:
                    each.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--from", dest="start", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    if not options.seconds and options.count == 10**9:
        options.seconds = 60
    with tempfile.TemporaryDirectory(prefix="memstencil-damage-") as work:
        driver = Driver(options, work)
        driver.all_cases()
    total = sum(driver.codes.values())
    by_reader = ", ".join(f"{reader} {code}: {n}" for (reader, code), n in sorted(driver.codes.items()))
    print(f"seed {options.seed}: {total} damaged files, {len(driver.findings)} findings; exit codes: {by_reader}; "
          f"at most {driver.most_seconds:.1f} s of a processor and {driver.most_kilobytes / 1024:.0f} MiB")
    return 1 if driver.findings else 0


if __name__ == "__main__":
    sys.exit(main())
