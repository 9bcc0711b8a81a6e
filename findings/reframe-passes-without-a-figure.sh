#!/usr/bin/env bash
# A ReFrame test passes where the figure that it has a reference for is not in the output.
#
# A performance function that fails, because its pattern is not found, gives a warning, and the variable is dropped with
# its reference: "PASSED", exit code 0, an empty performance report. The same test with a figure outside the reference's
# limits fails. So a benchmark that prints no speed any more counts as fast enough, unless its sanity function looks.
# Version: ReFrame 4.10.4 (PyPI). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check reframe-hpc==4.10.4
cd "$folder"
cat >check.py <<'CODE'
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class Check(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "echo"
    executable_opts = [os.environ["PRINTED"]]
    reference = {"*": {"rate": (100, -0.05, 0.05, "GB/s")}}

    @sanity_function
    def ends(self):
        return sn.assert_eq(self.job.exitcode, 0)

    @performance_function("GB/s")
    def rate(self):
        return sn.extractsingle(r"rate: (\S+)", self.stdout, 1, float)
CODE
for case in "0 rate: 101" "1 rate: 50" "0 no figure"; do
  code=0
  said=$(HOME=$folder PRINTED="'${case#* }'" python/bin/reframe --nocolor -c check.py -r 2>&1) || code=$?
  echo "the program prints \"${case#* }\": exit code $code, $(grep -oE '(PASSED|FAILED) .*Ran 1/1 test' <<<"$said" | head -n 1)"
  [[ $code == "${case%% *}" ]] || { echo "this has changed"; exit 1; }
done
grep -q "skipping evaluation of performance variable 'rate'" <<<"$said" || { echo "this has changed"; exit 1; }
echo "as described"
