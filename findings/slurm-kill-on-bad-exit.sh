#!/usr/bin/env bash
# Slurm 22.05.8: `srun --kill-on-bad-exit=1`. Both tasks of a step end with exit code 3, the second one a little later, as
# the ranks of one program do. The step's exit code is 143 (15 + 128), not 3: the second was sent a signal meanwhile, and
# the highest code counts. `--wait=SECONDS`, which ends the others so long after the first, leaves the code 3.
source "$(dirname "$0")/slurm-cluster"
cd /home/user
# shellcheck disable=SC2016
step() { as_user srun -n 2 "$@" bash -c 'sleep $((SLURM_PROCID * 2)); exit 3' >/dev/null 2>&1 && echo 0 || echo $?; }
same "exit code by itself" "$(step)" 3
same "exit code with --kill-on-bad-exit=1" "$(step --kill-on-bad-exit=1)" 143
same "exit code with --wait=30" "$(step --wait=30)" 3
echo "as described"
