# Any machine with Slurm, or with mpirun alone: what is to be filled in, and how ranks start. Sourced by the other files here.
# shellcheck shell=bash disable=SC2034

# ---- fill in ------------------------------------------------------------------------------------
PROJECT=${PROJECT:-}             # Slurm's account; not needed for local.sh
QUEUE=${QUEUE:-}                 # Slurm's partition; not needed for local.sh
WALLTIME=${WALLTIME:-}           # of one step; empty: three times what it is expected to take; not needed for local.sh
MODULES=${MODULES:-}             # what gives a compiler, CUDA, MPI, CMake and HDF5: "gcc cuda openmpi cmake hdf5"
SRUN_MPI=${SRUN_MPI:-}           # of srun --mpi, "pmix" say, where the cluster's own makes each rank a run of its own
PRESET=${PRESET:-cuda}           # of CMakePresets.json: cuda, or openmp without a GPU
RANKS_PER_NODE=${RANKS_PER_NODE:-1}  # the GPUs of a node; not for local.sh
# -------------------------------------------------------------------------------------------------

SITE=${SITE:-${SLURM_CLUSTER_NAME:-$(hostname -s)}}
# nproc alone would say what OMP_NUM_THREADS says.
processors=$(env -u OMP_NUM_THREADS nproc)
THREADS=${THREADS:-$((processors > RANKS_PER_NODE ? processors / RANKS_PER_NODE : 1))}
SPACES=${SPACES:-device managed system host-pinned}

load_modules() {
  local modules
  read -ra modules <<<"$MODULES"
  if ((${#modules[@]})); then module load "${modules[@]}"; fi
}

# Under Slurm srun starts the ranks, one for each GPU of a node: mpirun would need a build that knows Slurm. Elsewhere
# mpirun starts all of them here, and Open MPI's is told to give each rank the cores for its threads (or, where there
# are fewer cores, hardware threads): it would bind one or two ranks to a core each. More ranks than that take turns.
launch() {
  local ranks=$1 each threads processors cores binding=()
  shift
  if [[ -n ${SLURM_JOB_ID:-} ]]; then
    each=$((ranks < RANKS_PER_NODE ? ranks : RANKS_PER_NODE))
    srun ${SRUN_MPI:+--mpi="$SRUN_MPI"} --nodes=$((ranks / each)) --ntasks="$ranks" --ntasks-per-node="$each" \
      --cpus-per-task="$THREADS" env OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" "$@"
  else
    threads=$((THREADS / ranks > 0 ? THREADS / ranks : 1))
    if [[ $(mpirun --version) =~ Open( MPI|RTE) ]]; then
      processors=$(env -u OMP_NUM_THREADS nproc)
      cores=$((processors / $(LC_ALL=C lscpu | sed -n 's/^Thread(s) per core: *//p' | head -n 1)))
      binding=(--map-by "node:PE=$threads")
      if ((ranks * threads > cores)); then binding+=(--use-hwthread-cpus); fi
      if ((ranks > processors)); then binding=(--oversubscribe --bind-to none); fi
    fi
    mpirun -np "$ranks" "${binding[@]}" env OMP_NUM_THREADS="$threads" OMP_WAIT_POLICY=passive "$@"
  fi
}
