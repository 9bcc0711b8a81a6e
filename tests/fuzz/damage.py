#!/usr/bin/env python3
"""Damages results files at random, and has every reader refuse them.

usage: damage.py BIN [--seed N] [--seconds S | --count N] [--from N] [--jobs N] [--keep FOLDER]

BIN holds memcompare, himeno, transpose and membench. Case N of a seed is always the same damage, done
to files that this run makes: they hold measured times, so that another run makes nearly, but not
quite, the same case (`--from N --count 1`). `--keep` keeps the files of findings. A case is a finding
where a reader ends by a signal, says more or less than one line, prints a control character, ends with
another code than 1, or changes or leaves a file. Exit code 1 where there is a finding.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

SMALL = "--size 8x8x8 --iterations 1 --memspace host-pinned --exec host --quiet".split()
TRANSPOSE = "--rows 64 --cols 64 --iterations 2 --exec host --memspace host-pinned --quiet".split()
MEMBENCH = "link --size 1048576 --repeat 3 --quiet".split()
MOST_SECONDS = 150
HERE = "the damaged file"
FOLDER = "its folder, with a whole file in it"
READERS = {  # how often, and the command
    "memcompare": (6, "memcompare", HERE, "--format", "json"),
    "memcompare --full": (3, "memcompare", HERE, "--full"),
    "memcompare FOLDER": (3, "memcompare", FOLDER, "--format", "markdown"),
    "memcompare --html": (1, "memcompare", HERE, "--quiet", "--html", "out.html"),
}


# --- damage: each gives other bytes than those of the file, of which `other` is another


def change_bytes(rng, data, _):
    for _ in range(rng.randint(1, 16)):
        data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])


def flip_a_bit(rng, data, _):
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def flip_a_bit_of_the_block(rng, data, _):
    data[rng.randrange(512)] ^= 1 << rng.randrange(8)


def overwrite_a_part(rng, data, _):
    at, length = rng.randrange(len(data)), rng.choice([4, 8, 64, 512, 4096])
    length = min(length, len(data) - at)
    data[at : at + length] = rng.choice([bytes(length), b"\xff" * length, rng.randbytes(length)])


def zeros_to_the_end(rng, data, _):
    at = rng.randrange(len(data))
    data[at:] = bytes(len(data) - at)


def copy_a_part(rng, data, _):
    length = rng.choice([8, 64, 512])
    source, target = (rng.randrange(len(data) - length) for _ in range(2))
    data[target : target + length] = data[source : source + length]


def cut_off(rng, data, _):
    del data[rng.randrange(len(data)) :]


def insert_bytes(rng, data, _):
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.randbytes(rng.choice([1, 8, 100]))


def half_of_another(rng, data, other):
    at = rng.randrange(len(data))
    data[at:] = other[at:]


def the_block_of_another(_, data, other):
    data[:512] = other[:512]


def without_its_block(_, data, __):
    del data[:512]


KINDS = (
    change_bytes,
    flip_a_bit,
    flip_a_bit_of_the_block,
    overwrite_a_part,
    zeros_to_the_end,
    copy_a_part,
    cut_off,
    insert_bytes,
    half_of_another,
    the_block_of_another,
    without_its_block,
)


def damaged(rng, whole):
    """The names of the damage, and bytes that are none of the whole files'."""
    source, other = rng.sample(whole, 2)
    data, done = bytearray(source), []
    while bytes(data) in whole or not done:
        kind = rng.choice(KINDS)
        if len(data) > 1024:  # more than one, now and then
            kind(rng, data, other)
        else:
            data[:] = rng.choice([b"", b"\n", rng.randbytes(700)])
        done.append(kind.__name__)
    return done, bytes(data)


# --- the readers


def environment(folder):
    quiet = {
        "OMP_NUM_THREADS": "1",
        "OMP_PROC_BIND": "false",
        "OMPI_MCA_pml": "^cm,ucx",
        # Open MPI without a daemon of its own for each program: they need own folders.
        "OMPI_MCA_ess_singleton_isolated": "1",
        "OMPI_MCA_orte_tmpdir_base": folder,
    }
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return os.environ | quiet | root


def has_controls(text, but="\n"):
    return any((ord(c) < 32 or 127 <= ord(c) < 160) and c not in but for c in text)


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Driver:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.whole = self.make_sources()
        self.codes = collections.Counter()
        self.findings = []

    def make_sources(self):
        """Small results of every program, by this build."""
        folder = os.path.join(self.work, "whole/")
        for program, *arguments in (
            ("himeno", *SMALL),
            ("himeno", *SMALL, "--repeat", "2"),
            ("transpose", *TRANSPOSE, "--variant", "all"),
            ("membench", *MEMBENCH),
        ):
            command = [os.path.join(self.options.bin, program), *arguments, "--output", folder]
            done = subprocess.run(
                command, env=environment(self.work), capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                sys.exit(f"cannot make the sources: {' '.join(command)}: {done.stderr}")
        return [content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]

    def wrong_with(self, folder, reader, before):
        """What the reader did wrong, and what it said."""
        _, program, *arguments = READERS[reader]
        places = {HERE: "r.h5", FOLDER: "."}
        if FOLDER in arguments:
            with open(os.path.join(folder, "whole.h5"), "wb") as file:
                file.write(self.whole[0])
        there = sorted(os.listdir(folder))
        with tempfile.TemporaryDirectory(prefix="mpi-") as own:
            done = subprocess.run(
                [os.path.join(self.options.bin, program), *(places.get(a, a) for a in arguments)],
                cwd=folder,
                env=environment(own),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MOST_SECONDS,
                check=False,
            )
        errors, output = done.stderr.decode(errors="replace"), done.stdout
        self.codes[(reader, done.returncode)] += 1
        wrong = []
        if done.returncode != 1:
            wrong.append(f"code {done.returncode}")
        if output or errors.count("\n") != 1 or "r.h5: " not in errors:
            wrong.append("not one line that names the file")
        if has_controls(errors):
            wrong.append("control characters on the terminal")
        if sorted(os.listdir(folder)) != there or content(os.path.join(folder, "r.h5")) != before:
            wrong.append(f"left {sorted(os.listdir(folder))}")
        return wrong, errors

    def case(self, number):
        rng = random.Random(f"{self.options.seed}-{number}")
        reader = rng.choices(list(READERS), [weight for weight, *_ in READERS.values()])[0]
        done, data = damaged(rng, self.whole)
        folder = tempfile.mkdtemp(prefix=f"case{number}-", dir=self.work)
        with open(os.path.join(folder, "r.h5"), "wb") as file:
            file.write(data)
        wrong, errors = self.wrong_with(folder, reader, data)
        if wrong:
            what = f"case {number} ({reader}, {'+'.join(done)}): {', '.join(wrong)}"
            self.findings.append(what)
            print("FINDING", f"{what}: {errors.strip()[:300]!r}", flush=True)
            if self.options.keep:
                os.makedirs(self.options.keep, exist_ok=True)
                with open(os.path.join(self.options.keep, f"case{number}.h5"), "wb") as file:
                    file.write(data)
        shutil.rmtree(folder)

    def all_cases(self):
        end = time.monotonic() + self.options.seconds if self.options.seconds else None
        numbers = range(self.options.start, self.options.start + self.options.count)

        def unless_over(number):
            if end is None or time.monotonic() < end:
                self.case(number)
                return True
            return False

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for first in range(0, len(numbers), 64):
                if not all(pool.map(unless_over, numbers[first : first + 64])):
                    break


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
    by_reader = ", ".join(
        f"{reader} {code}: {n}" for (reader, code), n in sorted(driver.codes.items())
    )
    print(
        f"seed {options.seed}: {sum(driver.codes.values())} damaged files, "
        f"{len(driver.findings)} findings; exit codes: {by_reader}"
    )
    return 1 if driver.findings else 0


if __name__ == "__main__":
    sys.exit(main())
