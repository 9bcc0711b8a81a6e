#!/usr/bin/env bash
# The JSON files of openPMD-api write NaN and infinity as null, and a dataset with one of them can never be read again.
#
# Writing succeeds. Reading says that the path "does not contain a valid dataset" and gives none of its numbers; the other
# datasets of the file can be read. The TOML files of the same library read back all of them.
# Versions: openPMD-api 0.17.1 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check openpmd-api==0.17.1 numpy==2.4.6
python/bin/python - 2>/dev/null <<'PYTHON'
import sys

import numpy
import openpmd_api

scalar = openpmd_api.Mesh_Record_Component.SCALAR
fields = {"finite": numpy.array([1.5, 2.5, 1 / 3]), "diverged": numpy.array([1.5, numpy.nan, 1 / 3])}
read = {}
for suffix in ("json", "toml"):
    for name, values in fields.items():
        series = openpmd_api.Series(f"{name}.{suffix}", openpmd_api.Access.create)
        mesh = series.iterations[0].meshes["v"][scalar]
        mesh.reset_dataset(openpmd_api.Dataset(values.dtype, values.shape))
        mesh.store_chunk(values)
        series.close()
        try:
            series = openpmd_api.Series(f"{name}.{suffix}", openpmd_api.Access.read_only)
            chunk = series.iterations[0].meshes["v"][scalar].load_chunk()
            series.flush()
            same = numpy.array_equal(chunk, values, equal_nan=True)
            answer = f"reads back as {chunk}"
        except Exception as error:
            same, answer = False, f"is refused: {str(error).splitlines()[0]}"
        print(f"{suffix}: {values} {answer}")
        read[name, suffix] = same
right = {key: key != ("diverged", "json") for key in read}
print("as described" if read == right else "this has changed")
sys.exit(read != right)
PYTHON
