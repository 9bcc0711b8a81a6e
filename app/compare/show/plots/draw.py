# Draws every plot that an answer of memcompare allows. memcompare starts it with the answer
# (docs/compare.md) as JSON on stdin: draw.py FOLDER NAME. Files (PNG, SVG, PDF) appear in the folder
# together, without a folder there are none; the list of plots, each with its SVG, goes to stdout, notes
# for the user to stderr. Exit codes: 3, this Python has no matplotlib; 4, files cannot be written.
import base64
import contextlib
import gc
import json
import os
import re
import sys
import tempfile
import warnings

MEMBERS = ("sides", "cases", "ranking", "scaling", "model", "published", "probes")  # or some of them


def all_plots(answer, only=""):
    """In the order of the page; those without a function of their own as plots.json says."""
    import memories
    import probes
    import style

    own = memories.PLOTS | probes.PLOTS
    for name in style.PLOTS:
        if only in ("", name):
            yield from own[name](answer) if name in own else probes.drawn(answer, name)


def draw(folder, only):
    gc.disable()  # it would take a tenth of the time
    answer = dict.fromkeys(MEMBERS, []) | shortened(json.load(sys.stdin))
    drawn = []
    there = folder  # or the next folder above it that exists: within a file system moving needs no room
    while there and not os.path.isdir(there):
        there = os.path.dirname(there)
    with tempfile.TemporaryDirectory(prefix=".memcompare-", dir=there or None) as made, glyphs():
        for plot in all_plots(answer, only):
            plot.save(made, ("svg", "png", "pdf") if folder else ("svg",))
            with open(os.path.join(made, plot.name + ".svg"), "rb") as file:
                svg = base64.b64encode(file.read()).decode()
            members = ("name", "title", "caption", "lead")
            drawn.append({"svg": svg} | {m: getattr(plot, m) for m in members})
        if folder and drawn:
            os.makedirs(folder, exist_ok=True)
            for name in os.listdir(made):
                os.replace(os.path.join(made, name), os.path.join(folder, name))
    json.dump(drawn, sys.stdout)


@contextlib.contextmanager
def glyphs():
    """Tells the letters that no font of this machine has."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", "Glyph ")
        yield
    codes = [re.match(r"Glyph (\d+) ", str(each.message)) for each in caught]
    if missing := sorted({chr(int(code[1])) for code in codes if code}):
        print(
            f"note: no font here has {''.join(missing)}: PNG and PDF show boxes, SVG does not; install a "
            "font that has them (Debian: fonts-noto-cjk)",
            file=sys.stderr,
        )


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
    # matplotlib keeps a list of fonts where it may write.
    with tempfile.TemporaryDirectory() as home:
        os.environ["MPLCONFIGDIR"] = home
        try:
            import matplotlib  # noqa: F401
        except ImportError as error:
            print(error, file=sys.stderr)
            sys.exit(3)
        try:
            draw(*sys.argv[1:])
        except OSError as error:
            print(f"cannot write {sys.argv[1] or 'a plot'}: {error.strerror}", file=sys.stderr)
            sys.exit(4)
