#!/usr/bin/env bash
# The minimum and maximum of CDO depend on the place of a NaN: infon forgets the numbers in front of it.
#
# For 1, 2, NaN, 5, 4 `cdo infon` prints a minimum of 4, though 1 and 2 are there; with the NaN at the end the minimum is
# 1.8e308 and the maximum -1.8e308. fldmax leaves out a NaN in front and in the middle, and gives NaN if it comes last.
# Versions: CDO 2.1.1 (Debian 12), netCDF4 1.7.5.1.post1 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v cdo >/dev/null || apt-get -qq install -y cdo=2.1.1-1+deb12u1 >/dev/null
cdo --version 2>&1 | head -1
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check netCDF4==1.7.5.1.post1 numpy==2.4.6
# values NAME VALUE...: a file with one field on a grid of 1 x 5 points.
values() {
  python/bin/python - "$@" <<'PYTHON'
import sys

import netCDF4

with netCDF4.Dataset(f"{sys.argv[1]}.nc", "w", format="NETCDF3_CLASSIC") as file:
    for name, extent, units in (("lat", 1, "degrees_north"), ("lon", 5, "degrees_east")):
        file.createDimension(name, extent)
        axis = file.createVariable(name, "f8", (name,))
        axis.units = units
        axis[:] = range(extent)
    file.createVariable("v", "f4", ("lat", "lon"), fill_value=-999)[:] = [float(x) for x in sys.argv[2:]]
PYTHON
}
# expect NAME INFON FLDMAX
expect() {
  # infon: number : date time level gridsize miss : minimum mean maximum : name
  info=$(cdo -s infon "$1.nc" | awk -F: 'NR == 2 {split($(NF - 1), v, " "); print v[1]}')
  most=$(cdo -s "outputf,%g,1" -fldmax "$1.nc")
  echo "$1: minimum of infon $info, fldmax ${most// /}"
  # shellcheck disable=SC2053 # a pattern
  [[ $info == $2 && ${most// /} == "$3" ]] || { echo "this has changed"; exit 1; }
}
values first nan 1 2 5 4
values middle 1 2 nan 5 4
values last 1 2 5 4 nan
expect first 1.0000 5
expect middle 4.0000 5
expect last '1.7977e+308*' nan
echo "as described"
