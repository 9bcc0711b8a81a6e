#!/usr/bin/env bash
# BitRound of numcodecs turns the NaN of NVIDIA's GPUs into -0.0, and its negative one into 0.0.
#
# A GPU writes 0x7fffffff for every NaN that it computes; a processor of x86 writes 0xffc00000. BitRound adds half a unit to
# the bits of the mantissa, without a look at NaN: all bits set overflow into the sign. So a field of a run that diverged
# on a GPU reads back from Zarr as zeros, and the same run on the host as NaN. The largest finite numbers become infinity.
# Versions: numcodecs 0.16.6, Zarr 3.1.6, NumPy 2.4.6 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check numcodecs==0.16.6 zarr==3.1.6 numpy==2.4.6
"$folder/python/bin/python" - "$folder/field.zarr" 2>/dev/null <<'PYTHON'
import sys

import numcodecs
import numpy
import zarr

names = ["GPU's NaN", "host's NaN", "negative GPU's NaN", "infinity"]
bits = numpy.array([0x7FFFFFFF, 0xFFC00000, 0xFFFFFFFF, 0x7F800000], dtype="u4")
codec = numcodecs.BitRound(keepbits=10)
field = zarr.create_array(sys.argv[1], shape=(4,), chunks=(4,), dtype="f4", zarr_format=2, filters=[codec])
field[:] = bits.view("f4")
read = zarr.open_array(sys.argv[1])[:]
for name, before, after in zip(names, bits.view("f4"), read):
    print(f"{name}: {before} (0x{before.view('u4'):08x}) reads back as {after} (0x{after.view('u4'):08x})")
if [int(x) for x in read.view("u4")] != [0x80000000, 0xFFC00000, 0, 0x7F800000]:
    sys.exit("this has changed")
print("as described")
PYTHON
