#!/bin/bash
# One step of the measurements on Pegasus, as a job of NQSV. Submit it with submit.sh.
# These lines expand no variables, so submit.sh gives the project (-A), queue, time, nodes, step and version of MPI.
#PBS -S /bin/bash
#PBS -q gpu
#PBS -b 1
#PBS -l elapstim_req=02:00:00
#PBS -T openmpi
set -euo pipefail
# NQSV runs a copy of this file somewhere else, and starts it in the home folder.
cd "${PBS_O_WORKDIR:?set by NQSV; submit with jobscripts/pegasus/submit.sh STEP}"
JOB=${PBS_JOBID##*:}  # "0:123.nqsv" for a request's first job
JOB=${JOB%%.*}
. jobscripts/common/submission.sh
take_trial_settings
. jobscripts/pegasus/site.sh
. jobscripts/common/steps.sh
run_step "$STEP"
