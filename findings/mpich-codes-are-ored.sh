#!/usr/bin/env bash
# mpiexec of MPICH and Intel MPI ends with the bitwise OR of its ranks' exit codes: 1 and 2 make 3, which no rank gave.
#
# So a script that tells failures by their codes takes two kinds of failure for a third; srun and Open MPI give the code
# of one rank. A rank that is killed by signal 9 gives 9 (MPICH) or 255 (Intel MPI), where a shell has 137.
# Versions: MPICH 5.0.2, Intel MPI 2021.18.1 (PyPI). Seen on 2026-11-27.
# shellcheck disable=SC2016  # the ranks expand what is quoted
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in "mpich==5.0.2 9" "impi-rt==2021.18.1 255"; do
  wanted=${package#* } package=${package% *}
  python3 -m venv "$folder/$package"
  "$folder/$package/bin/pip" install --quiet --disable-pip-version-check "$package"
  for ranks in '3 exit $((PMI_RANK + 1))' '6 exit $((PMI_RANK ? 2 : 4))' \
    "$wanted "'((PMI_RANK)) && kill -9 $$; exec sleep 5'; do
    got=$("$folder/$package/bin/mpiexec" -n 2 bash -c "${ranks#* }" >/dev/null 2>&1 && echo 0 || echo $?)
    echo "$package: mpiexec -n 2 bash -c '${ranks#* }': $got"
    [[ $got == "${ranks%% *}" ]] || { echo "this has changed"; exit 1; }
  done
done
# Which codes they were.
"$folder/mpich==5.0.2/bin/mpiexec" -print-all-exitcodes -n 2 bash -c 'exit $((PMI_RANK + 1))' || true
echo "as described"
