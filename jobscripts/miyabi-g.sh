#!/bin/bash -l
# Miyabi-G: a job of PBS. Edit the lines #PBS, then qsub jobscripts/miyabi-g.sh; an option of qsub wins over its line:
#   qsub -q debug-g -l select=2:mpiprocs=1:ompthreads=72 -l walltime=00:10:00 -v STEPS=check jobscripts/miyabi-g.sh
# The project's group, as in /work/GROUP; the checkout belongs there, too.
#PBS -W group_list=GROUP
# debug-g: 1 to 16 nodes, 30 minutes; short-g: 1 to 8, 8 hours; regular-g: 1 to 256, 48 hours. For an instance of MIG
# (debug-mig, short-mig, regular-mig) ompthreads=18.
#PBS -q regular-g
# Nodes; ranks of a node, one for its GPU; threads of a rank, one for each core.
#PBS -l select=1:mpiprocs=1:ompthreads=72
#PBS -l walltime=04:00:00
#PBS -j oe
cd "${PBS_O_WORKDIR:?submit it with qsub}" || exit
module purge  # of nvidia and nv-hpcx, which are loaded by themselves in versions that change
for module in ${MODULES:-nvidia/26.3 nv-hpcx cmake/3.31.1 hdf5}; do module load "$module"; done
set -u  # not before: modules may read what is not set
NODES=$(sort -u "$PBS_NODEFILE" | wc -l)
export NODES SITE=miyabi-g PRESET=${PRESET:-miyabi-g} RANKS_PER_NODE=1 THREADS=${THREADS:-${OMP_NUM_THREADS:-72}}

# What is exported here reaches one node; env in front of the program reaches all. So variables of MPI go into MPI_ENV:
# "UCX_TLS=... NCCL_DEBUG=...". PE gives a rank a core for each thread; Open MPI would bind it to one.
launch() {
  # shellcheck disable=SC2086
  mpirun -np "$1" --map-by "ppr:1:node:PE=$THREADS" env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" \
    OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" ${MPI_ENV:-} "${@:2}"
}
export -f launch
export MPI_ENV="${MPI_ENV:-}"  # launch runs in a process of its own
exec jobscripts/measure.sh "${STEPS:-node}"  # of that file; several: check+node
