# What all submit.sh share: the steps there are, and the settings that reach the job. Sourced from the root.
# shellcheck shell=bash

# The steps, and the minutes that each is expected to take with the usual sizes: docs/clusters.md says how they are known.
# Where machines or numbers of nodes differ, those of the slowest.
declare -A expected=([build]=31 [membench]=2 [exchange]=2 [thesis]=16 [transpose]=5 [strong]=12 [weak]=12
  [paper-link]=30 [paper-patterns]=45 [paper-migration]=10)

# check_step STEP: refused before it waits in a queue.
check_step() {
  if [[ -z ${expected[$1]:-} ]]; then
    echo "no step '$1'; there are build, membench, exchange, thesis, transpose, strong, weak, paper-link, paper-patterns" \
      "and paper-migration" >&2
    return 2
  fi
}

# node_count STEP [N]: how many nodes the step gets. Scaling needs a number: nodes cost, and nobody guesses them. The
# others would leave all nodes but one idle.
node_count() {
  local count=${2:-}
  if [[ -z $count && $1 =~ ^(strong|weak|exchange)$ ]]; then
    echo "$1 needs the number of nodes: $1 4" >&2
    return 2
  fi
  if [[ ! ${count:=1} =~ ^[1-9][0-9]*$ ]]; then
    echo "$count is no number of nodes" >&2
    return 2
  fi
  if [[ $1 == exchange ]] && ((count * ${RANKS_PER_NODE:-1} == 1)); then
    echo "exchange sends messages between ranks, of which a node has one: it needs two nodes or more" >&2
    return 2
  fi
  if [[ $1 =~ ^(build|membench|thesis|paper-.*)$ && $count != 1 ]]; then
    echo "$1 runs on one node: leave $count out" >&2
    return 2
  fi
  echo "$count"
}

# walltime STEP GIVEN: as HH:MM:SS, which every scheduler reads alike. Without GIVEN three times what is expected, in half
# hours. A number alone would be seconds under PBS and minutes under Slurm.
walltime() {
  local given=$2 seconds half_hours
  if [[ -z $given ]]; then
    half_hours=$(((expected[$1] * 3 + 29) / 30)) seconds=$((half_hours * 1800))
  elif [[ $given =~ ^(([0-9]+)-)?([0-9]+):([0-5]?[0-9]):([0-5]?[0-9])$ ]]; then
    seconds=$((((10#0${BASH_REMATCH[2]} * 24 + 10#${BASH_REMATCH[3]}) * 60 + 10#${BASH_REMATCH[4]}) * 60 + 10#${BASH_REMATCH[5]}))
  elif [[ $given =~ ^([0-9]+):([0-5]?[0-9])$ ]]; then
    seconds=$((10#${BASH_REMATCH[1]} * 60 + 10#${BASH_REMATCH[2]}))
  fi
  if ((${seconds:-0} == 0)); then
    echo "WALLTIME=$given is no time; write hours:minutes:seconds (02:00:00), minutes:seconds (30:00), or with days" \
      "1-00:00:00" >&2
    return 2
  fi
  printf '%02d:%02d:%02d\n' $((seconds / 3600)) $((seconds / 60 % 60)) $((seconds % 60))
}

# announce STEP NODES WALLTIME: what the job may cost, and whether it fits.
announce() {
  local hours minutes seconds total nodes="$2 nodes" note=
  IFS=: read -r hours minutes seconds <<<"$3"
  seconds=$(((10#$hours * 60 + 10#$minutes) * 60 + 10#$seconds)) total=$(($2 * seconds))
  if (($2 == 1)); then nodes="1 node"; fi
  if ((seconds < expected[$1] * 60)); then note="; that is too short unless sizes are smaller"; fi
  printf '%s: %s for at most %s, %d.%02d node-hours; %d minutes are expected%s\n' "$1" "$nodes" "$3" \
    $((total / 3600)) $((total % 3600 * 100 / 3600)) "${expected[$1]}" "$note" >&2
}

# What may be set for a job, in site.sh and steps.sh.
settings=(SIZE ITERATIONS SCALING_ITERATIONS SWEEPS WEAK_BLOCK MATRIX MATRIX_SIZES MEMBENCH_ARGS SPACES THREADS
  OMP_PROC_BIND RESULTS RESULT BIN CXX CMAKE_PREFIX_PATH CMAKE_ARGS)

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
