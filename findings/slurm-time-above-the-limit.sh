#!/usr/bin/env bash
# Slurm 22.05.8: sbatch takes a job whose time exceeds the partition's limit (ten minutes), without a word. The job waits
# for ever; one would expect a refusal, as for an unknown partition. --test-only even says when it would start.
source "$(dirname "$0")/slurm-cluster"
cd /home/user
printf '#!/bin/bash\n' >job
same "--test-only" "$(as_user sbatch --test-only --time=60 job 2>&1 | grep -o 'to start at')" "to start at"
job=$(as_user sbatch --parsable --time=60 job)
sleep 15  # the scheduler has looked at it
same "state of a job of 60 minutes" "$(state "$job" JobState), $(state "$job" Reason)" "PENDING, PartitionTimeLimit"
job=$(as_user sbatch --parsable --time=10 job)
ended "$job"
same "state of a job of 10 minutes" "$(state "$job" JobState)" COMPLETED
echo "as described"
