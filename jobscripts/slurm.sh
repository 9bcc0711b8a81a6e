#!/bin/bash -l
# Any site with Slurm: edit the lines #SBATCH, then sbatch jobscripts/slurm.sh; an option of sbatch wins over its line:
#   sbatch --nodes=2 --time=00:10:00 jobscripts/slurm.sh check
#SBATCH --account=ACCOUNT
#SBATCH --partition=PARTITION
#SBATCH --nodes=1
# As many ranks and GPUs as a node has: 4 and 4 on Alps and JUPITER.
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
# The whole node and its memory. Alps (Clariden) refuses 0: --mem=450G.
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=04:00:00
cd "${SLURM_SUBMIT_DIR:?submit it with sbatch}" || exit
# Compiler, CUDA, MPI, CMake, HDF5. None on Alps, where SBATCH_UENV and SBATCH_UENV_VIEW are set before sbatch.
for module in ${MODULES:-}; do module load "$module"; done
set -u  # not before: modules may read what is not set
export SITE=${SITE:-${SLURM_CLUSTER_NAME:-slurm}} PRESET=${PRESET:-cuda} NODES=$SLURM_JOB_NUM_NODES
export RANKS_PER_NODE=${SLURM_NTASKS_PER_NODE:-1}
export THREADS=${THREADS:-$(($(env -u OMP_NUM_THREADS nproc) / RANKS_PER_NODE))}

# SRUN_MPI: of srun --mpi=list, "pmix" for Open MPI. MPI_ENV: variables of all ranks; Cray MPICH takes pointers to GPU
# memory with MPICH_GPU_SUPPORT_ENABLED=1 alone.
launch() {
  local each=$(($1 < RANKS_PER_NODE ? $1 : RANKS_PER_NODE))
  # shellcheck disable=SC2086
  srun ${SRUN_MPI:+--mpi="$SRUN_MPI"} --nodes=$(($1 / each)) --ntasks="$1" --ntasks-per-node="$each" --cpus-per-task="$THREADS" \
    env OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" ${MPI_ENV:-} "${@:2}"
}
export -f launch
export MPI_ENV="${MPI_ENV:-}" SRUN_MPI="${SRUN_MPI:-}"  # launch runs in a process of its own
exec jobscripts/measure.sh "${@:-node}"
