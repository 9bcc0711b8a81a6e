# Draws every plot that an answer of memcompare allows. memcompare starts it with the answer
# (docs/compare.md) as JSON on stdin: draw.py FOLDER files|page [NAME]. Files (PNG, SVG, PDF) appear
# in the folder together; the list of plots, each with its SVG, goes to stdout. With --check it only
# tries whether this Python has matplotlib.
import base64
import gc
import json
import os
import sys
import tempfile

if __name__ == "__main__" and sys.argv[1:] == ["--check"]:
    import matplotlib  # noqa: F401  (pyplot would look for fonts, which takes its time)

    sys.exit()


def all_plots(answer, only=""):
    """In the order of the page."""
    import applications
    import probes

    for name, make in applications.PLOTS + probes.PLOTS:
        if only in ("", name):
            yield from make(answer)


def draw(folder, kinds, only):
    gc.disable()  # it would take a tenth of the time
    answer = shortened(json.load(sys.stdin))
    drawn = []
    with tempfile.TemporaryDirectory(dir=folder, prefix=".memstencil-plots-") as made:
        for plot in all_plots(answer, only):
            plot.save(made, kinds)
            with open(os.path.join(made, plot.name + ".svg"), "rb") as file:
                svg = base64.b64encode(file.read()).decode()
            members = ("name", "title", "caption", "lead")
            drawn.append({"svg": svg} | {m: getattr(plot, m) for m in members})
        for name in os.listdir(made) if len(kinds) > 1 else []:
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
    # matplotlib keeps a list of fonts where it may write.
    with tempfile.TemporaryDirectory() as home:
        os.environ["MPLCONFIGDIR"] = home
        kinds = ("svg", "png", "pdf") if sys.argv[2] == "files" else ("svg",)
        draw(sys.argv[1], kinds, sys.argv[3] if len(sys.argv) > 3 else "")
