#!/usr/bin/env bash
# VirtualiZarr reads zeros out of a virtual dataset of HDF5, and out of a compact one.
#
# A virtual dataset joins the files of all ranks without a copy; a small dataset can be compact, within its header. Both
# have no address in the file. VirtualiZarr lists them with shape and type and without a chunk, and what has no chunk is
# fill value: all times are 0.0, without an error or a warning. h5py reads the same file right. kerchunk gives the same
# references (compact ones from 500 bytes on).
# Versions: virtualizarr 2.5.1 (and 2.4.0), kerchunk 0.2.10, h5py 3.16.0, zarr 3.1.6. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check virtualizarr==2.5.1 kerchunk==0.2.10 h5py==3.16.0 \
  zarr==3.1.6 xarray==2026.9.0 numpy==2.4.6 obstore==0.12.1 obspec-utils==0.9.0
cd "$folder"
python/bin/python -W error::UserWarning - <<'PYTHON'
import os
import sys

import h5py
import kerchunk.hdf
import numpy
import virtualizarr
import zarr
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore
from virtualizarr.parsers import HDFParser

right = numpy.arange(1.0, 101.0)
layout = h5py.VirtualLayout(shape=(100,), dtype="f8")
for rank in range(2):
    with h5py.File(f"rank{rank}.h5", "w") as file:
        file["times"] = right[50 * rank:50 * (rank + 1)]
    layout[50 * rank:50 * (rank + 1)] = h5py.VirtualSource(f"rank{rank}.h5", "times", shape=(50,))
with h5py.File("all.h5", "w") as file:
    file["contiguous"] = right
    file.create_virtual_dataset("virtual", layout)
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((100,))
    h5py.Dataset(h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F64LE, space, properties))[:] = right
registry = ObjectStoreRegistry({"file://": LocalStore()})
store = HDFParser()(url="file://" + os.path.abspath("all.h5"), registry=registry)
references = kerchunk.hdf.SingleHdf5ToZarr("all.h5", error="raise").translate()["refs"]
print(f"virtualizarr {virtualizarr.__version__}, h5py {h5py.__version__}, zarr {zarr.__version__}")
with h5py.File("all.h5") as file:
    for name in ("contiguous", "virtual", "compact"):
        assert file[name][:].tolist() == right.tolist()
        read = zarr.open_group(store, mode="r")[name][:]
        chunk = f"{name}/0" in references
        print(f"{name}: h5py {right[:3]}, VirtualiZarr {read[:3]}, kerchunk has its chunk: {chunk}")
        if chunk != (name == "contiguous") or read.tolist() != (right if chunk else 0 * right).tolist():
            sys.exit("this has changed")
print("as described")
PYTHON
