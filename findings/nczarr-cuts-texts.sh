#!/usr/bin/env bash
# netCDF's Zarr files cut each text to 128 bytes, without an error.
#
# The same program writes texts of any length into netCDF-4's HDF5 files. With a path that ends in "#mode=nczarr,file" the
# write and the close succeed, and the text is cut on disk, so that other readers of Zarr have the cut one, too. A list
# of options or a name of a file of 129 bytes loses its end. (An attribute, _nczarr_maxstrlen, can raise the length.)
# Versions: netCDF4 1.7.5.1.post1 with netCDF-C 4.10.1, Zarr 3.1.6 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check netCDF4==1.7.5.1.post1 zarr==3.1.6 numpy==2.4.6
"$folder/python/bin/python" - "$folder" 2>/dev/null <<'PYTHON'
import sys

import netCDF4
import numpy
import zarr

print("netCDF-C", netCDF4.__netcdf4libversion__)
lengths = [1, 128, 129, 5000]
paths = {"HDF5": f"{sys.argv[1]}/texts.nc", "Zarr": f"file://{sys.argv[1]}/texts.zarr#mode=nczarr,file"}
read = {}
for name, path in paths.items():
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", len(lengths))
        file.createVariable("text", str, ("x",))[:] = numpy.array(["x" * n for n in lengths], dtype=object)
    with netCDF4.Dataset(path) as file:
        read[name] = [len(text) for text in file["text"][:]]
read["Zarr, by zarr-python"] = [len(text) for text in zarr.open_group(f"{sys.argv[1]}/texts.zarr", mode="r")["text"][:]]
for name, found in read.items():
    print(f"{name}: texts of {lengths} bytes read back with {found}")
cut = [1, 128, 128, 128]
if read != {"HDF5": lengths, "Zarr": cut, "Zarr, by zarr-python": cut}:
    sys.exit("this has changed")
print("as described")
PYTHON
