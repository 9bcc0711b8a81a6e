#!/usr/bin/env python3
# Redraws the pictures of docs/figures/gallery from the kept samples: docs/figures/gallery.py build/bin/memcompare
# Each is the PNG that memcompare draws, with few colours.
import io
import os
import subprocess
import sys
import tempfile

from PIL import Image  # matplotlib brings it

DOCS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLES = os.path.join(os.path.dirname(DOCS), "inputs/reference/samples")
PICTURES = os.path.join(DOCS, "figures/gallery")
COLOURS = 48

# The pictures of which sides, and which of several plots of a name is shown.
NAMES = {
    name: name
    for name in (
        "speed",
        "phases",
        "model",
        "link",
        "latency",
        "l2",
        "copy",
        "issue",
        "registers",
        "atomics",
        "patterns",
        "migration",
        "warp",
    )
}
OF_SIDES = {("h100", "h200"): NAMES, ("h100-x4",): {"scaling": "scaling-strong-himeno-L-256x256x512"}}


def picture(folder, name):
    small = io.BytesIO()
    with Image.open(f"{folder}/{name}.png") as image:
        image.convert("RGB").quantize(COLOURS).save(small, "PNG", optimize=True)
    return small.getvalue()


def redraw(memcompare, sides, names):
    with tempfile.TemporaryDirectory() as folder:
        folders = [os.path.join(SAMPLES, side) for side in sides]
        subprocess.run(
            [memcompare, *folders, "--plots", folder], check=True, stdout=subprocess.DEVNULL
        )
        for name, plot in names.items():
            with open(f"{PICTURES}/{name}.png", "wb") as file:
                file.write(picture(folder, plot))


if __name__ == "__main__":
    for of_sides, of_names in OF_SIDES.items():
        redraw(sys.argv[1], of_sides, of_names)
