#!/bin/bash
# Submits a step on Miyabi-G: submit.sh STEP [NODES] (the steps: docs/clusters.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. jobscripts/common/submission.sh
given=$(trial_settings)
. jobscripts/miyabi-g/site.sh
STEP=${1:?a step is wanted: docs/clusters.md lists them}
check_step "$STEP"
nodes=$(node_count "$STEP" "${2:-}")
: "${PROJECT:?fill it in in jobscripts/miyabi-g/site.sh}"
check_place
WALLTIME=$(walltime "$STEP" "$WALLTIME")
announce "$STEP" "$nodes" "$WALLTIME"
exec qsub -W group_list="$PROJECT" -q "$QUEUE" -l select="$nodes":mpiprocs="$RANKS_PER_NODE" -l walltime="$WALLTIME" \
  -N "ms-$STEP" -v "STEP=$STEP$given" jobscripts/miyabi-g/job.sh
