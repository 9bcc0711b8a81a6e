#!/bin/bash
# Submits a step on Pegasus: submit.sh STEP [NODES] (the steps: docs/clusters.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. jobscripts/common/submission.sh
given=$(trial_settings)
. jobscripts/pegasus/site.sh
STEP=${1:?a step is wanted: docs/clusters.md lists them}
check_step "$STEP"
nodes=$(node_count "$STEP" "${2:-}")
: "${PROJECT:?fill it in in jobscripts/pegasus/site.sh}" "${MPI_VERSION:?fill it in in jobscripts/pegasus/site.sh}"
WALLTIME=$(walltime "$STEP" "$WALLTIME")
announce "$STEP" "$nodes" "$WALLTIME"
exec qsub -A "$PROJECT" -q "$QUEUE" -b "$nodes" -l elapstim_req="$WALLTIME" -T openmpi \
  -v "NQSV_MPI_VER=$MPI_VERSION,STEP=$STEP,NODES=$nodes$given" jobscripts/pegasus/job.sh
