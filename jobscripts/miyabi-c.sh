#!/bin/bash -l
# Miyabi-C, for the build without a GPU: a job of PBS, as jobscripts/miyabi-g.sh explains.
#PBS -W group_list=GROUP
# debug-c: 1 to 4 nodes, 30 minutes; short-c: 1 to 2, 8 hours; regular-c: 1 to 64, 48 hours.
#PBS -q regular-c
#PBS -l select=1:mpiprocs=1
#PBS -l place=scatter
#PBS -l walltime=04:00:00
#PBS -j oe
cd "${PBS_O_WORKDIR:?submit it with qsub}/jobscripts/.." || { echo "submit it from the checkout" >&2; exit 2; }
module purge  # of Intel's oneAPI, which is loaded by itself and has another launcher
for module in ${MODULES:-gcc ompi cmake hdf5}; do module load "$module" || exit; done
set -u
NODES=$(sort -u "$PBS_NODEFILE" | wc -l) THREADS=${THREADS:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}
export NODES THREADS SITE=miyabi-c PRESET=${PRESET:-openmp} RANKS_PER_NODE=1 SPACES=${SPACES:-system}
exec jobscripts/measure.sh "${STEPS:-node}"
