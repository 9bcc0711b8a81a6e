#!/usr/bin/env bash
# pyfive reads zeros out of a contiguous dataset of an HDF5 file that has a user block.
#
# HDF5 counts the addresses of a file from the end of its user block (H5Pset_userblock). pyfive finds the superblock
# behind the block, and takes groups, attributes and compact datasets right. The address of a contiguous dataset it
# takes from the start of the file: the values come from other bytes, without an error. h5py reads the same file right.
# Versions: pyfive 1.3.0, h5py 3.16.0, numpy 2.3.5. Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pyfive==1.3.0 h5py==3.16.0 numpy==2.3.5
"$folder/python/bin/python" - "$folder/values.h5" <<'PYTHON'
import sys

import h5py
import numpy
import pyfive

path, right = sys.argv[1], [1.5, 2.5, 3.5]
read = {}
for bytes_in_front in (0, 512):
    with h5py.File(path, "w", userblock_size=bytes_in_front) as file:
        file["values"] = numpy.array(right)  # contiguous: h5py's default
        file.attrs["number"] = 7
    with h5py.File(path) as file:
        assert file["values"][:].tolist() == right
    with pyfive.File(path) as file:
        assert file.attrs["number"] == 7
        read[bytes_in_front] = file["values"][:].tolist()
    print(f"user block of {bytes_in_front} bytes: h5py reads {right}, pyfive {pyfive.__version__} {read[bytes_in_front]}")
if read[0] != right or read[512] == right:
    sys.exit("this has changed")
print("as described")
PYTHON
