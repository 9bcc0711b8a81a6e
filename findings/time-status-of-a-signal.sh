#!/usr/bin/env bash
# GNU time's %x and "Exit status" are 0 for a program that a signal ended: out of memory, out of time, crashed.
#
# `time -f "%e %M %x"` is a usual way to log a run's time, memory and end. time itself ends with 128 + signal, and writes
# "Command terminated by signal 9" on a line of its own before the figures; with --quiet it does not. The status of the line
# that is parsed says success, since it is the part of wait's status that only a program which exits has.
# Versions: GNU time 1.9 (Debian 12), so it is with 1.10 (Debian unstable), too. Seen on 2026-11-29.
# shellcheck disable=SC2016
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root -qq download time=1.9-0.2
dpkg-deb -x ./time_*.deb root
time=$folder/root/usr/bin/time
dpkg-deb -f ./time_*.deb Package Version
for case in "exit 3:3 3" 'kill -9 $$:0 137' 'kill -15 $$:0 143'; do
  program=${case%:*}
  expected=${case#*:}
  own=0
  "$time" --quiet -f %x -o log sh -c "$program" || own=$?
  echo "sh -c '$program': %x is $(cat log), time's own exit code $own"
  [[ "$(cat log) $own" == "$expected" ]] || { echo "this has changed"; exit 1; }
done
"$time" -v -o log sh -c 'kill -9 $$' || true
grep -E 'terminated|Exit status' log
grep -q 'Exit status: 0' log || { echo "this has changed"; exit 1; }
echo "as described"
