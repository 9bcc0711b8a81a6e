#!/usr/bin/env bash
# Slurm 22.05.8: after `sbatch --export=NAME=VALUE` the option goes on to srun in the job: what the job's script exports
# does not reach the programs, not even its PATH, so that srun does not find them. srun --export=ALL hands it on.
source "$(dirname "$0")/slurm-cluster"
cd /home/user
cat >job <<'JOB'
#!/bin/bash
export PATH=/usr/bin:/bin OF_THE_SCRIPT=1
/usr/bin/srun /usr/bin/env >by-itself
/usr/bin/srun env >not-found 2>&1
/usr/bin/srun --export=ALL env >all
JOB
job=$(as_user sbatch --parsable --export=MINE=1 job)
ended "$job"
same "of PATH and OF_THE_SCRIPT srun hands on by itself" "$(grep -c -E '^(PATH|OF_THE_SCRIPT)=' by-itself || true)" 0
same "srun env" "$(grep -o 'execve.*' not-found)" "execve(): env: No such file or directory"
same "with --export=ALL" "$(grep -c -E '^(PATH|OF_THE_SCRIPT)=' all)" 2
echo "as described"
