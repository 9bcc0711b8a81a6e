#!/usr/bin/env bash
# h5netcdf reads an attribute of one letter as bytes, and a longer one as str.
#
# The text is of fixed length, as C programs write it. One would expect one type of Python for one type of value: here
# a problem size "M" is b"M", which does not equal "M", while "XL" is "XL". Padded to a length of 8 "M" is a str; so
# it is for netCDF4 whatever its length. (h5netcdf takes a length of 1 for NC_CHAR.)
# Versions: h5netcdf 1.8.2, h5py 3.16.0, netCDF4 1.7.4, numpy 2.3.5. Seen on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check h5netcdf==1.8.2 h5py==3.16.0 netCDF4==1.7.4 \
  numpy==2.3.5
"$folder/python/bin/python" - "$folder/sizes.h5" <<'PYTHON'
import sys

import h5netcdf
import h5py
import netCDF4
import numpy

path = sys.argv[1]
with h5py.File(path, "w") as file:
    for size in ("M", "XL"):
        file.attrs.create(size, numpy.bytes_(size.encode()))
        file.attrs.create(size + " padded", size.encode(), dtype="S8")
with h5netcdf.File(path) as file:
    read = {name: file.attrs[name] for name in file.attrs}
print("h5netcdf", h5netcdf.__version__, read)
with netCDF4.Dataset(path) as file:
    by_netcdf4 = {name: file.getncattr(name) for name in file.ncattrs()}
print("netCDF4", netCDF4.__version__, by_netcdf4)
expected = {"M": b"M", "M padded": "M", "XL": "XL", "XL padded": "XL"}
if read != expected or set(by_netcdf4.values()) != {"M", "XL"}:
    sys.exit("this has changed")
print("as described")
PYTHON
