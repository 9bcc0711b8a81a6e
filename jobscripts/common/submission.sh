# What all submit.sh share: the steps there are, and what a short trial hands on to its job. Sourced from the root.
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

# For schedulers that hand nothing on but what -v names: the settings of steps.sh that the submitting shell has.
#   SIZE=S ITERATIONS=10 QUEUE=debug-g WALLTIME=00:10:00 jobscripts/miyabi-g/submit.sh thesis
trial_settings() {
  local name
  for name in SIZE ITERATIONS SCALING_ITERATIONS MATRIX MATRIX_SIZES; do
    if [[ -n ${!name:-} ]]; then printf ',%s=%s' "$name" "${!name}"; fi
  done
}
