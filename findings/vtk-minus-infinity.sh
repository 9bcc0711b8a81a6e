#!/usr/bin/env bash
# VTK's XML files in ASCII: -inf reads back as inf.
#
# The writer writes "-inf", and NaN and inf read back as they were. The reader loses the sign, without a warning. The binary
# modes of the same writer and the older format (.vtk) keep it.
# Versions: VTK 9.7.2 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check vtk==9.7.2 numpy==2.4.6
python/bin/python - <<'PYTHON'
import sys

import numpy
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

inf, nan = numpy.inf, numpy.nan
values = numpy.array([1, -inf, nan, inf, -inf, -6, -7, 8.0])
image = vtk.vtkImageData()
image.SetDimensions(2, 2, 2)
array = numpy_to_vtk(values, deep=True)
array.SetName("v")
image.GetPointData().SetScalars(array)
lost = {}
for mode in ("Ascii", "Binary", "Appended", "older ASCII"):
    older = mode == "older ASCII"
    writer = vtk.vtkStructuredPointsWriter() if older else vtk.vtkXMLImageDataWriter()
    writer.SetFileTypeToASCII() if older else getattr(writer, f"SetDataModeTo{mode}")()
    writer.SetFileName(f"{mode}.vtk")
    writer.SetInputData(image)
    writer.Write()
    reader = vtk.vtkStructuredPointsReader() if older else vtk.vtkXMLImageDataReader()
    reader.SetFileName(f"{mode}.vtk")
    reader.Update()
    read = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("v"))
    print(f"{mode}: {values} reads back as {read}")
    lost[mode] = not numpy.array_equal(read, values, equal_nan=True)
    if mode == "Ascii" and not numpy.array_equal(read, numpy.where(values == -inf, inf, values), equal_nan=True):
        sys.exit("this has changed")
if lost != {"Ascii": True, "Binary": False, "Appended": False, "older ASCII": False}:
    sys.exit("this has changed")
print("as described")
PYTHON
