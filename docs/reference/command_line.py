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
- Exit codes are the same for all programs: [exit codes](exit-codes.md).
- Figures are decimal: 1 GB is 10^9 bytes.
"""


def options_of(help_text):
    return re.findall(r"^  (?:-h,)?(--[a-z-]+)", help_text, re.MULTILINE)


def page(folder):
    text = HEAD
    said = {}
    for program in PROGRAMS:
        # Some help texts depend on the width of the terminal.
        done = subprocess.run([os.path.join(folder, program), "--help"], env=os.environ | {"COLUMNS": "100"},
                              capture_output=True, text=True, check=True)
        said[program] = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
        text += f"\n## {program}\n\n"
        if program == "heat":  # nothing of it is new
            missing = [f"`{each}`" for each in options_of(said["himeno"]) if each not in options_of(said["heat"])]
            about = said["heat"].splitlines()[0] + " Its options are himeno's without " + ", ".join(missing) + "."
            text += textwrap.fill(about, 100, break_on_hyphens=False) + "\n"
            assert set(options_of(said["heat"])) <= set(options_of(said["himeno"]))
        else:
            text += f"```\n{said[program]}\n```\n"
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
