#!/usr/bin/env bash
# h5diff -p of HDF5 1.14.5: infinity in the first file differs from no number in the second; the exit code is 0.
#
# -p takes a limit for the relative difference. That of infinity and 1.0 is infinity divided by infinity, which is NaN
# and so above no limit: h5diff is silent. A run that overflowed passes against its reference, if it is named first. The
# other way round, without -p, or with -d the difference is found, and NaN always is. (So it is in 1.10.8, too.)
# Versions: hdf5-tools 1.14.5 (Debian 13), h5py 3.16.0. Takes root and debootstrap, and a minute. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check h5py==3.16.0
debootstrap --variant=minbase --include=hdf5-tools trixie "$folder/root" \
  "${MEMSTENCIL_MIRROR:-http://deb.debian.org/debian}" >"$folder/log" 2>&1 || { tail "$folder/log"; exit 1; }
"$folder/python/bin/python" - "$folder/root" <<'PYTHON'
import math
import sys

import h5py

fields = {"reference": [1.0, 2.0, 3.0], "infinity": [math.inf, -math.inf, math.inf], "nan": [math.nan] * 3}
for name, values in fields.items():
    with h5py.File(f"{sys.argv[1]}/{name}.h5", "w") as file:
        file["p"] = values
PYTHON
inside() { chroot "$folder/root" "$@"; }
inside h5diff --version
while read -r expected arguments; do
  code=0
  # shellcheck disable=SC2086
  said=$(inside h5diff $arguments) || code=$?
  printf 'h5diff %s: exit code %d, "%s"\n' "$arguments" "$code" "$(tail -n 1 <<<"$said")"
  [[ $code == "$expected" && (-z $said || $code == 1) ]] || { echo "this has changed"; exit 1; }
done <<'CALLS'
0 -p 0.01 infinity.h5 reference.h5
1 -p 0.01 reference.h5 infinity.h5
1 -d 0.01 infinity.h5 reference.h5
1 infinity.h5 reference.h5
1 -p 0.01 nan.h5 reference.h5
1 -p 0.01 reference.h5 nan.h5
CALLS
echo "as described"
