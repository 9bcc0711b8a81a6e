# Draws every plot that an answer of memcompare allows. memcompare starts it with the answer
# (docs/compare.md) as JSON on stdin: draw.py FOLDER. Files (PNG, SVG, PDF) appear in the folder
# together, without a folder there are none; the list of plots, each with its SVG, goes to stdout.
# Exit codes: 3, this Python has no matplotlib; 4, files cannot be written.
import gc
import json
import os
import re
import sys
import tempfile
from urllib.parse import quote

# A page's pictures have one font, since browsers find letters that it lacks, coordinates to a hundredth of a point, and
# neither names of groups nor line ends.
SHORTER = ((r"(px 'DejaVu Sans')[^;\"]*", r"\1, sans-serif"), (r"(?<=\d\.\d\d)\d+(?=[^<]*>)", ""))
SHORTER += ((r'<g id="[^"]*"', "<g"), (r"(?<=>)\s+(?=<)|\n", ""))


def draw(folder):
    gc.disable()  # it would take a tenth of the time
    answer = shortened(json.load(sys.stdin))
    drawn = []
    there = folder  # or the next folder above it that exists: within a file system moving needs no room
    while there and not os.path.isdir(there):
        there = os.path.dirname(there)
    with tempfile.TemporaryDirectory(prefix=".memcompare-", dir=there or None) as made:
        for plot in (plot for name in style.PLOTS for plot in probes.drawn(answer, name)):
            plot.save(made, ("svg", "png", "pdf") if folder else ("svg",))
            with open(os.path.join(made, plot.name + ".svg"), encoding="utf-8") as file:
                svg = file.read()
            for wide, narrow in SHORTER:
                svg = re.sub(wide, narrow, svg)
            svg = quote(svg, safe="<>/ =:;,()'-")  # as an address of data has it
            members = ("name", "title", "caption", "lead")
            drawn.append({"svg": svg} | {m: getattr(plot, m) for m in members})
        if folder and drawn:
            os.makedirs(folder, exist_ok=True)
            for name in os.listdir(made):
                os.replace(os.path.join(made, name), os.path.join(folder, name))
    json.dump(drawn, sys.stdout)


def shortened(value, longest=100):
    """Names out of files may have any length and characters: they are cut, and made printable."""
    if isinstance(value, str):
        text = "".join(c if c.isprintable() else "?" for c in value[: longest + 1])
        return text if len(text) <= longest else text[: longest - 1] + "\N{HORIZONTAL ELLIPSIS}"
    if isinstance(value, list):
        return [shortened(each, longest) for each in value]
    if isinstance(value, dict):
        return {name: shortened(each, longest) for name, each in value.items()}
    return value


if __name__ == "__main__":
    try:
        import probes
        import style
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(3 if str(error.name).startswith("matplotlib") else 1)
    try:
        draw(*sys.argv[1:])
    except OSError as error:
        print(f"cannot write {sys.argv[1] or 'a plot'}: {error.strerror}", file=sys.stderr)
        sys.exit(4)
