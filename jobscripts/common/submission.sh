# What all submit.sh share: the steps there are, and the settings that reach the job. Sourced from the root.
# shellcheck shell=bash

# check_step STEP: refused before it waits in a queue.
check_step() {
  case $1 in
    build | membench | thesis | strong | weak | transpose) ;;
    *)
      echo "no step '$1'; there are build, membench, thesis, strong, weak and transpose" >&2
      return 2
      ;;
  esac
}

# What may be set for a job, in site.sh and steps.sh.
settings=(SIZE ITERATIONS SCALING_ITERATIONS WEAK_BLOCK MATRIX MATRIX_SIZES MEMBENCH_ARGS SPACES THREADS OMP_PROC_BIND
  RESULTS BIN)

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
