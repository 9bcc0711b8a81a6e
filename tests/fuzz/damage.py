#!/usr/bin/env python3
"""Damages results files in bytes and in structure, and runs every reader of them.

usage: damage.py BIN [--seed N] [--seconds S | --count N] [--from N] [--jobs N] [--keep FOLDER]

BIN holds compare, himeno, transpose and membench. Case N of a seed is always the same steps of
damage, done to files that this run makes: they hold measured times, so that another run makes
nearly, but not quite, the same case (`--from N --count 1`). `--keep` keeps the files of findings. A
case is a finding where a reader ends by a signal or with a code that is not documented, says more
or less than one line of an error, prints a control character, lets its own reader be ended by
SIGKILL, takes 10 s of a processor more than for the whole file, or 1.05 GB, or leaves another file
than the old one or a whole new one. Exit code 1 where there is a finding; 77 where this Python has
no h5py.
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
    import damages
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

# The reader's own limits, 9 s of a processor, twice 60 s and 1 GB, and a little for who asks it.
DRAWN = ("compare: plots drawn", "compare: the report is")
MOST_CPU_SECONDS, MOST_WALL_SECONDS, MOST_KILOBYTES = 10.0, 150, 1_050_000_000 // 1024
WHOLE = "a file that is not damaged"
RUN = [
    "--size",
    "8x8x8",
    "--iterations",
    "1",
    "--memspace",
    "host-pinned",
    "--exec",
    "host",
    "--quiet",
]
TRANSPOSE = "--rows 64 --cols 64 --iterations 2 --exec host --memspace host-pinned --quiet".split()
MEMBENCH = "link --size 1048576 --repeats 3 --quiet".split()
READERS = {  # how often, and the command: the file's name comes last, but for compare
    "compare": (3, "compare", "--format", "json"),
    "compare --full": (3, "compare", "--full"),
    "compare, Markdown": (2, "compare", "--format", "markdown"),
    "compare, two files": (2, "compare", WHOLE, "--format", "json"),
    "compare --html": (0.2, "compare", "--quiet", "--html", "out"),
    "compare --plots": (0.2, "compare", "--quiet", "--plots", "out"),
    "himeno --probes": (3, "himeno", *RUN, "--probes"),
    "transpose --probes": (3, "transpose", *TRANSPOSE, "--probes"),
    "himeno --append": (3, "himeno", *RUN, "--append", "--output"),
    "transpose --append": (1, "transpose", *TRANSPOSE, "--append", "--output"),
    "membench --append": (1, "membench", *MEMBENCH, "--append", "--output"),
}


def environment(folder):
    quiet = {
        "OMP_NUM_THREADS": "1",
        "OMP_PROC_BIND": "false",
        "OMPI_MCA_pml": "^cm,ucx",
        # Open MPI without a daemon of its own for each program: they need own folders.
        "OMPI_MCA_ess_singleton_isolated": "1",
        "OMPI_MCA_orte_tmpdir_base": folder,
    }
    return (
        os.environ | quiet | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    )


def command(reader, programs, path, whole):
    _, program, *more = READERS[reader]
    named = [path] if program == "compare" else []
    arguments = [*named, *more, *([] if named else [path])]
    return [os.path.join(programs, program), *(whole if a is WHOLE else a for a in arguments)]


def run(arguments, folder):
    """Code, seconds of processors, kilobytes, standard error, standard output."""
    with (
        tempfile.TemporaryFile() as errors,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryDirectory(prefix="mpi-") as own,
    ):
        with subprocess.Popen(
            arguments,
            cwd=folder,
            env=environment(own),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        ) as child:
            timer = threading.Timer(MOST_WALL_SECONDS, os.killpg, (child.pid, signal.SIGKILL))
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (errors, output):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, *texts


def has_controls(text, but="\n"):
    return any((ord(c) < 32 or 127 <= ord(c) < 160) and c not in but for c in text)


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Driver:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.sources = self.make_sources()
        self.usual_seconds = {each: self.seconds_of_whole(each) for each in READERS}
        self.codes = collections.Counter()
        self.findings = []
        self.most_seconds = self.most_kilobytes = 0

    def make_sources(self):
        """Small files of every program, by this build."""
        runs = os.path.join(self.work, "runs.h5")
        probes = os.path.join(self.work, "probes.h5")
        himeno, transpose, membench = (
            os.path.join(self.options.bin, p) for p in ("himeno", "transpose", "membench")
        )
        for arguments in (
            [himeno, *RUN, "--output", runs],
            [
                himeno,
                *RUN,
                "--output",
                runs,
                "--append",
                "--repeat",
                "2",
                "--gosa-history",
                "--save-field",
            ],
            [transpose, *TRANSPOSE, "--variant", "all", "--output", runs, "--append"],
            [membench, *MEMBENCH, "--output", probes],
        ):
            done = subprocess.run(
                arguments, env=environment(self.work), capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                sys.exit(f"cannot make the sources: {' '.join(arguments)}: {done.stderr}")
        return [runs, runs, probes]

    def seconds_of_whole(self, reader):
        """The most that the command takes of a processor for a file that is not damaged."""
        most = 0.0
        for source in sorted(set(self.sources)):
            folder = tempfile.mkdtemp(prefix="whole-", dir=self.work)
            path = shutil.copy(source, os.path.join(folder, "r.h5"))
            most = max(most, run(command(reader, self.options.bin, path, source), folder)[1])
            shutil.rmtree(folder)
        return most

    def case(self, number):
        rng = random.Random(f"{self.options.seed}-{number}")
        reader = rng.choices(list(READERS), [weight for weight, *_ in READERS.values()])[0]
        source = rng.choice(self.sources)
        folder = tempfile.mkdtemp(prefix=f"case{number}-", dir=self.work)
        path = os.path.join(folder, "r.h5")
        done = damages.damage(rng, source, path)
        before = content(path)
        arguments = command(reader, self.options.bin, path, source)
        code, seconds, kilobytes, errors, output = run(arguments, folder)
        lines = errors.removesuffix("\n").split("\n") if errors else []
        asked = ["out"] if code == 0 and "out" in arguments else []
        if asked:  # it says what it has drawn
            lines = [each for each in lines if not each.startswith(DRAWN)]
        wrong = []
        if code not in (0, 1, 2, 3, 4):
            wrong.append(f"code {code}")
        if code == 0 and lines or code != 0 and (len(lines) != 1 or ": " not in lines[0]):
            wrong.append(f"{len(lines)} lines")
        if "signal 9" in errors:
            wrong.append("its reader ended by SIGKILL")
        if has_controls(errors) or "json" not in arguments and has_controls(output, "\n\t"):
            wrong.append("control characters on the terminal")
        if seconds > MOST_CPU_SECONDS + self.usual_seconds[reader]:
            wrong.append(f"{seconds:.1f} s")
        if kilobytes > MOST_KILOBYTES:
            wrong.append(f"{kilobytes} kB")
        if sorted(os.listdir(folder)) != [*asked, "r.h5"]:
            wrong.append(f"left {sorted(os.listdir(folder))}")
        elif "--append" not in arguments or code != 0:
            if content(path) != before:
                wrong.append("the file changed")
        else:
            again = run(command("compare", self.options.bin, path, source), folder)
            if again[0] < 0 or b"memstencil_checksum" not in content(path)[-70000:]:
                wrong.append("what was appended to is damaged")
        self.codes[(reader, code)] += 1
        self.most_seconds = max(self.most_seconds, seconds)
        self.most_kilobytes = max(self.most_kilobytes, kilobytes)
        if wrong:
            told = (
                f"case {number} ({reader}, {'+'.join(done)}): {', '.join(wrong)}: "
                f"{errors.strip()[:300]!r}"
            )
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
                while (
                    len(waiting) < 2 * self.options.jobs
                    and number < last
                    and not (end and time.monotonic() > end)
                ):
                    waiting.add(pool.submit(self.case, number))
                    number += 1
                finished, waiting = concurrent.futures.wait(waiting, return_when="FIRST_COMPLETED")
                for each in finished:
                    each.result()


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
    total = sum(driver.codes.values())
    by_reader = ", ".join(
        f"{reader} {code}: {n}" for (reader, code), n in sorted(driver.codes.items())
    )
    print(
        f"seed {options.seed}: {total} damaged files, {len(driver.findings)} findings; "
        f"exit codes: {by_reader}; "
        f"at most {driver.most_seconds:.1f} s of a processor "
        f"and {driver.most_kilobytes / 1024:.0f} MiB"
    )
    return 1 if driver.findings else 0


if __name__ == "__main__":
    sys.exit(main())
