#!/usr/bin/env bash
# SZ3 with an absolute bound of 0.001 reads NaN back as some -2.1 million, a number like any other.
#
# The bound holds for all finite points, also next to NaN, infinity and 1e30, and the last two come back as they were. NaN is
# made an integer as it is quantized, the least of 32 bits, times the bound. The minimum and the mean of the field are then
# wrong, and a reader cannot tell the point that diverged.
# Versions: hdf5plugin 7.1.0, h5py 3.16.0 (HDF5 2.0.0), PyPI. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check hdf5plugin==7.1.0 h5py==3.16.0 numpy==2.4.6
"$folder/python/bin/python" - "$folder/field.h5" <<'PYTHON'
import sys

import h5py
import hdf5plugin
import numpy

bound = 1e-3
smooth = numpy.cumsum(numpy.random.default_rng(1).normal(size=4096)).reshape(64, 64)
for kind in ("f4", "f8"):
    for special in (numpy.inf, -numpy.inf, 1e30, numpy.nan):
        field = smooth.astype(kind)
        field[20, 30] = special
        with h5py.File(sys.argv[1], "w") as file:
            file.create_dataset("v", data=field, chunks=(64, 64), compression=hdf5plugin.SZ3(absolute=bound))
        with h5py.File(sys.argv[1]) as file:
            read = file["v"][:]
        others = numpy.ones(field.shape, bool)
        others[20, 30] = False
        error = abs(read - field)[others].max()
        print(f"{kind}: {special} reads back as {read[20, 30]:.8g}; largest error of the other points {error:.2g}")
        kept = read[20, 30] == field[20, 30]
        if error > 1.001 * bound or kept == numpy.isnan(special):
            sys.exit("this has changed")
        if numpy.isnan(special) and not -2.2e9 < read[20, 30] / bound < -2.1e9:
            sys.exit("this has changed")
print("as described")
PYTHON
