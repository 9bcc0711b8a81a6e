#!/usr/bin/env bash
# zfp's "accuracy" of 0.001 is exceeded 10,000 times at the neighbours of one large number, or of infinity.
#
# One expects the absolute error to be at most the accuracy, or an error that says it cannot be. A block of 4 x 4 points has
# one exponent, so that 1e30 leaves its neighbours no bits: their errors are as large as they are. Infinity and NaN read
# back as ordinary numbers. Points of other blocks are right, and the reversible mode has all of them right. The manual of
# zfp speaks of such blocks; a program that writes through the HDF5 filter has no way to ask.
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
smooth = 10 + numpy.cumsum(numpy.random.default_rng(1).normal(size=4096)).reshape(64, 64).astype("f4")
peaks = (None, 1e30, numpy.inf, numpy.nan)
modes = {"accuracy=0.001": hdf5plugin.Zfp(accuracy=bound), "reversible": hdf5plugin.Zfp(reversible=True)}
for mode, filter_of_mode in modes.items():
    for peak in peaks:
        field = smooth.copy()
        if peak is not None:
            field[21, 30] = peak
        with h5py.File(sys.argv[1], "w") as file:
            file.create_dataset("v", data=field, chunks=(64, 64), compression=filter_of_mode)
        with h5py.File(sys.argv[1]) as file:
            read = file["v"][:]
        with numpy.errstate(invalid="ignore"):
            error = abs(read.astype("f8") - field)
        error[21, 30] = 0
        block = error[20:24, 28:32].max()
        error[20:24, 28:32] = 0
        same = numpy.array_equal(read[21, 30], field[21, 30], equal_nan=True)
        print(f"{mode}, peak {peak}: reads back as {read[21, 30]:.6g}; largest error in its block {block:.3g}, "
              f"in others {error.max():.3g}")
        if mode == "reversible":
            right = same and block == 0 and error.max() == 0
        else:
            right = error.max() < bound and (block > 1000 * bound) == (peak in (1e30, numpy.inf)) and numpy.isfinite(read).all()
        if not right:
            sys.exit("this has changed")
print("as described")
PYTHON
