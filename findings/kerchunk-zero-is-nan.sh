#!/usr/bin/env bash
# xarray reads each zero of an HDF5 file as NaN through kerchunk, and integers as floating point.
#
# A dataset of HDF5 that is written without a fill value has the fill value 0. kerchunk's reference names it as that of
# Zarr, and for xarray a fill value of Zarr marks what is missing. So the cells of a field and the errors that are
# exactly 0 are NaN, the mean leaves them out, and nothing warns. The same xarray reads the same file right with
# engine="h5netcdf", and through VirtualiZarr. mask_and_scale=False helps.
# Versions: kerchunk 0.2.10, xarray 2026.9.0, h5py 3.16.0, h5netcdf 1.8.2, zarr 3.1.6. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check kerchunk==0.2.10 xarray==2026.9.0 h5py==3.16.0 \
  h5netcdf==1.8.2 zarr==3.1.6 numpy==2.4.6
"$folder/python/bin/python" - "$folder/values.h5" <<'PYTHON'
import sys

import h5py
import kerchunk.hdf
import numpy
import xarray

path = sys.argv[1]
right = {"error": [0.0, 1.5, 0.0, 2.5], "count": [0, 1, 2, 0]}
with h5py.File(path, "w") as file:
    for name, values in right.items():
        file[name] = values
references = kerchunk.hdf.SingleHdf5ToZarr(path, error="raise").translate()
options = {"kerchunk": {}, "h5netcdf": {"phony_dims": "sort"}}
read = {}
for engine, more in options.items():
    with xarray.open_dataset(references if engine == "kerchunk" else path, engine=engine, **more) as data:
        read[engine] = {name: data[name].values for name in right}
        mean = float(data["error"].mean())
    print(f"engine {engine}: error {read[engine]['error']}, its mean {mean}, count {read[engine]['count']}")
for name, values in right.items():
    assert read["h5netcdf"][name].tolist() == values
    as_missing = numpy.where(numpy.array(values) == 0, numpy.nan, values)
    if not numpy.array_equal(read["kerchunk"][name], as_missing, equal_nan=True):
        sys.exit("this has changed")
print("as described")
PYTHON
