#!/usr/bin/env bash
# HDF5's scale-offset filter turns NaN into the smallest number of its chunk; a NaN in front costs the whole chunk.
#
# `scaleoffset=2` of h5py keeps two decimal digits. One expects NaN back, or an error of the write. A NaN in the middle of a
# chunk reads back as the chunk's smallest number: a point that diverged looks like its neighbours. If a chunk of 32-bit
# numbers begins with NaN, the write succeeds, and HDF5 2.0.0 cannot read the chunk any more; 1.14.2 reads zeros
# instead of all its numbers. 64-bit numbers are then kept as they are. Infinities come back.
# Versions: h5py 3.16.0 (HDF5 2.0.0) and 3.11.0 (HDF5 1.14.2), PyPI. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 3.16.0 3.11.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check h5py==$version numpy==2.1.3
  "$folder/$version/bin/python" - "$folder/values-$version.h5" <<'PYTHON'
import sys

import h5py
import numpy

nan, inf = numpy.nan, numpy.inf
cases = {
    "infinity": ([1.25, 2.5, inf, 4.75], [1.25, 2.5, inf, 4.75], [1.25, 2.5, inf, 4.75]),
    "middle": ([1.25, 2.5, nan, 4.75], [1.25, 2.5, 1.25, 4.75], [1.25, 2.5, 1.25, 4.75]),
    "front": ([nan, 1.25, 2.5, 4.75], None if h5py.version.hdf5_version == "2.0.0" else [0.0] * 4, [nan, 1.25, 2.5, 4.75]),
}
with h5py.File(sys.argv[1], "w") as file:
    for name, (values, *_) in cases.items():
        for kind in ("f4", "f8"):
            file.create_dataset(name + kind, data=numpy.array(values, kind), chunks=(4,), scaleoffset=2)
with h5py.File(sys.argv[1]) as file:
    for name, (values, *expected) in cases.items():
        for kind, right in zip(("f4", "f8"), expected):
            try:
                read = file[name + kind][:]
            except OSError as error:
                read = None
            print(f"HDF5 {h5py.version.hdf5_version}, {kind}: {values} reads back as {read}")
            if (read is None) != (right is None) or right and not numpy.array_equal(read, right, equal_nan=True):
                sys.exit("this has changed")
PYTHON
done
echo "as described"
