#!/usr/bin/env bash
# netCDF's quantization makes infinity NaN (BitGroom) or zero (GranularBitRound).
#
# quantize_mode and significant_digits keep that many digits of floating-point numbers, so that deflate gains. BitGroom sets
# the low bits of every second number, which makes a NaN of infinity: so it depends on the place. GranularBitRound makes
# 0 of both infinities, with the other sign. BitRound keeps them. NaN stays NaN in all three.
# Versions: netCDF4 1.7.5.1.post1 with netCDF-C 4.10.1 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check netCDF4==1.7.5.1.post1 numpy==2.4.6
"$folder/python/bin/python" - "$folder" <<'PYTHON'
import sys

import netCDF4
import numpy

print("netCDF-C", netCDF4.__netcdf4libversion__)
inf, nan = numpy.inf, numpy.nan
values = numpy.array([1.5, inf, -inf, inf, -inf, nan])
right = {
    "BitRound": [1.5, inf, -inf, inf, -inf, nan],
    "BitGroom": [1.5, nan, -inf, nan, -inf, nan],
    "GranularBitRound": [1.5, -0.0, 0.0, -0.0, 0.0, nan],
}
for mode, expected in right.items():
    for kind in ("f4", "f8"):
        path = f"{sys.argv[1]}/{mode}-{kind}.nc"
        with netCDF4.Dataset(path, "w") as file:
            file.createDimension("x", len(values))
            file.createVariable("v", kind, ("x",), zlib=True, significant_digits=3, quantize_mode=mode)[:] = values
        with netCDF4.Dataset(path) as file:
            file.set_auto_mask(False)
            read = file["v"][:]
        print(f"{mode}, {kind}: {values} reads back as {read}")
        same = numpy.array_equal(read, numpy.array(expected, kind), equal_nan=True)
        if not same or (numpy.signbit(read) != numpy.signbit(expected))[~numpy.isnan(read)].any():
            sys.exit("this has changed")
print("as described")
PYTHON
