# Commands: runs every command of the console blocks in README and tutorial, as a reader does, in the build that is tested,
# and computes grids and matrices of a small size instead.
#
# A block's info string says where it belongs: ```console is for any machine, ```console gpu needs a GPU,
# ```console mpi a build with MPI, ```console network and ```console cluster are not run here. Commands of a
# document share one shell and one folder. Where a block shows output, its labels ("one sweep  : ...") have to come,
# but for those that depend on the machine.
#
# Screens: memcompare says what documents show: docs/figures/screens/*.txt, and blocks of docs/compare.md. Each first line
# is the command, "$ memcompare ...", which runs in the root of the sources.
#
# commands_test.py refresh DOCUMENT... puts what the commands say now, at their own sizes, in place of what the documents
# show; without documents the same with the screens.
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from documents import ROOT, Document

BIN = pathlib.Path(os.environ["MEMSTENCIL_BIN"])
MPIRUN = os.environ.get("MPIRUN", "")
SERVED = {"gpu": os.environ.get("FOR_GPU") == "1", "mpi": bool(MPIRUN), "network": False, "cluster": False}
DOCUMENTS = ["README.md", "docs/tutorial.md"]
SCREENS = sorted((ROOT / "docs/figures/screens").glob("*.txt"))
PAGE = ROOT / "docs/compare.md"
BLOCK = re.compile(r"(?<=```text\n)\$ memcompare [^\n]*\n.*?(?=```\n)", re.S)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.M)  # perhaps on several lines, and what it shows
SMALLER = ((r"--size [LM]\b", "--size S"), (r"--(rows|cols) 2048\b", r"--\1 256"))
# Lines that a report has only if the arrays exceed the caches, or something disturbed the run.
OF_SOME_MACHINES = {"worth a trial", "note"}
NO_PLOTS = "plots need a Python with matplotlib"  # a command that says so is skipped

# The build stands already: quickstart only has to run it.
QUICKSTART = """#!/bin/bash
program=$1
shift
[[ $program =~ ^(build|test)$ ]] || exec "build/bin/$program" "$@"
"""


def commands(document):
    """Of each block that is served here: (line number, command, the output that the document shows)."""
    for start, words, lines in document.blocks:
        if words[:1] == ["console"] and all(SERVED[word] for word in words[1:]):
            text = "".join(line + "\n" for line in lines)
            for found in COMMAND.finditer(text):
                yield start + 1 + text.count("\n", 0, found.start()), found[1], found[2].splitlines()


def labels(lines):
    """What stands before " : " in the lines of a report."""
    found = [re.match(r" ?([A-Za-z][\w %()-]*?) +: \S", line) for line in lines]
    return [match[1] for match in found if match]


class Folder:
    """A clone as a reader has it: the sources, and build/bin."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="memstencil-docs-")
        here = pathlib.Path(self.folder.name)
        self.clone = here / "memstencil"
        (self.clone / "build").mkdir(parents=True)
        for name in ("inputs", "docs", "jobscripts", "examples"):
            (self.clone / name).symlink_to(ROOT / name)
        (self.clone / "build/bin").symlink_to(BIN)
        (self.clone / "quickstart").write_text(QUICKSTART, encoding="utf-8")
        (self.clone / "quickstart").chmod(0o755)
        self.variables = {
            # The mpirun of the build, with what README tells users of few cores and root to add.
            "PATH": f"{os.path.dirname(shlex.split(MPIRUN)[0]) if MPIRUN else '/usr/bin'}:{os.environ['PATH']}",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            # As in cli_support.py.
            "OMPI_MCA_ess_singleton_isolated": "1",
            "OMPI_MCA_orte_tmpdir_base": str(here),
        }
        return self

    def __exit__(self, *failure):
        self.folder.cleanup()

    def run(self, asked):
        """Yields (line number, command, shown, what it said, its errors, exit code) until one fails."""
        script, said = ["exec 2>&1"], [pathlib.Path(self.folder.name, f"said-{n}") for n in range(len(asked) + 1)]
        for path, (_, command, _) in zip(said, asked):
            # Braces, not a subshell: export, cd and PATH stay for the next command.
            script.append(f"{{ {command}\n}} >{path} 2>{path}.errors; code=$?\n"
                          f"((code == 0)) || grep -q '{NO_PLOTS}' {path}.errors || exit $code")
        done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=self.clone, env=os.environ | self.variables,
                              stdin=subprocess.DEVNULL, check=False, timeout=1700)
        for path, after, each in zip(said, said[1:], asked):
            if path.exists():
                code = 0 if after.exists() else done.returncode
                yield *each, path.read_text(encoding="utf-8"), pathlib.Path(f"{path}.errors").read_text(encoding="utf-8"), code


class Commands(unittest.TestCase):
    def test_commands_run(self):
        for path in DOCUMENTS:
            with self.subTest(document=path), Folder() as folder:
                asked, ran = list(commands(Document(path))), 0
                for pattern, smaller in SMALLER:
                    asked = [(line, re.sub(pattern, smaller, command), shown) for line, command, shown in asked]
                for line, command, shown, said, errors, code in folder.run(asked):
                    ran += 1
                    if NO_PLOTS in errors:
                        print(f"{path}:{line}: skipped: {errors}")
                        continue
                    self.assertEqual(code, 0, f"{path}:{line}: {command}\n{said}{errors}")
                    for label in set(labels(shown)) - OF_SOME_MACHINES:
                        self.assertRegex(said, rf"(?m)^ ?{re.escape(label)} +:", f"{path}:{line}: {command}\n{said}")
                self.assertEqual(ran, len(asked), path)
                self.assertGreater(ran, 2, path)


def screen(shown):
    """The command of the first line, and what it says."""
    command = shown.partition("\n")[0]
    program, *arguments = shlex.split(command[2:])
    done = subprocess.run([BIN / program, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(f"{command}: exit {done.returncode}: {done.stderr}")
    return f"{command}\n{done.stdout}"


class Screens(unittest.TestCase):
    maxDiff = None

    def test_documents_show_what_memcompare_says(self):
        blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), 1)
        self.assertGreaterEqual(len(SCREENS), 5)
        for shown in (*blocks, *(path.read_text(encoding="utf-8") for path in SCREENS)):
            with self.subTest(shown.partition("\n")[0]):
                self.assertEqual(shown, screen(shown))


def refresh(path):
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    with Folder() as folder:
        for line, command, shown, said, errors, code in reversed(list(folder.run(list(commands(Document(path)))))):
            if code != 0:
                sys.exit(f"{path}:{line}: {command}: exit {code}\n{said}{errors}")
            if shown:
                first = line + command.count("\n")
                lines[first:first + len(shown)] = [text.rstrip() for text in said.splitlines()]
    (ROOT / path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def refresh_screens():
    for file in SCREENS:
        file.write_text(screen(file.read_text(encoding="utf-8")), encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda found: screen(found[0]), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["refresh"]:
        for name in sys.argv[2:]:
            refresh(name)
        if not sys.argv[2:]:
            refresh_screens()
        sys.exit()
    unittest.main()
