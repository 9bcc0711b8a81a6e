#!/usr/bin/env bash
# openPMD-api stores an attribute that is an integer from 2**63 on, a complex number, a Decimal or a timedelta as True.
#
# The Python interface takes bool, int (64 bits with sign), float, text, lists and arrays. One would expect an error for
# another type, as for a date or a dict. But whatever Python can take for true fits bool: a seed or a hash of 64 bits, a
# duration of 90 seconds and 1+2j all become True, 0j and None become False, and nothing warns. numpy.uint64 and
# numpy.complex128 keep their value. (The same with 0.16.1.)
# Versions: openPMD-api 0.17.1.post4, h5py 3.16.0, numpy 2.4.6. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check openpmd-api==0.17.1.post4 h5py==3.16.0 numpy==2.4.6
"$folder/python/bin/python" - "$folder/run.h5" <<'PYTHON'
import datetime
import decimal
import sys

import h5py
import numpy
import openpmd_api

seed = 12345678901234567890
becomes_true = {"seed": seed, "wave": 1 + 2j, "tolerance": decimal.Decimal("0.001"),
                "duration": datetime.timedelta(seconds=90)}
keeps = {"smaller_seed": 2**63 - 1, "seed_of_numpy": numpy.uint64(seed), "wave_of_numpy": numpy.complex128(1 + 2j)}
series = openpmd_api.Series(sys.argv[1], openpmd_api.Access.create)
for name, value in (becomes_true | keeps).items():
    series.set_attribute(name, value)
try:
    series.set_attribute("date", datetime.datetime(2026, 11, 29))
    refused = False
except TypeError:
    refused = True
series.iterations[0].close()
series.close()
print("openPMD-api", openpmd_api.__version__)
print("a date is refused:", refused)
right = refused
with h5py.File(sys.argv[1]) as file:
    for name, value in (becomes_true | keeps).items():
        read = file.attrs[name]
        print(f"{name}: written {value!r}, in the file {read!r}")
        if name in becomes_true:
            right &= read.dtype == bool and bool(read)
        else:
            right &= read.dtype != bool and read == value
if not right:
    sys.exit("this has changed")
print("as described")
PYTHON
