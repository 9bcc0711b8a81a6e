#!/usr/bin/env bash
# h5diff of HDF5 1.14.5: datasets of different extents or classes of type give exit code 0, with --quiet without a word.
#
# Its help says "0 if no differences, 1 if differences found, 2 error". A field of 12 values where 10 are expected counts as
# "not comparable", which is neither: a script that compares results by the exit code passes. A dataset that is missing, or
# a value that differs, gives 1. (So it is in 1.10.8.) `h5diff -c` names them, and gives 0, too: look for "Not comparable".
# Versions: hdf5-tools 1.14.5 (Debian 13), h5py 3.15.1. Takes root and debootstrap, and a minute. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check h5py==3.15.1
debootstrap --variant=minbase --include=hdf5-tools trixie "$folder/root" \
  "${MEMSTENCIL_MIRROR:-http://deb.debian.org/debian}" >"$folder/log" 2>&1 || { tail "$folder/log"; exit 1; }
"$folder/python/bin/python" - "$folder/root" <<'PYTHON'
import sys

import h5py
import numpy

fields = {
    "field": numpy.arange(10.0),
    "longer": numpy.arange(12.0),
    "by-two": numpy.arange(10.0).reshape(2, 5),
    "integers": numpy.arange(10),
    "other-value": numpy.arange(10.0) + 1,
}
for name, values in fields.items():
    with h5py.File(f"{sys.argv[1]}/{name}.h5", "w") as file:
        file["p"] = values
PYTHON
inside() { chroot "$folder/root" "$@"; }
inside h5diff --version
for pair in "longer 0" "by-two 0" "integers 0" "other-value 1"; do
  read -r name expected <<<"$pair"
  code=0
  said=$(inside h5diff --quiet field.h5 "$name.h5") || code=$?
  printf 'h5diff --quiet field.h5 %s.h5: exit code %d, "%s"\n' "$name" "$code" "$said"
  [[ $code == "$expected" && -z $said ]] || { echo "this has changed"; exit 1; }
done
echo "as described"
