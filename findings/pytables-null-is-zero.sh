#!/usr/bin/env bash
# PyTables reads an attribute with a null dataspace, which has no value, as the number 0.0.
#
# HDF5's own notion of "no value" is the null dataspace (H5S_NULL; h5py writes it for h5py.Empty). h5py and netCDF4 give
# an empty object for it. PyTables gives a scalar 0.0 of the attribute's type: "unknown" turns into a measured zero.
# For an attribute of length 0 it gives an empty array.
# Versions: tables 3.11.1, h5py 3.16.0, netCDF4 1.7.4, numpy 2.3.5. Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check tables==3.11.1 h5py==3.16.0 netCDF4==1.7.4 \
  numpy==2.3.5
"$folder/python/bin/python" - "$folder/attributes.h5" <<'PYTHON'
import sys

import h5py
import netCDF4
import numpy
import tables

path = sys.argv[1]
with h5py.File(path, "w") as file:
    file.attrs["no_value"] = h5py.Empty("f8")
    file.attrs["length_0"] = numpy.zeros(0)
with h5py.File(path) as file:
    print("h5py", h5py.__version__, repr(file.attrs["no_value"]), repr(file.attrs["length_0"]))
with netCDF4.Dataset(path) as file:
    print("netCDF4", netCDF4.__version__, repr(file.getncattr("no_value")), repr(file.getncattr("length_0")))
with tables.open_file(path) as file:
    null, empty = file.root._v_attrs["no_value"], file.root._v_attrs["length_0"]
print("PyTables", tables.__version__, repr(null), repr(empty))
if numpy.size(null) != 1 or null != 0.0 or numpy.size(empty) != 0:
    sys.exit("this has changed")
print("as described")
PYTHON
