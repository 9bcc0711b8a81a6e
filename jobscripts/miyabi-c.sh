#!/bin/bash -l
# Miyabi-C, for the build without a GPU: a job of PBS, as jobscripts/miyabi-g.sh explains.
#PBS -W group_list=GROUP
# debug-c: 1 to 4 nodes, 30 minutes; short-c: 1 to 2, 8 hours; regular-c: 1 to 64, 48 hours.
#PBS -q regular-c
#PBS -l select=1:mpiprocs=1
#PBS -l walltime=04:00:00
#PBS -j oe
cd "${PBS_O_WORKDIR:?submit it with qsub}" || exit
module purge  # of Intel's oneAPI, which is loaded by itself and has another launcher
for module in ${MODULES:-gcc ompi cmake hdf5}; do module load "$module"; done
set -u
NODES=$(sort -u "$PBS_NODEFILE" | wc -l) THREADS=${THREADS:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}
export NODES THREADS SITE=miyabi-c PRESET=${PRESET:-openmp} RANKS_PER_NODE=1 SPACES=${SPACES:-system}

launch() {
  # shellcheck disable=SC2086
  mpirun -np "$1" --map-by "ppr:1:node:PE=$THREADS" env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" \
    OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" ${MPI_ENV:-} "${@:2}"
}
export -f launch
export MPI_ENV="${MPI_ENV:-}"  # launch runs in a process of its own
exec jobscripts/measure.sh "${STEPS:-node}"
