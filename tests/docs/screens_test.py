# The screens that documents show: docs/figures/screens/*.txt, and blocks of docs/compare.md that begin with a command.
# Each first line is the command, "$ memcompare ...", and what follows is what it says in the root of the sources.
#
# screens_test.py refresh puts what the commands say now in their place.
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

from documents import ROOT

BIN = pathlib.Path(os.environ["MEMSTENCIL_BIN"])
SCREENS = sorted((ROOT / "docs/figures/screens").glob("*.txt"))
PAGE = ROOT / "docs/compare.md"
BLOCK = re.compile(r"(?<=```text\n)\$ memcompare [^\n]*\n.*?(?=```\n)", re.S)


def said(shown):
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
                self.assertEqual(shown, said(shown))


if __name__ == "__main__":
    if sys.argv[1:] == ["refresh"]:
        for file in SCREENS:
            file.write_text(said(file.read_text(encoding="utf-8")), encoding="utf-8")
        PAGE.write_text(BLOCK.sub(lambda found: said(found[0]), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        sys.exit()
    unittest.main()
