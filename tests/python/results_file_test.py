"""What results_sample wrote is what h5py reads: python3 results_file_test.py FILE.h5"""
import os
import shutil
import subprocess
import sys
import zlib

try:
    import h5py
except ImportError:
    print("skipped: this Python has no h5py")
    sys.exit(77)
import numpy


def check(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


with h5py.File(sys.argv[1], "r") as file:
    check(file.attrs["schema"].decode(), "memstencil-results", "schema")
    check(int(file.attrs["schema_version"]), 3, "schema_version")
    run = file
    check(run.attrs["title"].decode(), "Größe", "title")
    check(run.attrs["iterations"], 3000, "iterations")
    check(run.attrs["iterations"].dtype, numpy.dtype("int64"), "type of iterations")
    check(run.attrs["gosa"], 8.606862309e-04, "gosa")
    check(run.attrs["verified"], 1, "verified")
    check(run.attrs["verified"].dtype, numpy.dtype("uint8"), "type of verified")
    check(run.attrs["warnings"].tolist(), [], "an empty array")
    check(run.attrs["seconds"].tolist(), [], "null")
    check(run.attrs["seconds"].dtype, numpy.dtype("uint8"), "type of null")
    check(run["memspace"].attrs["effective"].decode(), "host", "memspace.effective")
    check(run["extents"][:].tolist(), [2, 3, 4], "extents")
    check(run["extents"].dtype, numpy.dtype("int64"), "type of extents")
    check(run["sweeps/seconds"][:].tolist(), [0.5, 0.25], "sweeps.seconds")
    check([name.decode() for name in run["names"][:]], ["a", "ü"], "names")
    check(run["variants/0002"].attrs["name"].decode(), "tiled", "variants")
    check(run["long"][()].decode(), 70000 * "x", "long")
    check(file.userblock_size, 512, "user block")
    # netCDF4 and xarray lose the group of an attribute of rank 2.
    groups = [file]
    file.visititems(lambda _, each: groups.append(each))
    check(len(groups) > 5, True, "groups")
    check({each.attrs[name].ndim for each in groups for name in each.attrs} - {0, 1}, set(), "ranks of attributes")
    field = file.attrs["field"].decode()
with h5py.File(os.path.join(os.path.dirname(sys.argv[1]), field), "r") as file:
    pressure = file["pressure"]
    check(pressure.shape, (2, 3, 4), "shape of pressure")
    check(pressure.dtype, numpy.dtype("float32"), "type of pressure")
    check(pressure[:].ravel().tolist(), list(range(24)), "pressure")

# Anybody's zlib agrees with the first line, and HDF5's own tools do not mind it.
with open(sys.argv[1], "rb") as file:
    content = file.read()
image = content[512:]
line = f"memstencil-results 3 {len(image)} {zlib.crc32(image):08x}\n".encode()
check(content[:512], line.ljust(512, b"\0"), "user block")
if shutil.which("h5dump"):
    dumped = subprocess.run(["h5dump", "-H", sys.argv[1]], capture_output=True, text=True, check=True)
    check(dumped.stderr, "", "h5dump's errors")
print("good")
