#!/usr/bin/env bash
# compare.py of Google Benchmark shows a benchmark that failed as 100 % faster, with a p-value that calls it significant.
#
# A benchmark that ends with SkipWithError() (no memory, a wrong result) has "error_occurred" in its JSON file, and times of
# 0. The tool that comes with the library to compare two files looks at the times alone: -1.0000, in the colour of a gain,
# exit code 0, and from nine repetitions on the U test confirms it. One would expect it to be marked, or left out. The
# geometric mean over all benchmarks is not printed any more, since one factor is 0.
# Versions: google-benchmark 1.9.5 (PyPI), compare.py of libbenchmark-tools 1.7.1 (Debian 12), 1.9.1 does
# the same. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root -qq download libbenchmark-tools=1.7.1-1
dpkg-deb -x ./libbenchmark-tools_*.deb root
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check google-benchmark==1.9.5 numpy==2.3.5 scipy==1.16.3
cat >bench.py <<'CODE'
import os

import google_benchmark as benchmark


@benchmark.register
def triad(state):
    if os.environ.get("FAILS"):
        state.skip_with_error("out of memory")
        return
    while state:
        sum(range(1000))


@benchmark.register
def copy(state):
    while state:
        sum(range(1000))


benchmark.main()
CODE
options=(--benchmark_min_time=0.001s --benchmark_repetitions=9 --benchmark_out_format=json)
python/bin/python bench.py "${options[@]}" --benchmark_out=old.json >log 2>&1
FAILS=1 python/bin/python bench.py "${options[@]}" --benchmark_out=new.json >log 2>&1
grep 'ERROR OCCURRED' log | tail -n 1
code=0
python/bin/python root/usr/share/benchmark/compare.py --no-color benchmarks old.json new.json >said || code=$?
grep -E '^(Benchmark|triad)' said | uniq
echo "exit code $code, lines of the geometric mean: $(grep -c OVERALL said || true)"
read -r _ change _ <<<"$(grep '^triad  ' said | head -n 1)"
read -r _ p _ <<<"$(grep '^triad_pvalue' said)"
if [[ $code != 0 || $change != -1.0000 || $p != 0.000* ]] || grep -q OVERALL said; then
  echo "this has changed"
  exit 1
fi
echo "as described"
