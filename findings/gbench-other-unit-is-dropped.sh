#!/usr/bin/env bash
# compare.py of Google Benchmark leaves out a benchmark whose time unit differs between the two files, without a word.
#
# The unit is part of the program (Unit(kMicrosecond)), and one that has become slow gets a larger one. The tool knows the
# units, and its last line, the geometric mean, converts them and counts the benchmark. Its table takes only those of the
# same unit: what got slower by a factor is in none of its lines, and the exit code is 0. One would expect a conversion.
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

slow = bool(os.environ.get("SLOW"))


@benchmark.register
@benchmark.option.unit(benchmark.kMicrosecond if slow else benchmark.kNanosecond)
def triad(state):
    while state:
        sum(range(20000 if slow else 500))


@benchmark.register
def copy(state):
    while state:
        sum(range(500))


benchmark.main()
CODE
options=(--benchmark_min_time=0.02s --benchmark_out_format=json)
python/bin/python bench.py "${options[@]}" --benchmark_out=old.json >log 2>&1
grep -E '^(triad|copy)' log
SLOW=1 python/bin/python bench.py "${options[@]}" --benchmark_out=new.json >log 2>&1
grep -E '^(triad|copy)' log
code=0
python/bin/python root/usr/share/benchmark/compare.py --no-color benchmarks old.json new.json >said 2>errors || code=$?
cat said errors
echo "exit code $code"
read -r _ mean _ <<<"$(grep '^OVERALL_GEOMEAN' said)"
if [[ $code != 0 || -s errors || ${mean%.*} -lt 1 ]] || grep -q triad said || ! grep -q '^copy ' said; then
  echo "this has changed"
  exit 1
fi
echo "as described"
