#!/bin/bash -l
# Any site with Slurm: edit the lines #SBATCH, then sbatch jobscripts/slurm.sh; an option of sbatch wins over its line:
#   sbatch --nodes=2 --time=00:10:00 jobscripts/slurm.sh check
#SBATCH --account=ACCOUNT
#SBATCH --partition=PARTITION
#SBATCH --nodes=1
# As many ranks and GPUs as a node has: 4 and 4 on Alps and JUPITER. Without GPUs 0, and PRESET=openmp before sbatch.
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
# The whole node and its memory. Alps (Clariden) refuses 0: --mem=450G.
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=04:00:00
# A job that is requeued goes on in its log.
#SBATCH --open-mode=append
cd "${SLURM_SUBMIT_DIR:?submit it with sbatch}/jobscripts/.." || { echo "submit it from the checkout" >&2; exit 2; }
# Compiler, CUDA, MPI, CMake, HDF5. None on Alps, where SBATCH_UENV and SBATCH_UENV_VIEW are set before sbatch.
for module in ${MODULES:-}; do module load "$module" || exit; done
set -u  # not before: modules may read what is not set
export SITE=${SITE:-${SLURM_CLUSTER_NAME:-slurm}} PRESET=${PRESET:-cuda} NODES=$SLURM_JOB_NUM_NODES SRUN_MPI=${SRUN_MPI:-}
export RANKS_PER_NODE=${SLURM_NTASKS_PER_NODE:-1}
export THREADS=${THREADS:-$((SLURM_CPUS_ON_NODE / RANKS_PER_NODE))}
# LAUNCHER=mpirun takes that of the MPI instead of srun. SRUN_MPI: of srun --mpi=list; pmix by itself where the program
# has Open MPI and the site names nothing. MPI_ENV: variables of all ranks; Cray MPICH takes pointers to GPU memory with
# MPICH_GPU_SUPPORT_ENABLED=1 alone.
if [[ ${LAUNCHER:-srun} == srun ]]; then
  launch() {
    local each=$(($1 < RANKS_PER_NODE ? $1 : RANKS_PER_NODE)) mpi=$SRUN_MPI
    [[ $mpi || ! $(scontrol show config) =~ MpiDefault\ *=\ *none || ! $(ldd "$2") =~ libmpi\.so\.40 ]] || mpi=pmix
    # --wait ends ranks that wait for one that died on another node; --kill-on-bad-exit=1 makes 143 of the code of ranks
    # that refuse together, one a little earlier. --export: after sbatch --export=NAME srun by itself hands on nothing.
    # shellcheck disable=SC2086
    srun ${mpi:+--mpi="$mpi"} --export=ALL --kill-on-bad-exit=0 --wait=30 --nodes=$(($1 / each)) \
      --ntasks="$1" --ntasks-per-node="$each" --cpus-per-task="$THREADS" \
      env OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" ${MPI_ENV:-} "${@:2}"
  }
  export -f launch
fi
exec jobscripts/measure.sh "${@:-${STEPS:-node}}"
