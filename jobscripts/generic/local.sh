#!/bin/bash
# A step here and now, with mpirun: local.sh build|membench|thesis|strong|weak|transpose [RANKS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
STEP=${1:?build, membench, thesis, strong, weak or transpose is wanted}
NODES=${2:-1}
JOB=$(date +%Y%m%dT%H%M%S)
. jobscripts/generic/site.sh
. jobscripts/common/steps.sh
load_modules
show_facts
run_step "$STEP"
