#!/usr/bin/env bash
# Slurm 22.05.8: a job that is submitted in a folder which its user may enter and not write is accepted, and FAILED at
# once with exit code 0:53. There is no log anywhere, and no command that a user has names the folder as the reason.
source "$(dirname "$0")/slurm-cluster"
mkdir /shared  # of root, mode 755
cd /shared
printf '#!/bin/bash\necho >/tmp/started\n' >job
job=$(as_user sbatch --parsable job)
ended "$job"
same "state, exit code, reason" "$(state "$job" JobState), $(state "$job" ExitCode), $(state "$job" Reason)" \
  "FAILED, 0:53, JobLaunchFailure"
same "files in the folder" "$(ls /shared)" job
same "was the script started" "$([[ -e /tmp/started ]] && echo yes || echo no)" no
job=$(cd /home/user && as_user sbatch --parsable /shared/job)
ended "$job"
same "the same in the user's folder" "$(state "$job" JobState)" COMPLETED
echo "as described"
