#!/usr/bin/env bash
# ReFrame's -S check.flag=False sets a variable of type bool to True.
#
# The text of the command line is converted by the variable's type, and in Python bool("False") is true: so are 0, no
# and off, and only an empty text is false. Integers are converted as one expects. typ.Bool in place of bool reads words.
# Version: ReFrame 4.10.4 (PyPI). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check reframe-hpc==4.10.4
cd "$folder"
cat >check.py <<'CODE'
import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ


@rfm.simple_test
class Check(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "true"
    managed = variable(bool, value=True)
    words = variable(typ.Bool, value=True)
    repeats = variable(int, value=1)

    @run_before("run")
    def show(self):
        print(f"seen: managed={self.managed} words={self.words} repeats={self.repeats}")

    @sanity_function
    def ends(self):
        return sn.assert_true(True)
CODE
for value in False 0 no; do
  seen=$(HOME=$folder python/bin/reframe --nocolor -c check.py -r -S "Check.managed=$value" -S "Check.words=${value/0/false}" \
    -S Check.repeats=3 | grep '^seen: ')
  echo "-S Check.managed=$value -S Check.words=${value/0/false} -S Check.repeats=3: ${seen#seen: }"
  [[ $seen == "seen: managed=True words=False repeats=3" ]] || { echo "this has changed"; exit 1; }
done
echo "as described"
