#!/bin/bash
# A step here and now, with mpirun: local.sh STEP [RANKS] (the steps: docs/clusters.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
RANKS_PER_NODE=1  # [RANKS] are all that there are
STEP=${1:?a step is wanted: docs/clusters.md lists them}
. jobscripts/common/submission.sh
check_step "$STEP"
NODES=$(node_count "$STEP" "${2:-}")
echo "$STEP: ${expected[$STEP]} minutes are expected of a GPU with the usual sizes" >&2
JOB=$(date +%Y%m%dT%H%M%S)
. jobscripts/generic/site.sh
. jobscripts/common/steps.sh
run_step "$STEP"
