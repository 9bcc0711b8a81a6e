#!/bin/bash
# Submits a step with Slurm: submit.sh build|membench|thesis|strong|weak|transpose [NODES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. jobscripts/generic/site.sh
. jobscripts/common/submission.sh
STEP=${1:?build, membench, thesis, strong, weak or transpose is wanted}
check_step "$STEP"
case $STEP in strong | weak) nodes=${2:-16} ;; *) nodes=${2:-1} ;; esac
: "${PROJECT:?fill it in in jobscripts/generic/site.sh}" "${QUEUE:?fill it in in jobscripts/generic/site.sh}"
exec sbatch --account="$PROJECT" --partition="$QUEUE" --nodes="$nodes" --time="$WALLTIME" --job-name="ms-$STEP" \
  --export=ALL,STEP="$STEP" jobscripts/generic/job.sh
