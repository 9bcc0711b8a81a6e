#!/usr/bin/env python3
"""Writes docs/reference/command-line.md from the programs' own --help.

docs/reference/command_line.py BIN          writes it; BIN is the folder of the programs: build/bin
docs/reference/command_line.py BIN --check  compares only: exit 1, with the difference, where it is not up to date
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import textwrap

PROGRAMS = ["himeno", "heat", "transpose", "membench", "memcompare"]
DOCUMENT = pathlib.Path(__file__).with_name("command-line.md")

HEAD = """# Command line

What each program says to `--help`. `docs/reference/command_line.py build/bin` writes this page, and
a test compares it with the programs.

- Every option of himeno, heat, transpose, membench and memcompare can stand in an input file
  ([TOML keys](toml-keys.md)) under its own name without the dashes. The command line wins.
- [Exit codes](#exit-codes) are the same for all programs, and so are the
  [record](result-format.md) and the [errors](robustness.md). himeno has four
  [checks](verification.md).
- Figures are decimal: 1 GB is 10^9 bytes.
- An option whose text stands with an earlier program is only named: `as above: --gpu`.

## Exit codes

Every error is one line on stderr, which begins with the program's name and says what is valid.

| code | meaning | example |
|---|---|---|
| 0 | good: what was asked for is done, and verified | |
| 1 | anything else | the output file exists; a result file is damaged |
| 2 | the command line or a TOML file is wrong | `--sise M`; ranks with different options |
| 3 | this machine or build cannot do it | a memory space that the GPU does not serve; too large a grid; plots without matplotlib |
| 4 | a result failed [verification](verification.md) | a message brought a wrong value; a result is not finite |
| 5 | `memcompare --fail-above`: the last side is slower than allowed | a slow new driver |

Codes 1 to 3 come before anything is allocated, wherever that can be known. An error on one rank
ends all ranks, and the line is printed once; mpirun returns the code, mostly with lines of its own.
A signal ends a run at once and leaves no file (a shell shows 143 for SIGTERM). Open MPI's mpirun
that is ended by SIGTERM, SIGINT or SIGHUP exits with 1, whatever its ranks say. For scripts: code 3
is no error of the measurement, so the [job scripts](../clusters.md) go on with the next run.
`./quickstart` returns the program's code, 2 for a program that there is not, 1 for a failed build.
"""


def widened(option):
    """An option of the help, in lines of at most 98 characters in place of 80."""
    column, (first, *more) = 26, option.split("\n")
    text = [first[column:], *more] if first[column - 2:column] == "  " else more
    name = first[:column] if text is not more else first + "\n" + " " * column
    # A line that is two blanks further in begins the explanation of a value.
    joined = re.sub(rf"\n {{{column + 2}}}(?=\S)", "; ", "\n".join(text))
    lines = textwrap.wrap(" ".join(joined.split()), 98 - column, break_long_words=False, break_on_hyphens=False)
    return name + ("\n" + " " * column).join(lines) if lines else option


def without_repeats(said, seen):
    """The help without the options whose whole text is in `seen`; a line of each section names them."""
    lines = []
    for section in re.split(r"\n(?=\n)", said):
        repeated = []
        for option in re.split(r"\n(?=  -)", section):
            name = re.match(r"  (?:-\w,)?(--[\w-]+)", option)
            if name and option in seen:
                repeated.append(name[1])
                continue
            if name:
                seen.add(option)
            lines.append(widened(option) if option.startswith("  ") else option)
        if repeated:
            lines.append(textwrap.fill("as above: " + ", ".join(repeated), 98, initial_indent="  ",
                                       subsequent_indent="    ", break_on_hyphens=False))
    return "\n".join(lines)


def page(folder):
    text, seen = HEAD, set()
    for program in PROGRAMS:
        # Some help texts depend on the width of the terminal.
        done = subprocess.run([os.path.join(folder, program), "--help"], env=os.environ | {"COLUMNS": "100"},
                              capture_output=True, text=True, check=True)
        said = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
        text += f"\n## {program}\n\n```\n{without_repeats(said, seen)}\n```\n"
    return text


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wanted = page(sys.argv[1])
    if len(sys.argv) == 2:
        DOCUMENT.write_text(wanted, encoding="utf-8")
        return
    there = DOCUMENT.read_text(encoding="utf-8")
    if there != wanted:
        sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), wanted.splitlines(True),
                                                   str(DOCUMENT), "the programs' --help"))
        sys.exit(f"out of date: run docs/reference/command_line.py {sys.argv[1]}")


if __name__ == "__main__":
    main()
