#!/bin/bash
# Redraws the pictures of docs/probes, docs/results.md and docs/model.md from the kept samples.
# Usage: docs/figures/redraw.sh [FOLDER OF THE PROGRAM compare]    (default: build/bin)
# Needs Python with matplotlib and h5py, as compare's plots do; Pillow comes with matplotlib.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
compare=$(cd "${1:-$root/build/bin}" && pwd)/compare
samples=$root/inputs/reference/samples
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT

cd "$root"
"$compare" "$samples"/*.h5 --machine inputs/machines/h100-sxm-pcie.toml \
  --machine inputs/machines/h200.toml --plots "$drawn/both" > /dev/null
for machine in h100 h200; do
  "$compare" "$samples/$machine-himeno.h5" --plots "$drawn/$machine" > /dev/null
done

python=python3
"$python" -c 'import PIL' 2> /dev/null || python=/usr/bin/python3
# 64 colours and 1100 pixels are enough for lines and text, and keep a picture under 60 kB.
"$python" - "$drawn" "$root/docs/figures" << 'PYTHON'
import pathlib
import sys

from PIL import Image

drawn, figures = map(pathlib.Path, sys.argv[1:])
WANTED = {  # picture: the plot of compare, by the beginning of its name
    **{f"probes/{name}": ("both", name) for name in (
        "link-by-size", "patterns", "migration", "pages", "copy-patterns", "latency", "warp",
        "atomics", "registers", "issue")},
    "probes/shared-64": ("both", "shared-h100-sxm-pcie-64"),
    "model-scatter": ("both", "model"),
    "results-h100": ("h100", "himeno-phases-XL-single"),
    "results-h200": ("h200", "himeno-phases-XL-single"),
}
missing = []
for picture, (folder, beginning) in WANTED.items():
    found = sorted((drawn / folder).glob(beginning + "*.png"))
    if not found:
        missing.append(beginning)
        continue
    image = Image.open(found[0]).convert("RGB")
    image.thumbnail((1100, 1600), Image.LANCZOS)
    image.quantize(64).save(figures / f"{picture}.png", optimize=True)
if missing:
    sys.exit("compare draws no plot of the name " + ", ".join(missing))
PYTHON
