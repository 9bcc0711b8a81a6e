"""What results_sample wrote is what h5py reads: python3 results_file_test.py FILE.h5"""
import json
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
    check(file.attrs["schema"], "memstencil-results", "schema")
    check(int(file.attrs["schema_version"]), 1, "schema_version")
    check(list(file["runs"]), ["0001", "0002"], "runs")
    run = file["runs/0001"]
    check(run.attrs["title"], "Größe", "title")
    check(run.attrs["iterations"], 3000, "iterations")
    check(run.attrs["iterations"].dtype, numpy.dtype("int64"), "type of iterations")
    check(run.attrs["gosa"], 8.606862309e-04, "gosa")
    check(bool(run.attrs["verified"]), True, "verified")
    check(run.attrs["verified"].dtype, numpy.dtype(bool), "type of verified")
    check(isinstance(run.attrs["seconds"], h5py.Empty), True, "null")
    check(run["memspace"].attrs["effective"], "host", "memspace.effective")
    check(run["extents"][:].tolist(), [2, 3, 4], "extents")
    check(run["extents"].dtype, numpy.dtype("int64"), "type of extents")
    check(run["sweeps/seconds"][:].tolist(), [0.5, 0.25], "sweeps.seconds")
    check([name.decode() for name in run["names"][:]], ["a", "ü"], "names")
    check(run["variants/0002"].attrs["name"], "tiled", "variants")
    pressure = run["pressure"]
    check(pressure.shape, (2, 3, 4), "shape of pressure")
    check(pressure.dtype, numpy.dtype("float32"), "type of pressure")
    check(pressure[:].ravel().tolist(), list(range(24)), "pressure")

# The checksum behind the HDF5 part: anybody's zlib agrees, and HDF5's own tools do not mind it.
with open(sys.argv[1], "rb") as file:
    content = file.read()
line = json.loads(content[content.rindex(b"\n", 0, -1) :])["memstencil_checksum"]
crc, at = 0, 0
for first, count in [*line["without"], [line["bytes"], 0]]:
    crc = zlib.crc32(content[at:first], crc)
    at = first + count
check(f"{crc:08x}", line["crc32"], "checksum")
check(len(line["without"]), 1, "fields that it leaves out")
if shutil.which("h5dump"):
    dumped = subprocess.run(["h5dump", "-H", sys.argv[1]], capture_output=True, text=True, check=True)
    check(dumped.stderr, "", "h5dump's errors")
print("good")
