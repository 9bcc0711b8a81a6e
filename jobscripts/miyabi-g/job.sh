#!/bin/bash
# One step of the measurements on Miyabi-G, as a job of PBS Professional. Submit it with submit.sh.
# PBS expands no variables in these lines, so submit.sh gives the project (-W group_list=), queue, time, nodes and step.
#PBS -S /bin/bash
#PBS -q regular-g
#PBS -l select=1:mpiprocs=1
#PBS -l walltime=02:00:00
#PBS -j oe
set -euo pipefail
# PBS runs a copy of this file somewhere else.
cd "${PBS_O_WORKDIR:?set by PBS; submit with jobscripts/miyabi-g/submit.sh STEP}"
JOB=${PBS_JOBID%%.*}
NODES=$(sort -u "$PBS_NODEFILE" | wc -l)
. jobscripts/common/submission.sh
take_trial_settings
. jobscripts/miyabi-g/site.sh
. jobscripts/common/steps.sh
check_place
run_step "$STEP"
