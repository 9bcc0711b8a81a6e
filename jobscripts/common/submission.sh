# What all submit.sh share: the steps there are, and the settings that reach the job. Sourced from the root.
# shellcheck shell=bash

# check_step STEP: refused before it waits in a queue.
check_step() {
  case $1 in
    build | membench | paper-link | paper-patterns | paper-migration | thesis | strong | weak | transpose) ;;
    *)
      echo "no step '$1'; there are build, membench, paper-link, paper-patterns, paper-migration, thesis, strong, weak" \
        "and transpose" >&2
      return 2
      ;;
  esac
}

# node_count STEP [N]: how many nodes the step gets. Scaling needs a number: nodes cost, and nobody guesses them.
node_count() {
  local count=${2:-}
  if [[ -z $count && ($1 == strong || $1 == weak) ]]; then
    echo "$1 needs the number of nodes: $1 4" >&2
    return 2
  fi
  if [[ ! ${count:=1} =~ ^[1-9][0-9]*$ ]]; then
    echo "$count is no number of nodes" >&2
    return 2
  fi
  echo "$count"
}

# announce STEP NODES WALLTIME: what the job may cost. docs/clusters.md says what a step takes.
announce() {
  local hours minutes seconds total cost=
  if [[ $3 =~ ^[0-9]+:[0-9]+:[0-9]+$ ]]; then
    IFS=: read -r hours minutes seconds <<<"$3"
    total=$(($2 * ((10#$hours * 60 + 10#$minutes) * 60 + 10#$seconds)))
    printf -v cost ', %d.%02d node-hours' $((total / 3600)) $((total % 3600 * 100 / 3600))
  fi
  local nodes="$2 nodes"
  if (($2 == 1)); then nodes="1 node"; fi
  echo "$1: $nodes for at most $3$cost" >&2
}

# What may be set for a job, in site.sh and steps.sh.
settings=(SIZE ITERATIONS SCALING_ITERATIONS SWEEPS WEAK_BLOCK MATRIX MATRIX_SIZES MEMBENCH_ARGS SPACES THREADS
  OMP_PROC_BIND RESULTS BIN CXX CMAKE_PREFIX_PATH)

# For schedulers that hand nothing on but what -v names: those that the submitting shell has. So it comes before site.sh,
# which gives every setting a value. A list of -v ends at blanks and commas, which are therefore written as in URLs.
#   SIZE=S ITERATIONS=10 QUEUE=debug-g WALLTIME=00:10:00 jobscripts/miyabi-g/submit.sh thesis
trial_settings() {
  local name value
  for name in "${settings[@]}"; do
    value=${!name:-}
    value=${value//%/%25}
    value=${value// /%20}
    if [[ -n $value ]]; then printf ',%s=%s' "$name" "${value//,/%2C}"; fi
  done
}

# The other end, in the job: before site.sh, too.
take_trial_settings() {
  local name value
  for name in "${settings[@]}"; do
    value=${!name:-}
    value=${value//%2C/,}
    value=${value//%20/ }
    if [[ -n $value ]]; then printf -v "$name" %s "${value//%25/%}"; fi
  done
}
