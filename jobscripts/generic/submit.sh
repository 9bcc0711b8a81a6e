#!/bin/bash
# Submits a step with Slurm: submit.sh STEP [NODES] (the steps: docs/clusters.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. jobscripts/generic/site.sh
. jobscripts/common/submission.sh
STEP=${1:?a step is wanted: docs/clusters.md lists them}
check_step "$STEP"
nodes=$(node_count "$STEP" "${2:-}")
: "${PROJECT:?fill it in in jobscripts/generic/site.sh}" "${QUEUE:?fill it in in jobscripts/generic/site.sh}"
WALLTIME=$(walltime "$STEP" "$WALLTIME")
announce "$STEP" "$nodes" "$WALLTIME"
gpus=(--gpus-per-node="$RANKS_PER_NODE")
if [[ $PRESET =~ ^(openmp|serial)$ ]]; then gpus=(); fi
exec sbatch --account="$PROJECT" --partition="$QUEUE" --nodes="$nodes" "${gpus[@]}" --time="$WALLTIME" \
  --ntasks-per-node="$RANKS_PER_NODE" --job-name="ms-$STEP" --export=ALL,STEP="$STEP" jobscripts/generic/job.sh
