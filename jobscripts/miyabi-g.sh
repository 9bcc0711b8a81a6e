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
# PBS may put two chunks of a job on one node.
#PBS -l place=scatter
#PBS -l walltime=04:00:00
#PBS -j oe
# No #PBS -V: it hands on functions of module, which break /bin/sh on other nodes.
cd "${PBS_O_WORKDIR:?submit it with qsub}/jobscripts/.." || { echo "submit it from the checkout" >&2; exit 2; }
module purge  # of nvidia and nv-hpcx, which are loaded by themselves in versions that change
for module in ${MODULES:-nvidia/26.3 nv-hpcx cmake/3.31.1 hdf5}; do module load "$module" || exit; done
set -u  # not before: modules may read what is not set
NODES=$(sort -u "$PBS_NODEFILE" | wc -l)
export NODES SITE=miyabi-g PRESET=${PRESET:-miyabi-g} RANKS_PER_NODE=1 THREADS=${THREADS:-${OMP_NUM_THREADS:-72}}
exec jobscripts/measure.sh "${STEPS:-node}"  # of that file; several: check+node
