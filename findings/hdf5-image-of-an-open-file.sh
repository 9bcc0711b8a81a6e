#!/usr/bin/env bash
# The image that H5Fget_file_image() gives of an open file cannot be opened, in every format but the oldest.
#
# The call is there to hand a file on, as bytes, without a disk. With the formats of HDF5 1.8 or later (libver="v108",
# smaller headers, attributes in order) opening the image fails: "incorrect metadata checksum". The call clears the mark
# "open for writing" in the superblock's copy, and leaves the superblock's checksum as it was. The same bytes from
# the callbacks of the core driver, after the file was closed, can be opened.
# Versions: h5py 3.15.1 (HDF5 1.14.6), so it is with HDF5 1.10.8, too. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check h5py==3.15.1
"$folder/python/bin/python" - "$folder/closed.h5" <<'PYTHON'
import io
import sys

import h5py


def opened(image):
    try:
        with h5py.File(io.BytesIO(image), "r") as file:
            return f"x is {file['x'][()]}"
    except OSError as error:
        return str(error)


print("h5py", h5py.__version__, "HDF5", h5py.version.hdf5_version)
got = {}
for version in ("earliest", "v108", "v110", "latest"):
    libver = "earliest" if version == "earliest" else (version, version)
    with h5py.File("image", "w", driver="core", backing_store=False, libver=libver) as file:
        file["x"] = 1.0
        file.flush()
        image = file.id.get_file_image()
    got[version] = opened(image)
    print(f"{version}: {len(image)} bytes, opened: {got[version]}")
with h5py.File(sys.argv[1], "w", driver="core", backing_store=True, libver=("v108", "v108")) as file:
    file["x"] = 1.0
with open(sys.argv[1], "rb") as file:
    closed = opened(file.read())
print("v108, of the closed file:", closed)
refused = ["checksum" in text for version, text in got.items() if version != "earliest"]
if got["earliest"] != "x is 1.0" or closed != "x is 1.0" or not all(refused):
    sys.exit("this has changed")
print("as described")
PYTHON
