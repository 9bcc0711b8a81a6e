#!/usr/bin/env bash
# Two commands in turns, each N times, into two folders that memcompare can judge: two builds, two drivers, two options.
#
#   jobscripts/pair.sh NAME=COMMAND NAME=COMMAND N
#   jobscripts/pair.sh single="himeno --size L" fused="himeno --size L --sweep temporal:3" 5
#
# COMMAND runs in a shell and gets --output NAME/ at its end. The order changes each time, so that what drifts (clocks,
# temperature, other users) meets both alike.
set -euo pipefail

[[ $# == 3 && $1 == ?*=?* && $2 == ?*=?* && $3 =~ ^[1-9][0-9]*$ && ${1%%=*} != "${2%%=*}" ]] || {
  echo "usage: pair.sh NAME=COMMAND NAME=COMMAND N (two names that differ, N of at least 1)" >&2
  exit 2
}
for pair in "$1" "$2"; do
  [[ ! -e ${pair%%=*} ]] || { echo "pair.sh: ${pair%%=*} exists: name another folder" >&2; exit 1; }
done
trap 'rmdir "${1%%=*}" "${2%%=*}" 2>/dev/null || :' EXIT  # after a typo they are empty
mkdir "${1%%=*}" "${2%%=*}"
for ((n = 0; n < $3; ++n)); do
  turns=("$1" "$2")
  ((n % 2 == 0)) || turns=("$2" "$1")
  for pair in "${turns[@]}"; do
    eval "${pair#*=} --output '${pair%%=*}/'" >/dev/null
  done
done
echo "now: memcompare ${1%%=*} ${2%%=*}"
