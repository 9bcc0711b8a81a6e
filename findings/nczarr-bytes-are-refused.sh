#!/usr/bin/env bash
# A group of netCDF's Zarr files with a variable of one-byte integers cannot be listed or opened by zarr-python and xarray.
#
# netCDF-C writes the type as "<i1" and "<u1". Zarr 2 of Python took it; zarr-python 3 knows "|i1" alone, for which a byte
# order makes no sense, and says that it finds no data type. A mask or a flag in one variable so keeps xarray from the whole
# file. netCDF itself reads both spellings.
# Versions: netCDF4 1.7.5.1.post1 with netCDF-C 4.10.1, Zarr 3.1.6, xarray 2026.9.0 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check netCDF4==1.7.5.1.post1 zarr==3.1.6 xarray==2026.9.0 \
  numpy==2.4.6
"$folder/python/bin/python" - "$folder" 2>/dev/null <<'PYTHON'
import sys
import warnings

import netCDF4
import xarray

warnings.simplefilter("ignore")
print("netCDF-C", netCDF4.__netcdf4libversion__)
taken = {}
for kind in ("i1", "u1", "i2"):
    path = f"{sys.argv[1]}/{kind}.zarr"
    with netCDF4.Dataset(f"file://{path}#mode=nczarr,file", "w") as file:
        file.createDimension("x", 4)
        file.createVariable("field", "f4", ("x",))[:] = range(4)
        file.createVariable("mask", kind, ("x",))[:] = [0, 1, 1, 0]
    with netCDF4.Dataset(f"file://{path}#mode=nczarr,file") as file:
        own = file["mask"][:].tolist()
    try:
        with xarray.open_dataset(path, engine="zarr", consolidated=False) as data:
            answer = f"reads field {data['field'].values}"
            taken[kind] = True
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
        taken[kind] = False
    print(f"mask of type {kind}: netCDF reads {own}; xarray {answer}")
if taken != {"i1": False, "u1": False, "i2": True}:
    sys.exit("this has changed")
print("as described")
PYTHON
