#!/bin/bash
# A machine without a scheduler: jobscripts/local.sh STEP..., with RANKS=2 in front for two GPUs.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
PRESET=${PRESET:-$(nvidia-smi -L >/dev/null 2>&1 && echo cuda || echo openmp)}
THREADS=${THREADS:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}
export PRESET THREADS SITE="${SITE:-$(hostname -s)}" NODES=1 RANKS_PER_NODE="${RANKS:-1}"
# Open MPI gives ranks that share the cores one each: so it is told how many threads a rank has. More ranks than cores
# take turns, and their times say nothing.
launch() {
  local threads=$((THREADS > $1 ? THREADS / $1 : 1)) binding=() run=()
  ! open_mpi || { binding=(--map-by "node:PE=$threads"); (($1 <= THREADS)) || binding=(--oversubscribe --bind-to none); }
  (($1 == 1)) || run=(mpirun -np "$1" "${binding[@]}")
  "${run[@]}" env OMP_NUM_THREADS="$threads" "${@:2}"
}
export -f launch
exec jobscripts/measure.sh "$@"
