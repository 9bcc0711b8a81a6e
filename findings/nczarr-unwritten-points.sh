#!/usr/bin/env bash
# Points that were never written: in netCDF's Zarr files xarray leaves them out in 32 bits, and reads 1e37 in 64 bits.
#
# netCDF-C fills an array with its fill value, 9.969209968386869e+36, and writes that into Zarr's metadata with six digits. In
# 32 bits both are the same number, and xarray and zarr-python know which points are missing. In 64 bits they differ, so
# that the mean of a half-written field is 5e36. netCDF4 reads both right, by a second copy of the fill value.
# Versions: netCDF4 1.7.5.1.post1 with netCDF-C 4.10.1, Zarr 3.1.6, xarray 2026.9.0 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check netCDF4==1.7.5.1.post1 zarr==3.1.6 xarray==2026.9.0 \
  numpy==2.4.6
"$folder/python/bin/python" - "$folder" 2>/dev/null <<'PYTHON'
import json
import pathlib
import sys
import warnings

import netCDF4
import xarray

warnings.simplefilter("ignore")
print("netCDF-C", netCDF4.__netcdf4libversion__)
folder = pathlib.Path(sys.argv[1])
means = {}
address = f"file://{folder}/v.zarr#mode=nczarr,file"
with netCDF4.Dataset(address, "w") as file:
    file.createDimension("x", 4)
    for kind in ("f4", "f8"):
        file.createVariable(kind, kind, ("x",))[:2] = [1, 2]
with netCDF4.Dataset(address) as file, xarray.open_zarr(folder / "v.zarr", consolidated=False) as data:
    for kind in ("f4", "f8"):
        means["netCDF4", kind] = float(file[kind][:].mean())
        means["xarray", kind] = float(data[kind].mean())
        print(f"{kind}: 1, 2 and two points never written: xarray reads {data[kind].values}, mean {means['xarray', kind]:.4g}; "
              f"netCDF4's mean is {means['netCDF4', kind]}")
fill = json.loads((folder / "v.zarr/f8/.zarray").read_text())["fill_value"]
print(f"fill value: in the metadata {fill!r}, in the array {netCDF4.default_fillvals['f8']!r}")
wrong = means.pop(("xarray", "f8"))
if any(mean != 1.5 for mean in means.values()) or not wrong > 1e36:
    sys.exit("this has changed")
print("as described")
PYTHON
