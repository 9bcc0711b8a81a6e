#!/usr/bin/env python3
"""Damages results files, TOML files and numbers of options at random, and has every reader refuse them.

usage: damage.py BIN [--seed N] [--seconds S | --count N] [--from N] [--jobs N] [--keep FOLDER]

BIN holds memcompare, himeno, transpose and membench. Case N of a seed is always the same damage; results
are made by this run and hold measured times, so that another run makes nearly, but not quite, the same
case (`--from N --count 1`). `--keep` keeps the files of findings. A case is a finding if a reader ends by
a signal, refuses in more or less than one line, prints a control character, changes or leaves a file, or
ends with another code than 1 for a result and than 0, 2 or 3 for the rest. Exit code 1 if there is one.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from kinds import changed_number, damaged, damaged_toml

SMALL = "--size 8x8x8 --iterations 1 --memspace host-pinned --exec host --quiet".split()
TRANSPOSE = "--rows 64 --cols 64 --iterations 2 --exec host --memspace host-pinned --quiet".split()
MEMBENCH = "link --size 1048576 --repeat 3 --quiet".split()
MOST_SECONDS = 150
INPUTS = pathlib.Path(__file__).resolve().parents[2] / "inputs"
HERE = "the damaged file"
FOLDER = "its folder, with a whole file in it"
READERS = {  # how often, and the command
    "memcompare": (6, "memcompare", HERE, "--format", "json"),
    "memcompare --full": (3, "memcompare", HERE, "--full"),
    "memcompare FOLDER": (3, "memcompare", FOLDER, "--format", "markdown"),
    "memcompare --html": (1, "memcompare", HERE, "--quiet", "--html", "out.html"),
}
WHOLE = "whole.h5"
H200 = str(INPUTS / "machines/h200.toml")
PREDICTION = ("memcompare", "--predict", "himeno", "--machine")
TOML = {  # the folder of inputs/, and who reads its files
    "himeno": ("himeno", "--list-memspaces", "--input", HERE),
    "transpose": ("transpose", "--list-memspaces", "--input", HERE),
    "machines": (*PREDICTION, HERE),
    "assume": (*PREDICTION, H200, "--assume", HERE),
    "reference": ("memcompare", WHOLE, "--reference", HERE),
}
# Commands whose last word is damaged; nothing is run.
NUMBERS = [
    *(("himeno", "--list-memspaces", *option.split()) for option in (
        "--size 17x19x33", "--iterations 10", "--seconds 1.5", "--repeat 3", "--sweep temporal:4",
        "--coefficients random:7", "--ranks 2x1x1", "--gpu 0")),
    *(("transpose", "--list-memspaces", *option.split()) for option in (
        "--rows 100", "--cols 200", "--pitch 64", "--tile 32", "--iterations 5", "--repeat 2")),
    ("membench", "list", "--gpu", "0"),
    *((*PREDICTION, H200, *option.split()) for option in ("--size 64x64x128", "--iterations 10", "--nodes 2")),
    ("memcompare", WHOLE, "--fail-above", "2.5"),
]  # fmt: skip


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

    def ran(self, folder, command, places):
        """The code of the command in the folder, its errors and its output."""
        program, *arguments = (places.get(word, word) for word in command)
        with tempfile.TemporaryDirectory(prefix="mpi-") as own:
            done = subprocess.run(
                [os.path.join(self.options.bin, program), *arguments],
                cwd=folder,
                env=environment(own),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MOST_SECONDS,
                check=False,
            )
        return done.returncode, done.stderr.decode(errors="replace"), done.stdout.decode(errors="replace")

    def wrong_with(self, folder, reader, before):
        """What the reader did wrong, and what it said."""
        _, *command = READERS[reader]
        if FOLDER in command:
            with open(os.path.join(folder, "whole.h5"), "wb") as file:
                file.write(self.whole[0])
        there = sorted(os.listdir(folder))
        code, errors, output = self.ran(folder, command, {HERE: "r.h5", FOLDER: "."})
        self.codes[(reader, code)] += 1
        wrong = []
        if code != 1:
            wrong.append(f"code {code}")
        if output or errors.count("\n") != 1 or "r.h5: " not in errors:
            wrong.append("not one line that names the file")
        if has_controls(errors):
            wrong.append("control characters on the terminal")
        if sorted(os.listdir(folder)) != there or content(os.path.join(folder, "r.h5")) != before:
            wrong.append(f"left {sorted(os.listdir(folder))}")
        return wrong, errors

    def case(self, number):
        rng = random.Random(f"{self.options.seed}-{number}")
        rng.choices((self.result_case, self.toml_case, self.number_case), weights=(2, 1, 1))[0](rng, number)

    def toml_case(self, rng, number):
        folder = rng.choice(list(TOML))
        files = sorted((INPUTS / folder).glob("*.toml"))
        kind, data = damaged_toml(rng, rng.choice(files).read_bytes(), rng.choice(files).read_bytes())
        self.other_case(number, TOML[folder], data, f"{folder}, {kind}")

    def number_case(self, rng, number):
        *command, text = rng.choice(NUMBERS)
        self.other_case(number, (*command, changed_number(rng, text)), None, "")

    def other_case(self, number, command, data, what):
        """A TOML file of these bytes, or a changed word of the command: it may be good all the same."""
        folder = tempfile.mkdtemp(prefix=f"case{number}-", dir=self.work)
        files = {WHOLE: self.whole[0]} | ({"d.toml": data} if data is not None else {})
        for name, text in files.items():
            pathlib.Path(folder, name).write_bytes(text)
        code, errors, output = self.ran(folder, command, {HERE: "d.toml"})
        self.codes[(f"{command[0]} {'numbers' if data is None else 'toml'}", code)] += 1
        wrong = []
        if code not in (0, 2, 3):
            wrong.append(f"code {code}")
        if code and (output or errors.count("\n") != 1 or not errors.startswith(command[0])):
            wrong.append("not one line of the program")
        if has_controls(errors + output):
            wrong.append("control characters on the terminal")
        if {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()} != files:
            wrong.append("a file was changed or left")
        if wrong:
            self.finding(f"case {number} ({what} {command}): {', '.join(wrong)}", errors, f"case{number}.toml", data)
        shutil.rmtree(folder)

    def finding(self, what, errors, name, data):
        self.findings.append(what)
        print("FINDING", f"{what}: {errors.strip()[:300]!r}", flush=True)
        if self.options.keep and data is not None:
            os.makedirs(self.options.keep, exist_ok=True)
            pathlib.Path(self.options.keep, name).write_bytes(data)

    def result_case(self, rng, number):
        reader = rng.choices(list(READERS), [weight for weight, *_ in READERS.values()])[0]
        done, data = damaged(rng, self.whole)
        folder = tempfile.mkdtemp(prefix=f"case{number}-", dir=self.work)
        with open(os.path.join(folder, "r.h5"), "wb") as file:
            file.write(data)
        wrong, errors = self.wrong_with(folder, reader, data)
        if wrong:
            what = f"case {number} ({reader}, {'+'.join(done)}): {', '.join(wrong)}"
            self.finding(what, errors, f"case{number}.h5", data)
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
        f"seed {options.seed}: {sum(driver.codes.values())} cases, "
        f"{len(driver.findings)} findings; exit codes: {by_reader}"
    )
    return 1 if driver.findings else 0


if __name__ == "__main__":
    sys.exit(main())
