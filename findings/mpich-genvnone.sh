#!/usr/bin/env bash
# mpiexec -genvnone and -genvlist of MPICH and Intel MPI hand on the whole environment to ranks on the own host.
#
# "-genvnone: do not pass any environment variables", "-genvlist: pass these" say their pages. On the host of mpiexec
# the proxy that starts ranks inherits mpiexec's environment, and the ranks inherit the proxy's. So a run that was meant
# to be free of, say, OMP_PLACES is so on all hosts but the first.
# Versions: MPICH 5.0.2, Intel MPI 2021.18.1 (PyPI). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_PLACES=cores
for package in mpich==5.0.2 impi-rt==2021.18.1; do
  python3 -m venv "$folder/$package"
  "$folder/$package/bin/pip" install --quiet --disable-pip-version-check "$package"
  for choice in "-genvnone" "-genvlist PATH" "-envnone"; do
    # shellcheck disable=SC2086
    got=$("$folder/$package/bin/mpiexec" $choice -n 2 printenv OMP_PLACES | sort | uniq -c | tr -s ' ') || true
    echo "$package: mpiexec $choice -n 2 printenv OMP_PLACES:$got"
    [[ $got == " 2 cores" ]] || { echo "this has changed"; exit 1; }
  done
done
# What does work.
# shellcheck disable=SC2016
got=$(unset OMP_PLACES && "$folder/mpich==5.0.2/bin/mpiexec" -n 2 sh -c 'echo "places:$OMP_PLACES"' | sort -u)
[[ $got == places: ]] || { echo "this has changed"; exit 1; }
echo "as described"
