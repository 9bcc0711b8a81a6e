#!/bin/bash -l
# Pegasus: a job of NQSV. Edit the lines #PBS, then qsub jobscripts/pegasus.sh; an option of qsub wins over its line, so
# -v has to name the MPI again:
#   qsub -b 2 -l elapstim_req=00:10:00 -v NQSV_MPI_VER=5.0.10/gcc11.4.0-cuda12.6.3,STEPS=check jobscripts/pegasus.sh
#PBS -A PROJECT
# By the number of nodes: gen_S 1 to 31, gen_M 32 to 63, gen_L 64 to 150. qstat -Q lists those of your project.
#PBS -q gen_S
#PBS -b 1
#PBS -l elapstim_req=04:00:00
# A node's cores and its GPU: gen_S gives none by itself. Others write -l gpunum_job=1.
#PBS --cpunum-lhost=48
#PBS --gpunum-lhost=1
# The MPI that NQSV starts, and the module of the same name; one that is built for CUDA.
#PBS -T openmpi
#PBS -v NQSV_MPI_VER=5.0.10/gcc11.4.0-cuda12.6.3
#PBS -j o
cd "${PBS_O_WORKDIR:?submit it with qsub}/jobscripts/.." || { echo "submit it from the checkout" >&2; exit 2; }
module purge
# The CUDA in the name of the MPI.
for module in "openmpi/${NQSV_MPI_VER:?name it in -v}" ${MODULES:-cuda/12.6.3 cmake hdf5}; do module load "$module" || exit; done
set -u  # not before: modules may read what is not set
# NQSV names the nodes in options of mpirun.
# shellcheck disable=SC2086
NODES=$(mpirun ${NQSV_MPIOPTS:-} --map-by ppr:1:node hostname | sort -u | wc -l) MPIRUN_ARGS=${NQSV_MPIOPTS:-}
export NODES MPIRUN_ARGS SITE=pegasus PRESET=${PRESET:-pegasus} RANKS_PER_NODE=1 THREADS=${THREADS:-48}
exec jobscripts/measure.sh "${STEPS:-node}"
