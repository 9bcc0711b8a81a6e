#!/usr/bin/env bash
# pandas.read_json turns the times of Google Benchmark into dates, once all of them exceed 31536000.
#
# Where a column's name ends in "_time", and so with real_time and cpu_time, pandas tries to read a date, unless a value
# is below the seconds of one year. Benchmarks write nanoseconds: with one of 20 ms in the list the columns are numbers,
# and without it, all from 32 ms on, dates of 1971. A script for quick kernels so fails, or plots dates, for long ones
# alone. iterations stays a number; dtype=False keeps all. (pandas 2.2.3 makes dates, too.)
# Version: pandas 3.1.1. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1
"$folder/python/bin/python" - <<'PYTHON'
import io
import json
import sys

import pandas

kinds = []
for times in ([20e6, 40e6], [40e6, 50e6]):  # nanoseconds
    rows = [{"name": f"BM_copy/{time:.0f}", "iterations": 40_000_000, "real_time": time, "cpu_time": time - 0.5,
             "time_unit": "ns"} for time in times]
    table = pandas.read_json(io.StringIO(json.dumps(rows)))
    assert table["iterations"].dtype.kind == "i"
    as_written = pandas.read_json(io.StringIO(json.dumps(rows)), dtype=False)
    assert as_written["cpu_time"].tolist() == [time - 0.5 for time in times]
    kinds.append((table["real_time"].dtype.kind, table["cpu_time"].dtype.kind))
    print(f"pandas {pandas.__version__}, times of {times} ns:")
    print(table[["real_time", "cpu_time"]].to_string(index=False))
if kinds != [("i", "f"), ("M", "M")]:
    sys.exit("this has changed")
print("as described")
PYTHON
