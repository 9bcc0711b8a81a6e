# Runs every command of the console blocks in README and tutorial, as a reader does, in the build that is tested.
#
# A block's info string says where it belongs: ```console is for any machine, ```console gpu needs a GPU,
# ```console mpi a build with MPI, ```console network and ```console cluster are not run here. Commands of a
# document share one shell and one folder. Where a block shows output, its labels ("one sweep  : ...") have to come,
# but for those that depend on the machine.
#
# commands_test.py refresh DOCUMENT... puts what the commands say now in place of what the documents show.
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
    for start, words, lines in document.blocks("console"):
        unknown = [word for word in words if word not in SERVED]
        if unknown:
            raise ValueError(f"{document.path}:{start}: no kind of console block: {unknown[0]}")
        if not all(SERVED[word] for word in words):
            continue
        number = start
        command = shown = None
        continued = False
        for line in lines:
            number += 1
            if continued:
                command[1] += "\n" + line
            elif line.startswith("$ "):
                if command:
                    yield (*command, shown)
                command, shown = [number, line[2:]], []
            else:
                shown.append(line)
                continue
            continued = line.endswith("\\")
        if command:
            yield (*command, shown)


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
        self.executable(self.clone / "quickstart", QUICKSTART)
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

    @staticmethod
    def executable(path, text):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, document):
        """Yields (line number, command, shown, what it said, exit code) until one fails."""
        script, asked = ["exec 2>&1"], list(commands(document))
        for number, (_, command, _) in enumerate(asked):
            said = shlex.quote(f"{self.folder.name}/said-{number}")
            # Braces, not a subshell: export, cd and PATH stay for the next command.
            script.append(f"{{ {command}\n}} >{said} 2>{said}.errors; code=$?; echo $code >{said}.code; "
                          f"((code == 0)) || grep -q '{NO_PLOTS}' {said}.errors || exit 1")
        subprocess.run(["bash", "-c", "\n".join(script)], cwd=self.clone, env=os.environ | self.variables,
                       stdin=subprocess.DEVNULL, check=False, timeout=1700)
        for number, (line, command, shown) in enumerate(asked):
            said = pathlib.Path(f"{self.folder.name}/said-{number}")
            if not said.exists():
                return
            of_code = pathlib.Path(f"{said}.code")
            code = int(of_code.read_text(encoding="utf-8")) if of_code.exists() else -1
            errors = pathlib.Path(f"{said}.errors").read_text(encoding="utf-8") if code else ""
            yield line, command, shown, said.read_text(encoding="utf-8") + errors, code


class Commands(unittest.TestCase):
    def test_commands_run(self):
        for path in DOCUMENTS:
            with self.subTest(document=path), Folder() as folder:
                document, ran = Document(path), 0
                for line, command, shown, said, code in folder.run(document):
                    ran += 1
                    if code == 3 and NO_PLOTS in said:
                        print(f"{path}:{line}: skipped: {said}")
                        continue
                    self.assertEqual(code, 0, f"{path}:{line}: {command}\n{said}")
                    for label in set(labels(shown)) - OF_SOME_MACHINES:
                        self.assertRegex(said, rf"(?m)^ ?{re.escape(label)} +:", f"{path}:{line}: {command}\n{said}")
                self.assertEqual(ran, len(list(commands(document))), path)
                self.assertGreater(ran, 2, path)


def refresh(path):
    document = Document(path)
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    with Folder() as folder:
        for line, command, shown, said, code in reversed(list(folder.run(document))):
            if code != 0:
                sys.exit(f"{path}:{line}: {command}: exit {code}\n{said}")
            if shown:
                first = line + command.count("\n")
                lines[first:first + len(shown)] = [text.rstrip() for text in said.splitlines()]
    (ROOT / path).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["refresh"]:
        for name in sys.argv[2:]:
            refresh(name)
        sys.exit()
    unittest.main()
