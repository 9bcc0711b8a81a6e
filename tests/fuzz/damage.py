#!/usr/bin/env python3
"""Damages results files, TOML files and numbers of options at random, and has every reader refuse them, or predict from
machines that may be.

usage: damage.py BIN [--seed N] [--seconds S | --case N] [--keep FOLDER]

BIN holds memcompare, himeno, transpose and membench. Case N of a seed is always the same damage; results
are made by this run and hold measured times, so that another run makes nearly, but not quite, the same
case. `--keep` keeps the files of findings. A case is a finding if a reader ends by a signal, refuses in more or
less than one line, prints a control character, changes or leaves a file, predicts a negative number, or
ends with another code than 1 for a result and than 0, 2 or 3 for the rest. Exit code 1 if there is one.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from kinds import OF_TOML, changed_number, damaged

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "inputs"
WHOLE, RESULT, TOML = "whole.h5", "r.h5", "d.toml"
GRID = "--size 8x8x8 --iterations 1 --memspace host-pinned --exec host --quiet".split()
SOURCES = (
    ("himeno", *GRID),
    ("himeno", *GRID, "--repeat", "2"),
    ("transpose", *"--rows 64 --cols 64 --iterations 2 --exec host --memspace host-pinned --quiet --variant all".split()),
    ("membench", *"link --size 1048576 --repeat 3 --quiet".split()),
)
OF_RESULT = {  # the command, and how often
    ("memcompare", RESULT, "--format", "json"): 6,
    ("memcompare", RESULT, "--full"): 3,
    ("memcompare", ".", "--format", "markdown"): 3,  # its folder, with a whole one in it
    ("memcompare", RESULT, "--quiet", "--html", "out.html"): 1,
}
H200 = str(INPUTS / "machines/h200.toml")
PREDICTION = ("memcompare", "--format", "json", "--predict", "himeno", "--machine")
OF_TOML_FILE = {  # the folder of inputs/, and who reads its files
    "himeno": ("himeno", "--list-memspaces", "--input", TOML),
    "transpose": ("transpose", "--list-memspaces", "--input", TOML),
    "machines": (*PREDICTION, TOML),
    "assume": (*PREDICTION, H200, "--assume", TOML),
    "reference": ("memcompare", WHOLE, "--reference", TOML),
}
# Commands whose last word is damaged; nothing is run.
OF_NUMBER = [
    *(("himeno", "--list-memspaces", *option.split()) for option in (
        "--size 17x19x33", "--iterations 10", "--seconds 1.5", "--repeat 3", "--sweep temporal:4",
        "--coefficients random:7", "--ranks 2x1x1", "--gpu 0")),
    *(("transpose", "--list-memspaces", *option.split()) for option in (
        "--rows 100", "--cols 200", "--pitch 64", "--tile 32", "--iterations 5", "--repeat 2")),
    ("membench", "list", "--gpu", "0"),
    *((*PREDICTION, H200, *option.split()) for option in ("--size 64x64x128", "--iterations 10", "--nodes 2")),
    ("memcompare", WHOLE, "--fail-above", "2.5"),
]  # fmt: skip


def environment(own):
    # Open MPI without a daemon of its own for each program: they need own folders.
    return os.environ | {
        "OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OMPI_MCA_pml": "^cm,ucx",
        "OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_orte_tmpdir_base": own,
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }  # fmt: skip


def has_controls(text):
    return any((ord(c) < 32 or 127 <= ord(c) < 160) and c != "\n" for c in text)


def is_negative(value, name=""):
    """A number of a prediction; a fixed cost of 0 is below it by rounding."""
    if isinstance(value, (dict, list)):
        return any(is_negative(each, key) for key, each in (value.items() if isinstance(value, dict) else enumerate(value)))
    return isinstance(value, (int, float)) and value < 0 and name != "once"


def whole_results(programs, work):
    """Small results of every program, by this build."""
    folder = pathlib.Path(work, "whole")
    for program, *arguments in SOURCES:
        command = [programs / program, *arguments, "--output", f"{folder}/"]
        subprocess.run(command, env=environment(work), stdout=subprocess.DEVNULL, check=True)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


class Driver:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.programs = pathlib.Path(options.bin).resolve()
        self.whole = whole_results(self.programs, work)
        self.codes = collections.Counter()
        self.findings = 0

    def case(self, number):
        rng = random.Random(f"{self.options.seed}-{number}")
        rng.choices((self.result_case, self.toml_case, self.number_case), weights=(4, 4, 2))[0](rng, number)

    def result_case(self, rng, number):
        (command,) = rng.choices(list(OF_RESULT), weights=OF_RESULT.values())
        kind, data = damaged(rng, self.whole)
        self.check(f"{number}, a result, {kind}", command, {RESULT: data}, codes=(1,), mentions=f"{RESULT}: ")

    def toml_case(self, rng, number):
        folder, kind = rng.choice(list(OF_TOML_FILE)), rng.choice(OF_TOML)
        one, other = (rng.choice(sorted((INPUTS / folder).glob("*.toml"))).read_bytes() for _ in range(2))
        case, command = f"{number}, TOML of {folder}, {kind.__name__}", OF_TOML_FILE[folder]
        damage = {TOML: kind(rng, one, other)}
        output = self.check(case, command, damage)
        if output and command[:len(PREDICTION)] == PREDICTION and is_negative(json.loads(output)):
            self.finding(f"{case}: a negative number", output, damage)

    def number_case(self, rng, number):
        *command, text = rng.choice(OF_NUMBER)
        self.check(f"{number}, a number", (*command, changed_number(rng, text)), {})

    def check(self, case, command, damage, codes=(0, 2, 3), mentions=None):
        """What the command prints, in a folder with these files and a whole one. What is not refused by its code may be good."""
        files = damage | {WHOLE: self.whole[0]}
        with tempfile.TemporaryDirectory(dir=self.work) as folder, tempfile.TemporaryDirectory(prefix="mpi-") as own:
            for name, data in files.items():
                pathlib.Path(folder, name).write_bytes(data)
            done = subprocess.run([self.programs / command[0], *command[1:]], cwd=folder, env=environment(own),
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=150, check=False)  # fmt: skip
            left = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        output, errors = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        self.codes[(case.split(", ")[1], done.returncode)] += 1
        wrong = []
        if done.returncode not in codes:
            wrong.append(f"code {done.returncode}")
        if done.returncode and (output or errors.count("\n") != 1 or (mentions or command[0]) not in errors):
            wrong.append("not one line that names it")
        if has_controls(errors + output):
            wrong.append("control characters on the terminal")
        if left != files:
            wrong.append("a file was changed or left")
        if wrong:
            self.finding(f"{case} {command}: {', '.join(wrong)}", errors, damage)
        return output

    def finding(self, what, said, files):
        self.findings += 1
        print("FINDING: case", f"{what}: {said.strip()[:300]!r}", flush=True)
        if self.options.keep:
            folder = pathlib.Path(self.options.keep, what.split(",")[0])
            folder.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def all_cases(self):
        end = time.monotonic() + self.options.seconds

        def one_after_the_other(numbers):
            for number in numbers:
                if time.monotonic() > end:
                    return
                self.case(number)

        jobs = len(os.sched_getaffinity(0))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one_after_the_other, [itertools.count(first, jobs) for first in range(jobs)]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--case", type=int)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memstencil-damage-") as work:
        driver = Driver(options, work)
        driver.all_cases() if options.case is None else driver.case(options.case)
    by_code = ", ".join(f"{kind} {code}: {n}" for (kind, code), n in sorted(driver.codes.items()))
    print(f"seed {options.seed}: {sum(driver.codes.values())} cases, {driver.findings} findings; exit codes: {by_code}")
    return 1 if driver.findings else 0


if __name__ == "__main__":
    sys.exit(main())
