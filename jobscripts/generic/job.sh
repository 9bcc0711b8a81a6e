#!/bin/bash
# One step of the measurements, as a job of Slurm. Submit it with submit.sh.
# Slurm expands no variables in these lines, so submit.sh gives account, partition, time, nodes and step.
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=02:00:00
set -euo pipefail
# Slurm runs a copy of this file somewhere else.
cd "${SLURM_SUBMIT_DIR:?set by Slurm; submit with jobscripts/generic/submit.sh STEP}"
JOB=$SLURM_JOB_ID
NODES=$SLURM_JOB_NUM_NODES
. jobscripts/generic/site.sh
. jobscripts/common/steps.sh
run_step "$STEP"
