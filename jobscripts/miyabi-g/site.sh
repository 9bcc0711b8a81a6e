# Miyabi-G: what is to be filled in, the modules, and how ranks start. Sourced by submit.sh and job.sh.
# shellcheck shell=bash disable=SC2034

# ---- fill in ------------------------------------------------------------------------------------
PROJECT=${PROJECT:-}             # the project's group, as in /work/GROUP
QUEUE=${QUEUE:-regular-g}        # debug-g for short trials, with a shorter WALLTIME
WALLTIME=${WALLTIME:-}           # of one step; empty: three times what it is expected to take
# -------------------------------------------------------------------------------------------------

SITE=miyabi-g
PRESET=miyabi-g
RANKS_PER_NODE=1                 # one GPU
THREADS=${THREADS:-72}           # the cores of Grace
SPACES=${SPACES:-device managed system host-pinned}

load_modules() {
  module purge
  module load nvidia nv-hpcx cmake
  # Without it programs cannot write result files; not every release of the system has one.
  module load hdf5 || echo "no module hdf5: results need another HDF5 on CMAKE_PREFIX_PATH" >&2
}

# mpiprocs in the job's selection and ppr give a node its ranks; PE gives a rank the cores for its threads: Open MPI
# would otherwise bind it to one core where there are one or two ranks. No -x: the modules may set OMPI_MCA_mca_base_env_list,
# and Open MPI refuses both together. env hands the variables on to every node as well.
launch() {
  local ranks=$1
  shift
  mpirun -np "$ranks" --map-by "ppr:$RANKS_PER_NODE:node:PE=$THREADS" \
    env OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" "$@"
}

# Compute nodes do not have /home as login nodes do; jobs belong on the work file system.
check_place() {
  if [[ $PWD == /home/* ]]; then
    echo "$PWD: compute nodes cannot count on /home; put the checkout under /work/GROUP/USER" >&2
    return 1
  fi
}
