#!/usr/bin/env bash
# ctest --rerun-failed runs tests that passed last time: a run without a failure leaves the list of failed tests as it was.
#
# "Run only the tests that failed previously", says its help, and one takes that for the run before. The list is the file
# Testing/Temporary/LastTestsFailed.log, which is written by runs that have a failure. After a run in which all tests
# passed, of the whole set or of the failed ones, the tests of an older run come again, each time. A job that repeats what
# failed (`ctest || true; ctest --rerun-failed`) so repeats long benchmarks although nothing had failed.
# Versions: CMake 4.4.4 (PyPI), so it is with 3.25.1 (Debian 12), too. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check cmake==4.4.4
export PATH=$folder/python/bin:$PATH
ctest --version | head -n 1
cat >CMakeLists.txt <<'CODE'
cmake_minimum_required(VERSION 3.25)
project(rerun NONE)
enable_testing()
add_test(NAME steady COMMAND true)
add_test(NAME ready COMMAND test -e "${CMAKE_BINARY_DIR}/ready")
CODE
cmake -B build -G "Unix Makefiles" >log
run() {
  ctest --test-dir build "$@" 2>&1 |
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([a-z]*\) \.*[* ]*\([A-Za-z]*\) .*/\1 \2/p' | tr '\n' ' ' || true
}
first=$(run)
touch build/ready
whole=$(run)
again=$(run --rerun-failed)
third=$(run --rerun-failed)
printf '%s\n' "ctest: $first" "ctest, the reason is gone: $whole" "ctest --rerun-failed: $again" \
  "ctest --rerun-failed: $third"
[[ $first == "steady Passed ready Failed " && $whole == "steady Passed ready Passed " && $again == "ready Passed " &&
  $third == "$again" ]] || { echo "this has changed"; exit 1; }
echo "as described"
