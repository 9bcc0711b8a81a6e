#!/bin/bash
# Submits a step on Miyabi-G: submit.sh build|membench|thesis|strong|weak|transpose [NODES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. jobscripts/common/submission.sh
given=$(trial_settings)
. jobscripts/miyabi-g/site.sh
STEP=${1:?build, membench, thesis, strong, weak or transpose is wanted}
check_step "$STEP"
case $STEP in strong | weak) nodes=${2:-16} ;; *) nodes=${2:-1} ;; esac
: "${PROJECT:?fill it in in jobscripts/miyabi-g/site.sh}"
check_place
exec qsub -W group_list="$PROJECT" -q "$QUEUE" -l select="$nodes":mpiprocs=1 -l walltime="$WALLTIME" -N "ms-$STEP" \
  -v "STEP=$STEP$given" jobscripts/miyabi-g/job.sh
