#!/bin/bash
# Submits a step on Pegasus: submit.sh build|membench|thesis|strong|weak|transpose [NODES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. jobscripts/common/submission.sh
given=$(trial_settings)
. jobscripts/pegasus/site.sh
STEP=${1:?build, membench, thesis, strong, weak or transpose is wanted}
check_step "$STEP"
case $STEP in strong | weak) nodes=${2:-16} ;; *) nodes=${2:-1} ;; esac
: "${PROJECT:?fill it in in jobscripts/pegasus/site.sh}" "${MPI_VERSION:?fill it in in jobscripts/pegasus/site.sh}"
exec qsub -A "$PROJECT" -q "$QUEUE" -b "$nodes" -l elapstim_req="$WALLTIME" -T openmpi \
  -v "NQSV_MPI_VER=$MPI_VERSION,STEP=$STEP,NODES=$nodes$given" jobscripts/pegasus/job.sh
