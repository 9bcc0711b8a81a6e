#!/bin/bash -l
# Vista (TACC): a job of Slurm, as jobscripts/slurm.sh explains; load the modules before sbatch, and the job has them:
#   sbatch --partition=gh-dev --nodes=2 --time=00:10:00 jobscripts/vista.sh check
# gh: 1 to 64 nodes, 48 hours; gh-dev: 1 to 8, 2 hours; gh-4k: pages of 4 KiB. --mem and --gres are refused there.
#SBATCH --account=PROJECT
#SBATCH --partition=gh
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=04:00:00
#SBATCH --open-mode=append
export SITE=vista PRESET="${PRESET:-miyabi-g}" LAUNCHER="${LAUNCHER:-mpirun}"  # the same chip as Miyabi-G's
cd "${SLURM_SUBMIT_DIR:?submit it with sbatch}/jobscripts/.." || { echo "submit it from the checkout" >&2; exit 2; }
exec jobscripts/slurm.sh "$@"
