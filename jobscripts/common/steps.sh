# The measurements of a job, the same on every machine. Sourced by job.sh after site.sh, from the root of the checkout.
# shellcheck shell=bash disable=SC2153
#
# site.sh gives: SITE, PRESET, RANKS_PER_NODE (a node's GPUs), THREADS (host threads a rank), SPACES (memory spaces to
# run in), NODES, JOB (the job's number), and launch N PROGRAM ARGS... (N ranks, RANKS_PER_NODE on each node). What stands
# here with ${...:-...} may be set for a short trial, and submission.sh lists it, so that it reaches a job:
#   SIZE=S ITERATIONS=10 jobscripts/generic/local.sh thesis
if [[ -z ${BIN:-} ]]; then
  BIN=build-$PRESET/bin
  if [[ ! -d $BIN && -d build/bin ]]; then BIN=build/bin; fi  # of ./quickstart
fi
SIZE=${SIZE:-XL}
ITERATIONS=${ITERATIONS:-3000}
SCALING_ITERATIONS=${SCALING_ITERATIONS:-300}
SWEEPS=${SWEEPS:-single auto}  # of strong and weak; auto: the kind that a short trial finds fastest
WEAK_BLOCK=${WEAK_BLOCK:-512 512 1024}  # points of a rank in i, j and k
MATRIX=${MATRIX:-32768}
MATRIX_SIZES=${MATRIX_SIZES:-512:8192:256}
read -ra MEMBENCH_ARGS <<<"${MEMBENCH_ARGS:-}"

# What results carry about the machine, for the job's log, too: page size, addressing mode, access counters, NUMA nodes.
show_facts() {
  echo "host $(hostname), kernel $(uname -r), page size $(getconf PAGESIZE)"
  cat /sys/kernel/mm/transparent_hugepage/enabled /proc/sys/kernel/numa_balancing 2>/dev/null || true
  grep -H . /sys/module/nvidia_uvm/parameters/uvm_perf_access_counter_* 2>/dev/null || true
  nvidia-smi -q 2>/dev/null | grep -E 'Product Name|Driver Version|Addressing Mode|C2C Mode' || true
  grep -H MemTotal /sys/devices/system/node/node*/meminfo 2>/dev/null || true
}

# measure RANKS PROGRAM ARGS...: adds a run to the job's one result file. What this machine cannot do (exit 3) is told and
# passed over; anything else ends the job.
measure() {
  local ranks=$1 program=$2 code=0
  shift 2
  echo "== $ranks x $program $*"
  launch "$ranks" "$BIN/$program" "$@" --output "$RESULT" --append --quiet || code=$?
  case $code in
    0) measured=$((measured + 1)) ;;
    3) echo "== passed over: this machine cannot do it" ;;
    *)
      echo "== failed with $code" >&2
      return "$code"
      ;;
  esac
}

# load_modules of site.sh. Modules may set CXX, as NVHPC's do, on the login node, too: the user's choice wins over that,
# and g++ over nvc++, with which nobody has built this project.
enter_environment() {
  local named=${CXX:-}
  load_modules
  CXX=${named:-${CXX:-g++}}
  if [[ ${CXX##*/} == nvc++ ]]; then CXX=g++; fi
  if [[ ${CC:-} == *nvc ]]; then unset CC; fi
  export CXX
}

# check_release NAME VERSION OLDEST [VARIABLE that names another]
check_release() {
  if [[ $(printf '%s\n' "$3" "$2" | sort -V | head -n 1) != "$3" ]]; then
    echo "$1 is version $2, and $3 or newer is needed: load a module, or set ${4:-PATH}" >&2
    return 2
  fi
}

# What a compiler is, it says itself: names of wrappers do not. The system's own is often older than the modules'.
check_compiler() {
  local source nvc clang gnu
  source=$(mktemp --suffix=.cpp)
  echo 'is: __NVCOMPILER __clang_major__ __GNUC__' >"$source"
  read -r _ nvc clang gnu < <("$CXX" -E "$source" | grep '^is: ') || true
  rm "$source"
  if [[ $nvc =~ ^[0-9] ]]; then
    echo "$CXX is NVIDIA's nvc++, with which nobody has built this project: set CXX=g++" >&2
    return 2
  elif [[ $clang =~ ^[0-9]+$ ]]; then
    check_release "$CXX (Clang)" "$clang" 16 CXX
  elif [[ $gnu =~ ^[0-9]+$ ]]; then
    check_release "$CXX" "$gnu" 11 CXX
  else
    echo "$CXX does not work as a C++ compiler, or is neither g++ nor Clang: set CXX" >&2
    return 2
  fi
}

check_cmake() {
  local version
  version=$(cmake --version | sed -nE '1s/^cmake version ([0-9.]+).*/\1/p') || return 2
  check_release cmake "${version:-0}" 3.25
}

check_bundle() {
  if [[ -e .deps/SHA256SUMS ]] && ! sha256sum --check --quiet .deps/SHA256SUMS; then
    echo "this bundle is damaged: unpack it again" >&2
    return 2
  fi
}

# Nothing is downloaded: from a compute node that would wait for minutes and then fail. A bundle has all there is to
# get, and so has a checkout that was configured once on a login node. Afresh, because an earlier configuration's compiler
# would win over CXX.
build() {
  local arguments
  read -ra arguments <<<"${CMAKE_ARGS:-}"
  check_compiler
  check_cmake
  check_bundle
  cmake --fresh --preset "$PRESET" -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DBUILD_TESTING=OFF -DMEMSTENCIL_HDF5=ON "${arguments[@]}"
  cmake --build --preset "$PRESET" --parallel "$THREADS"
}

membench() { measure 1 membench all "${MEMBENCH_ARGS[@]}"; }

# Messages within a node and between nodes, which the model of several ranks takes its rates from.
exchange() {
  local n
  for n in $(rank_counts); do
    if ((n > 1)); then measure "$n" membench exchange "${MEMBENCH_ARGS[@]}"; fi
  done
}

# The thesis' own sizes and counts. Each probe takes so long that it is a job of its own.
paper() { measure 1 membench "$1" --paper "${MEMBENCH_ARGS[@]}"; }

# Thesis 2024, section 4.3: no rehearsal, arrays initialised by the host.
thesis() {
  local space
  for space in $SPACES; do
    measure 1 himeno --size "$SIZE" --iterations "$ITERATIONS" --memspace "$space" --first-touch host
  done
}

# 1, 2, 4, ... ranks of one node, then those of 1, 2, 4, ... and of all nodes of the job.
rank_counts() {
  local n
  for ((n = 1; n < RANKS_PER_NODE; n *= 2)); do echo "$n"; done
  for ((n = 1; n < NODES; n *= 2)); do echo $((n * RANKS_PER_NODE)); done
  echo $((NODES * RANKS_PER_NODE))
}

# scale RANKS ARGS...: himeno in each memory space by each kind of sweep.
scale() {
  local ranks=$1 space sweep
  shift
  for space in $SPACES; do
    for sweep in $SWEEPS; do
      measure "$ranks" himeno "$@" --iterations "$SCALING_ITERATIONS" --memspace "$space" --sweep "$sweep"
    done
  done
}

strong() {
  local n
  for n in $(rank_counts); do scale "$n" --size "$SIZE"; done
}

weak() {
  local n i j block
  read -ra block <<<"$WEAK_BLOCK"
  for n in $(rank_counts); do
    # Ranks as near a square as it goes in i and j: k, the fastest, stays whole.
    for ((i = 1; i * i < n || n % i; i++)); do :; done
    j=$((n / i))
    scale "$n" --size "$((i * block[0]))x$((j * block[1]))x${block[2]}" --ranks "${i}x${j}x1"
  done
}

transpose() {
  local type space
  for type in float double; do
    measure 1 transpose --rows "$MATRIX" --cols "$MATRIX" --type "$type" --variant all --memspace device
  done
  # [ufrgs-thesis], figures 4.7 and 4.11: over the size.
  measure 1 transpose --sweep-sizes "$MATRIX_SIZES" --variant all --memspace device
  local n
  for space in $SPACES; do
    measure 1 transpose --rows "$MATRIX" --cols "$MATRIX" --memspace "$space" --first-touch host
    # Strong scaling, and weak: as many rows a rank as one rank has.
    for n in $(rank_counts); do
      measure "$n" transpose --rows "$MATRIX" --cols "$MATRIX" --memspace "$space"
      if ((n > 1)); then measure "$n" transpose --rows $((n * MATRIX)) --cols "$MATRIX" --memspace "$space"; fi
    done
  done
}

# run_step STEP: what job.sh calls.
run_step() {
  enter_environment
  show_facts
  check_programs "$1"
  mkdir -p "$RESULTS" "$(dirname "$RESULT")"
  measured=0
  case $1 in
    paper-*) paper "${1#paper-}" ;;
    *) "$1" ;;
  esac
  if [[ $1 != build ]] && ((measured == 0)); then
    echo "no run was possible, and nothing was added to $RESULT: the lines above say why" >&2
    return 3
  fi
}

# check_programs STEP: said here, in one line, and not by mpirun in twelve.
check_programs() {
  local program told
  case $1 in
    build) return ;;
    membench | exchange | paper-*) program=membench ;;
    transpose) program=transpose ;;
    *) program=himeno ;;
  esac
  if [[ ! -x $BIN/$program ]]; then
    if [[ $BIN == "build-$PRESET/bin" ]]; then BIN+=" or build/bin"; fi
    echo "no $program in $BIN: run the step build or ./quickstart build first, or set BIN" >&2
    return 2
  fi
  # After the modules, without which it may not start, and as runs are started: MPI begins before it answers.
  told=$(launch 1 "$BIN/$program" --version 2>&1) || {
    echo "$BIN/$program does not start: $(grep -m 1 '[[:alpha:]]' <<<"$told")" >&2
    return 2
  }
  if [[ $told == *"HDF5 none"* ]]; then
    echo "$BIN/$program was built without HDF5 and cannot write results: run the step build with HDF5" >&2
    return 2
  fi
}

. jobscripts/common/submission.sh
check_step "$STEP"
RESULTS=${RESULTS:-results}
RESULT=${RESULT:-$RESULTS/$SITE-$STEP-$JOB.h5}
