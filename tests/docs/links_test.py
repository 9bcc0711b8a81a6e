# Every link, every anchor and every path that a document names has to be there, and documents stay short and narrow.
import os
import pathlib
import re
import unittest

from documents import ROOT, Document, documents, files

LINES, README_LINES, COLUMNS = 300, 100, 100  # tables aside, and code but in README

LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^]]+\]: (\S+)$")  # in the text, or defined on a line of its own
TOP = r"(?:app|cmake|docs|examples|inputs|jobscripts|kernels|memory_spaces|tests|\.ci)"
PATH = re.compile(rf"(?<![\w./-])({TOP}/[\w./*+-]*[\w*/])")
NAME = re.compile(r"`([\w-]+(?:\.test)?\.(?:cpp|hpp|cu|cuh|py|sh|toml|md|cmake))`")
KEY = re.compile(r"(?<![\w\])])\[([a-z]+[a-z0-9]*(?:-[a-z0-9]+)+)\](?![(\w])")  # of docs/bibliography.md
SOURCES = (".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".toml", ".cmake", ".txt", ".dot")


def pattern(path):
    """A path in which * stands for anything, and a name in capitals (inputs/machines/NAME.toml) for one, too."""
    parts = re.split(r"(\*\*/|\*|(?<![A-Za-z_])[A-Z]{4,}(?![A-Za-z_]))", path.rstrip("/"))
    placeholder = {"**/": "(?:.*/)?", "*": "[^/]*"}
    return re.compile("".join(placeholder.get(part, "[^/]+") if number % 2 else re.escape(part)
                              for number, part in enumerate(parts)))


class Links(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.documents = {path: Document(path) for path in documents()}
        cls.files = files()
        folders = {parent.as_posix() for path in cls.files for parent in pathlib.PurePath(path).parents}
        cls.there = {*cls.files, *folders}
        cls.names = {path.rsplit("/", 1)[-1] for path in cls.files}

    def exists(self, path):
        plain = path.rstrip("/")
        return plain in self.there or any(map(pattern(plain).fullmatch, self.there))

    def test_links(self):
        faults = []
        for path, document in self.documents.items():
            for number, kind, line in document.lines:
                if re.match(r"\[[^]]+\]: \S+ ", line):
                    faults.append(f"{path}:{number}: two definitions of links on one line, which Markdown takes for text")
                for target in map("".join, LINK.findall(line)) if kind != "code" else []:
                    if re.match(r"[a-z]+:", target):
                        continue
                    file, _, anchor = target.partition("#")
                    to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
                    if to not in self.there:
                        faults.append(f"{path}:{number}: {target}: no file {to}")
                    elif anchor and to.endswith(".md"):
                        there = self.documents.get(to) or Document(to)
                        if anchor not in there.anchors():
                            faults.append(f"{path}:{number}: {target}: {to} has no heading #{anchor}")
        self.assertEqual(faults, [])

    def test_paths_in_documents(self):
        faults = []
        for path, document in self.documents.items():
            for number, _, line in document.lines:
                text = LINK.sub("]", line)
                faults += [f"{path}:{number}: no {named}" for named in PATH.findall(text) if not self.exists(named)]
                faults += [f"{path}:{number}: no file of the name {named}" for named in NAME.findall(text)
                           if not any(map(pattern(named).fullmatch, self.names))]
        self.assertEqual(faults, [])
        self.assertFalse(self.exists("docs/nowhere.md"))

    def lines_of_sources(self):
        """(path, number of the line, line)"""
        for path in self.files:
            if path.endswith((*SOURCES, ".json")) and not path.startswith("tests/docs/"):
                text = (ROOT / path).read_text(encoding="utf-8")
                yield from ((path, number, line) for number, line in enumerate(text.splitlines(), 1))

    def test_documents_in_sources(self):
        found = re.compile(r"(?<![\w/])docs/[\w/-]+\.md")
        faults = [f"{path}:{number}: no {named}" for path, number, line in self.lines_of_sources()
                  for named in found.findall(line) if named not in self.there]
        self.assertEqual(faults, [])

    def test_citations(self):
        listed = (ROOT / "docs/bibliography.md").read_text(encoding="utf-8")
        text = [(path, number, line) for path, document in self.documents.items()
                for number, kind, line in document.lines if kind != "code"]
        sources = [each for each in self.lines_of_sources() if not each[0].endswith(".sh")]  # brackets of arrays
        faults = [f"{path}:{number}: [{key}] is not in docs/bibliography.md" for path, number, line in text + sources
                  for key in KEY.findall(line) if f"[{key}]" not in listed]
        self.assertEqual(faults, [])

    def test_lines_of_documents(self):
        faults = []
        for path, document in self.documents.items():
            readme = path == "README.md"
            most = README_LINES if readme else LINES
            if len(document.lines) > most:
                faults.append(f"{path}: {len(document.lines)} lines, at most {most}")
            for number, kind, line in document.lines:
                if len(line) > COLUMNS and (readme or kind == "text"):
                    faults.append(f"{path}:{number}: {len(line)} characters, at most {COLUMNS}")
        self.assertEqual(faults, [])


if __name__ == "__main__":
    unittest.main()
