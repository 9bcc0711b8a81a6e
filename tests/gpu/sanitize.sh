#!/usr/bin/env bash
# compute-sanitizer over the kernels of himeno, heat, transpose and membench at small sizes, on a machine with a GPU.
#
# usage: sanitize.sh BUILD [OUT] [SECONDS] [CASES]
#   BUILD     a build for CUDA: its programs stand in BUILD/bin
#   OUT       folder of the logs, sanitize-logs unless given
#   SECONDS   for everything, 270 unless given; what is then left is listed as not run
#   CASES     a part of a name ("himeno", "membench l2"): the cases whose names have it, all unless given
#
# A line for each tool and case says what was found. Exit code 1 where a tool found something or a program failed, 77
# where there is no compute-sanitizer.
set -uo pipefail

if (($# < 1)); then
  sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
bin=$1/bin
out=${2:-sanitize-logs}
allowed=${3:-270}
wanted=${4:-}
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
[[ -x $sanitizer ]] || { echo "skipped: no compute-sanitizer is found (it comes with CUDA)"; exit 77; }
mkdir -p "$out"

# Kernels loaded when they are first called: a sanitizer instruments each module that is loaded.
export CUDA_MODULE_LOADING=LAZY OMP_NUM_THREADS=2 OMP_PROC_BIND=false
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

himeno=("$bin/himeno" --quiet --format json --iterations 5)
heat=("$bin/heat" --quiet --format json --iterations 5)
transpose=("$bin/transpose" --quiet --format json --iterations 1)
membench=("$bin/membench")
small=(--repeat 1 --experiments 1 --quiet --format json)

# name|command; the most telling first, because the time may end before the list
cases=(
  "himeno single|${himeno[*]} --size 19x23x70"
  "himeno temporal:2|${himeno[*]} --size 33x40x70 --sweep temporal:2"
  "himeno temporal:4|${himeno[*]} --size 33x40x70 --sweep temporal:4"
  "himeno random coefficients|${himeno[*]} --size 19x23x70 --coefficients random:1"
  "himeno managed|${himeno[*]} --size 19x23x70 --memspace managed --prefetch"
  "himeno streamed|${himeno[*]} --size 33x40x70 --memspace host-pinned --sweep temporal:2"
  "himeno packed|${himeno[*]} --size 33x40x70 --layout packed --sweep temporal:3"
  "himeno packed, first touch by host|${himeno[*]} --size 33x40x70 --layout packed --sweep temporal:2 --first-touch host"
  "himeno first touch by host|${himeno[*]} --size 19x23x70 --first-touch host"
  "heat|${heat[*]} --size 19x23x70"
  "transpose all, float|${transpose[*]} --rows 130 --cols 97 --variant all"
  "transpose all, double|${transpose[*]} --rows 130 --cols 97 --type double --variant all"
  "transpose by tiles of 16|${transpose[*]} --rows 130 --cols 97 --tile 16 --variant all"
)
# One case a probe, at the first values of its axes of numbers; a new probe comes by itself.
for probe in $("${membench[@]}" list --format json | python3 -c 'import json, sys
print(*[p["name"] for p in json.load(sys.stdin)["probes"] if p["name"] not in ("exchange", "gpus", "peers")])'); do
  few=()
  case $probe in
    link | overlap) few=(--size 65536) ;;
    patterns | migration | pages) few=(--size 4194304) ;;
    copy) few=(--axis "side=256" --axis "step=0,1,3") ;;
    latency) few=(--axis "footprint=65536,4194304") ;;
    l2) few=(--axis "footprint=1048576") ;;
    # Without a fault that the probe means to make: lanes that store into one word.
    block) few=(--axis "step=32") ;;
    issue) few=(--axis "warps=1,33,64" --axis "ilp=1,8") ;;
    shared) few=(--axis "loads=1,2,32") ;;
  esac
  cases+=("membench $probe|${membench[*]} $probe ${few[*]} ${small[*]}")
done
# Messages between ranks; on one GPU they take turns on it.
if command -v mpirun >/dev/null; then
  two="mpirun -np 2 --bind-to none --oversubscribe"
  cases+=(
    "himeno two ranks, stores|$two ${himeno[*]} --size 40x40x70 --halo peer"
    "himeno two ranks, fused stores|$two ${himeno[*]} --size 70x70x70 --halo peer --sweep temporal:3"
    "transpose two ranks, stores|$two ${transpose[*]} --rows 300 --cols 517 --exchange peer"
    "membench exchange|$two ${membench[*]} exchange --size 65536 ${small[*]}"
  )
fi
tools=(memcheck initcheck synccheck racecheck)

# How long one case may take: probes that ask for seconds of a GPU take minutes under a tool.
most_seconds=40
found=0 ran=0
row() { printf '%-10s %-28s %s\n' "$tool" "$name" "$1"; }

for case in "${cases[@]}"; do
  name=${case%%|*}
  [[ $name == *"$wanted"* ]] || continue
  read -r -a command <<<"${case#*|}"
  for tool in "${tools[@]}"; do
    left=$((allowed - SECONDS)) ran=1
    ((left >= 5)) || { row "not run: the time was over"; continue; }
    log=$out/$tool-${name//[^a-z0-9]/-}.log
    begun=$SECONDS
    # Programs look at what each call returns, and one call is meant to fail: the time is taken that CUDA needs to say
    # that a pointer is none of its own.
    options=()
    [[ $tool == memcheck ]] && options=(--report-api-errors no)
    # 99 is the tool's code for a finding; the program's own comes through.
    timeout --signal=TERM --kill-after=5 "$((left < most_seconds ? left : most_seconds))" \
      "$sanitizer" --tool "$tool" "${options[@]}" --error-exitcode 99 --target-processes all "${command[@]}" >"$log" 2>&1
    code=$?
    summary=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1 | sed 's/^=* *//')
    case $code in
      0) row "${summary:-ran}" ;;
      3) row "not on this machine: $(tail -n 1 "$log" | cut -c1-70)" ;;
      99) row "FOUND: ${summary:-see the log}"; found=1 ;;
      124 | 137) row "not finished in $((SECONDS - begun)) s" ;;
      *) row "FAILED with code $code"; found=1 ;;
    esac
  done
done
((ran)) || { echo "no case has '$wanted' in its name"; exit 2; }
printf 'logs in %s, %d s\n' "$out" "$SECONDS"
exit "$found"
