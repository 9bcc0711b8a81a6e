# Pegasus: what is to be filled in, the modules, and how ranks start. Sourced by submit.sh and job.sh.
# shellcheck shell=bash disable=SC2034

# ---- fill in ------------------------------------------------------------------------------------
PROJECT=${PROJECT:-}             # the project's code
MPI_VERSION=${MPI_VERSION:-}     # what follows openmpi/ in `module avail openmpi`; one that is built for CUDA
QUEUE=${QUEUE:-gpu}
WALLTIME=${WALLTIME:-}           # of one step; empty: three times what it is expected to take
# -------------------------------------------------------------------------------------------------

SITE=pegasus
PRESET=pegasus
RANKS_PER_NODE=1                 # one GPU
THREADS=${THREADS:-48}           # the cores of the Xeon 8468
# No system-allocated memory: the GPU behind PCIe reaches it only with HMM. himeno would say so and be passed over.
SPACES=${SPACES:-device managed system host-pinned}

load_modules() {
  module purge
  # The library that the programs are linked with has to be the one that NQSV starts (-T openmpi, NQSV_MPI_VER).
  module load "openmpi/${NQSV_MPI_VER:?set by submit.sh}" cuda cmake
  module load hdf5 || echo "no module hdf5: results need another HDF5 on CMAKE_PREFIX_PATH" >&2
}

# NQSV tells mpirun its nodes by options in one text: they have to become words. ppr gives a node its ranks; PE gives a
# rank the cores for its threads, which Open MPI would otherwise bind to one core.
launch() {
  local ranks=$1 options
  shift
  read -ra options <<<"${NQSV_MPIOPTS:-}"
  mpirun "${options[@]}" -np "$ranks" --map-by "ppr:$RANKS_PER_NODE:node:PE=$THREADS" \
    env OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" "$@"
}
