#!/usr/bin/env python3
# Redraws docs/gallery.md and its pictures from the kept samples:
#   docs/figures/gallery.py build/bin/memcompare
# Each picture is the SVG that memcompare draws, or a PNG of few colours where that is smaller.
import html
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

from PIL import Image  # matplotlib brings it

DOCS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INPUTS = os.path.join(os.path.dirname(DOCS), "inputs")
PICTURES = "figures/gallery"
LARGEST = 60_000  # bytes
COLOURS = 48

# Each kind of plot: its constant name, and which of several is shown where it is not the first.
KINDS = {
    "himeno-speed": "himeno-speed-XL-single-device",
    "himeno-phases": "himeno-phases-XL-single-device",
    "himeno-sweeps": "himeno-sweeps-XL-single-device",
    "himeno-energy": "himeno-energy-XL-single-device",
    "model": "",
    "prediction": "",
    "roofline": "",
    "scaling-strong": "",
    "scaling-weak": "",
    "link-host-copy": "",
    "link-device-copy": "",
    "link-htod": "",
    "link-dtoh": "",
    "link-by-size": "",
    "overlap": "",
    "exchange": "",
    "pages": "",
    "patterns": "",
    "migration": "",
    "size-losses": "",
    "transpose-variants": "transpose-variants-32768x32768-float-plain-device",
    "transpose-sizes": "",
    "transpose-energy": "",
    "latency": "",
    "l2": "",
    "shared": "",
    "copy-patterns": "",
    "issue": "",
    "warp": "",
    "atomics": "",
    "registers": "",
}
# Of what the samples have no run: no picture.
WITHOUT_SAMPLES = {
    "exchange": "Time of an exchange of messages between ranks, and its rate, over the bytes that "
    "leave a rank, both scales logarithmic; a plot for each pattern, a line for each path. Where the "
    "time is flat, a message costs its latency; where the rate is flat, the link is at its limit. "
    "The legend has the figures of both ends.",
    "size-losses": "The part of each series' steady bandwidth that larger arrays lose, where a "
    "machine has several sizes (`--axis bytes=...`) of patterns or migration. Patterns 1 to 4 are copied by "
    "the CPU, 5 to 8 by the GPU. As [tsukuba-thesis-2024] 5.3.1.",
}

HEAD = """# The plots of memcompare

`memcompare FILE.h5 ... --plots DIR` draws every plot that the results allow, as PNG and SVG.
`--html FILE` puts all plots into one page. Below is one plot of each kind, and how to read it.

**Conventions.** A broken line is theory (`--machine`). A full black line is a measured limit. A
dotted line or a grey band is a published value (`--reference`); a value far above all points is
written at the top instead. In the roofline the style of a line tells the memories apart. Machines
differ in lightness, line style and marker, so that a grey print can be read. File names begin with
the headings below; problem, machine or size follow where there are several. Keys in brackets:
[bibliography](bibliography.md).

The pictures come from the kept samples: one H100 and one H200 behind PCIe 5 (2026-11-24, revision
5dfebd4). Predictions are of machines that are only described.
`docs/figures/gallery.py build/bin/memcompare` redraws all pictures.
"""


def kind_of(name):
    """The kind of a plot by its file name. KeyError where no kind of the gallery fits."""
    fitting = [kind for kind in KINDS if f"{name}-".startswith(f"{kind}-")]
    if not fitting:
        raise KeyError(name)
    return max(fitting, key=len)


def drawn_by(memcompare, folder, arguments):
    """{name: (title, caption)} of the plots that memcompare draws into the folder."""
    report = os.path.join(folder, "report.html")
    options = [f"--plots={folder}/plots", f"--html={report}", "--force"]
    subprocess.run([memcompare, *arguments, *options], check=True, stdout=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        figures = re.findall(
            r'<figure id="([^"]+)"><img alt="([^"]+)"[^>]*>\s*<figcaption>(.*?)</figcaption>',
            file.read(),
            re.DOTALL,
        )
    return {
        name: (html.unescape(title), html.unescape(caption)) for name, title, caption in figures
    }


def machines(*names):
    return [f"--machine={INPUTS}/machines/{name}.toml" for name in names]


def all_drawn_by(memcompare, folder):
    """As drawn_by(), from the samples and from descriptions alone."""
    samples = [os.path.join(INPUTS, "reference/samples", name) for name in ("h100", "h200")]
    published = [f"--reference={INPUTS}/reference/thesis-2024.toml"]
    plots = drawn_by(memcompare, folder, [*samples, "--by=machine", *machines("h100-sxm-pcie", "h200"), *published])
    described = ["--predict=himeno", "--nodes=0", *machines("miyabi-g", "pegasus")]
    return plots | drawn_by(memcompare, folder, described)


def picture(kind, name, folder):
    """Writes the picture, and returns its path in docs."""
    with open(f"{folder}/plots/{name}.svg", "rb") as file:
        svg = file.read()
    ending, data = "svg", svg
    with Image.open(f"{folder}/plots/{name}.png") as image:
        colours = COLOURS
        while len(data) > LARGEST and colours > 4:
            png = io.BytesIO()
            few = image.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
            few.save(png, "PNG", optimize=True)
            ending, data = "png", png.getvalue()
            colours //= 2
    path = f"{PICTURES}/{kind}.{ending}"
    with open(os.path.join(DOCS, path), "wb") as file:
        file.write(data)
    return path


def wrapped(text):
    """Lines of at most 100 characters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > 100:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def redraw(memcompare):
    text = HEAD
    with tempfile.TemporaryDirectory() as folder:
        plots = all_drawn_by(memcompare, folder)
        shutil.rmtree(os.path.join(DOCS, PICTURES), ignore_errors=True)
        os.makedirs(os.path.join(DOCS, PICTURES))
        for kind, shown in KINDS.items():
            names = [name for name in plots if kind_of(name) == kind]
            text += f"\n## {kind}\n\n"
            if not names:
                text += wrapped(WITHOUT_SAMPLES[kind] + " The samples have no such run.") + "\n"
                continue
            name = shown if shown in names else names[0]
            title, caption = plots[name]
            about = title.split(":")[0]
            text += f"![{about}]({picture(kind, name, folder)})\n\n{wrapped(caption)}\n"
    with open(os.path.join(DOCS, "gallery.md"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: docs/figures/gallery.py build/bin/memcompare")
    redraw(sys.argv[1])
