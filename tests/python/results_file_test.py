"""What results_sample wrote is what h5py reads: python3 results_file_test.py FILE.h5"""
import sys

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
print("good")
