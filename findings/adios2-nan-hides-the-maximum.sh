#!/usr/bin/env bash
# ADIOS2's range of a variable (Min, Max) can leave out the true maximum, even infinity, where the data have a NaN.
#
# The range is stored with the data, so that readers and `bpls -l` need not look at them. One would expect that a NaN is
# skipped, or makes the range NaN. BP5, the default, does neither: of 1, 1e300, NaN the maximum is 1, of infinity, NaN,
# 1, 2 it is 2, and of NaN alone -1.8e308. So the range of a run that blew up looks harmless. The older engine BP4 skips
# NaN; the values themselves are read right from both. (So it is with 2.10.2, too.)
# Versions: adios2 2.12.1.1001 (PyPI), numpy 2.4.6. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check adios2==2.12.1.1001 numpy==2.4.6
cd "$folder"
python/bin/python - <<'PYTHON'
import sys

import adios2
import numpy

inf, nan = numpy.inf, numpy.nan


def stored_maximum(engine, values):
    name = f"{engine}-{len(names)}.bp"
    names.append(name)
    io = adios2.Adios().declare_io("write")
    if engine != "default":
        io.set_engine(engine)
    with adios2.Stream(io, name, "w") as stream:
        stream.begin_step()
        stream.write("p", values, [values.size], [0], [values.size])
        stream.end_step()
    with adios2.FileReader(name) as reader:
        assert numpy.array_equal(reader.read("p"), values, equal_nan=True)
        return float(reader.available_variables()["p"]["Max"])


names = []
expected = {(1.0, 1e300, nan): 1.0, (inf, nan, 1.0, 2.0): 2.0, (nan, nan): -sys.float_info.max,
            (1.0, 1e300, 2.0): 1e300}
print("adios2", adios2.__version__)
for values, maximum in expected.items():
    values = numpy.array(values)
    seen = {engine: stored_maximum(engine, values) for engine in ("default", "BP5", "BP4")}
    print(f"maximum of {values}: {seen}")
    skipping_nan = nan if numpy.isnan(values).all() else numpy.nanmax(values)
    if not (numpy.isclose([seen["default"], seen["BP5"]], maximum).all()
            and numpy.isclose(seen["BP4"], skipping_nan, equal_nan=True)):
        sys.exit("this has changed")
print("as described")
PYTHON
