#!/usr/bin/env bash
# `cdo diff` says nothing and ends with 0 if one file has NaN and the other a number.
#
# It is the usual comparison of two runs of a model, and ends with 1 if records differ. NaN is no missing value of the
# file, and no tolerance is given. NaN in the first file or in the second, at one place or at all: no difference.
# An infinity is found.
# Versions: CDO 2.1.1 (Debian 12), netCDF4 1.7.5.1.post1 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v cdo >/dev/null || apt-get -qq install -y cdo=2.1.1-1+deb12u1 >/dev/null
cdo --version 2>&1 | head -1
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check netCDF4==1.7.5.1.post1 numpy==2.4.6
python/bin/python - <<'PYTHON'
import netCDF4
import numpy

nan, inf = numpy.nan, numpy.inf
files = {"numbers": [1, 2, 5], "other": [1, 2, 6], "nan": [1, 2, nan], "nans": [nan, nan, nan], "infinity": [1, 2, inf]}
for name, values in files.items():
    with netCDF4.Dataset(f"{name}.nc", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("x", 3)
        file.createVariable("v", "f4", ("x",), fill_value=-999)[:] = values
PYTHON
for case in other:1 infinity:1 nan:0 nans:0; do
  for pair in "numbers.nc ${case%:*}.nc" "${case%:*}.nc numbers.nc"; do
    code=0
    # shellcheck disable=SC2086 # two files
    cdo -s diff $pair >log 2>&1 || code=$?
    echo "cdo diff $pair: exit code $code, $(wc -l <log) lines"
    [[ $code == "${case#*:}" ]] || { echo "this has changed"; exit 1; }
  done
done
echo "as described"
