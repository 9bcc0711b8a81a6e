# The documents of the project as their tests read them: lines, code blocks, headings.
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(os.environ["MEMSTENCIL_SOURCE"])


def documents():
    """README, CONTRIBUTING and all of docs/, as paths from the root."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def files():
    """Every file of the checkout, as a path from the root: git's list, or what lies there where git is missing."""
    try:
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, text=True, check=True).stdout.splitlines()
        return [path for path in listed if (ROOT / path).exists()]
    except (OSError, subprocess.CalledProcessError):
        folders = ("app", "cmake", "docs", "examples", "inputs", "jobscripts", "kernels", "memory_spaces", "tests", ".ci")
        below = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
        return [path.relative_to(ROOT).as_posix() for path in (*below, *ROOT.glob("*")) if path.is_file()]


class Document:
    """`lines` numbered from 1 with what they are: "text", "table", or "code" (fences included). `blocks` of code: the number
    of the first line, its words, and the lines behind it."""

    def __init__(self, path):
        self.path, self.lines, self.blocks = path, [], []
        block = fence = None
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            start = re.match(r"\s*(```+)(.*)", line)
            kind = "code" if block or start else "table" if line.lstrip().startswith("|") else "text"
            self.lines.append((number, kind, line))
            if block and line.strip() == fence:
                self.blocks.append(block)
                block = None
            elif block:
                block[2].append(line)
            elif start:
                fence, block = start[1], (number, start[2].split(), [])

    def anchors(self):
        """What a link may name after #, as GitHub makes it of a heading, or an anchor of HTML."""
        found = set()
        for _, kind, line in self.lines:
            if kind == "code":
                continue
            found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
            heading = re.match(r"#+ +(.*?) *#*$", line)
            if heading:
                text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
                slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
                number = 0
                while (f"{slug}-{number}" if number else slug) in found:
                    number += 1
                found.add(f"{slug}-{number}" if number else slug)
        return found
