#!/bin/bash
# The measurements, the same at every site. A site's job script calls it: jobscripts/measure.sh STEP...
#
#   check   every memory space and every transport of messages at a small size, with a verdict each: begin with it
#   build   the programs, into build-PRESET/bin
#   node    all steps of one node: membench, links, patterns, migration, thesis, transpose
#   nodes   all steps of several nodes: exchange, strong, weak, heat, each on 1, 2, 4, ... nodes of the job
#
# A run leaves results/SITE/STEP.h5 or STEP-CASE.h5, and a file that is there skips its run: submit an interrupted job
# again, and it goes on. The job script gives SITE, PRESET, NODES, RANKS_PER_NODE (a node's GPUs), THREADS (of a rank)
# and, where that is not mpirun, the function launch RANKS PROGRAM ARGS...
# What follows may be set for a trial, with + between words: SIZE=S SPACES=device+system
# shellcheck disable=SC2317  # steps are called by their names
set -u
umask g+rx  # PBS gives jobs 077, with which the project's group could not read the results
SIZE=${SIZE:-XL} ITERATIONS=${ITERATIONS:-3000} SCALING_ITERATIONS=${SCALING_ITERATIONS:-300}
SPACES=${SPACES:-device+managed+system+host-pinned} SWEEPS=${SWEEPS:-single+auto}
WEAK_BLOCK=${WEAK_BLOCK:-512x512x1024} HEAT_SIZE=${HEAT_SIZE:-768x768x768}
MATRIX_SIZES=${MATRIX_SIZES:-512+1024+2048+3072+4096+6144+8192+16384+32768} MEMBENCH_ARGS=${MEMBENCH_ARGS:-}
LIMIT=${LIMIT:-900}  # seconds of a run: a message that never arrives would take the whole job
refuse() { echo "measure.sh: $*" >&2; exit 2; }
[[ ${SITE:-} && ${PRESET:-} && ${NODES:-} ]] || refuse "a job script starts it; without a scheduler jobscripts/local.sh STEP"
BIN=${BIN:-} RESULTS=${RESULTS:-results/$SITE} failed=()
[[ $BIN || -d build-$PRESET/bin || "+$*+" =~ [+\ ]build[+\ ] ]] || BIN=build/bin  # of ./quickstart
BIN=${BIN:-build-$PRESET/bin}
export MEMSTENCIL_SITE=$SITE

# What failed is said also after a refusal, a time limit, qdel and scancel.
ended() { for each in "${failed[@]}"; do echo "FAILED: $each"; done; }
trap ended EXIT
trap 'failed+=("${what:-${name:-${step:-the start}}}: the job was ended from outside"); kill "${!:-}" 2>/dev/null; exit 143' HUP INT TERM
finish() { exit $((${#failed[@]} > 0)); }

open_mpi() { command mpirun --version 2>/dev/null | grep -q Open; }
# Hydra, of MPICH and Intel, gives 9 or 255 for a killed rank. It ORs the codes of ranks: 1 and 2 make a refusal's 3.
mpirun() {
  local said code
  ! open_mpi || { command mpirun "$@"; return; }
  said=$(mktemp)
  command mpirun -print-all-exitcodes "$@" 2>&1 | tee "$said"
  code=${PIPESTATUS[0]}
  case $(sed -nE 's/^= +(EXIT CODE|KILLED BY SIGNAL): ([0-9]+).*/\2/p' "$said" | head -n 1) in 9) code=137 ;; 11) code=139 ;; esac
  ((code != 3)) || ! grep -E '\] [0-9,]+$' "$said" | grep -qw 256 || code=1
  rm "$said" && return "$code"
}

# What is exported here reaches one node; env in front of the program reaches all.
[[ $(type -t launch) ]] || launch() {
  local each=$(($1 < RANKS_PER_NODE ? $1 : RANKS_PER_NODE)) placed
  placed=(-ppn "$each" -bind-to "core:$THREADS")  # Hydra
  if open_mpi; then
    placed=(--map-by "ppr:$each:node:PE=$THREADS")  # a core for each thread: by itself it binds a rank to one
    # One without PBS' library would start all ranks here.
    [[ ! ${PBS_NODEFILE:-} ]] || (ompi_info; prte_info) 2>/dev/null | grep -q 'MCA plm: tm' || placed+=(--hostfile "$PBS_NODEFILE")
  fi
  # shellcheck disable=SC2086
  mpirun ${MPIRUN_ARGS:-} -np "$1" "${placed[@]}" env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" \
    OMP_NUM_THREADS="$THREADS" OMP_PROC_BIND="${OMP_PROC_BIND:-spread}" ${MPI_ENV:-} "${@:2}"
}
export -f launch mpirun open_mpi
export RANKS_PER_NODE THREADS MPI_ENV=${MPI_ENV:-} MPIRUN_ARGS=${MPIRUN_ARGS:-}

host_build() { [[ $PRESET =~ ^(openmp|serial)$ ]]; }
need() { [[ -x $BIN/$1 ]] || refuse "no $1 in $BIN: run the step build first, or set BIN"; }

facts_and_gpu() {
  echo "host $(hostname), kernel $(uname -r), page size $(getconf PAGESIZE), load $(cut -d' ' -f1-3 /proc/loadavg)"
  grep -sH . /sys/kernel/mm/transparent_hugepage/enabled /proc/sys/kernel/numa_balancing \
    /sys/module/nvidia_uvm/parameters/uvm_perf_access_counter_* /sys/class/infiniband/*/ports/*/rate
  grep -sH MemTotal /sys/devices/system/node/node*/meminfo
  nvidia-smi -L 2>/dev/null
  nvidia-smi -q 2>/dev/null | grep -E 'Driver Version|Addressing Mode|C2C Mode'
  gpu_memory
  # A node may be shared, and the work of others slows what is measured.
  ps -eo user:20,pcpu,comm --no-headers | awk -v me="$(id -un)" '$1 != me && $2 > 20 {print "WARNING: others work here: " $0}'
  nvidia-smi --query-compute-apps=pid,name --format=csv,noheader 2>/dev/null | sed 's/^/WARNING: on the GPU: /'
  # PBS may put the chunks of a job on one node.
  [[ ! ${PBS_NODEFILE:-} ]] || (($(wc -l <"$PBS_NODEFILE") <= NODES * RANKS_PER_NODE)) ||
    echo "WARNING: $NODES nodes for $(wc -l <"$PBS_NODEFILE") ranks: ask for -l place=scatter" >&2
  host_build && return
  gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')
  ((gpus)) || refuse "no GPU in this job: ask for one (Slurm --gpus-per-node, Pegasus --gpunum-lhost=1), or set PRESET=openmp"
  ((gpus == RANKS_PER_NODE)) || echo "WARNING: $gpus GPUs and $RANKS_PER_NODE ranks a node: give each GPU a rank" >&2
}

# The thesis' migration takes a GPU whose memory is a NUMA node. From driver 615 on the driver keeps it (CDMM), unless the
# site sets CoherentGPUMemoryMode=numa.
gpu_memory() {
  local mode nodes=/sys/devices/system/node
  mode=$(sed -n 's/^CoherentGPUMemoryMode: *//p' /proc/driver/nvidia/params 2>/dev/null)
  nvidia-smi -q 2>/dev/null | grep -q 'C2C Mode *: Enabled' || return
  echo "CoherentGPUMemoryMode: ${mode:-of the driver}; NUMA nodes with memory $(<$nodes/has_memory), with CPUs $(<$nodes/has_cpu)"
  [[ $(<$nodes/has_memory) != "$(<$nodes/has_cpu)" ]] ||
    echo "WARNING: the driver keeps the GPU's memory (no NUMA node): nothing migrates to it, unlike in the thesis" >&2
}

# Nothing is downloaded, since compute nodes may have no network: a bundle has it all, or a checkout that was configured
# on a login node. Afresh, because an earlier configuration's compiler would win over CXX.
build() {
  local version arguments
  [[ ${CXX:-nvc++} != *nvc++ ]] || export CXX=g++  # modules set it to nvc++, with which nobody has built this
  [[ ${CC:-} != *nvc ]] || unset CC
  version=$(cmake --version 2>/dev/null | sed -nE '1s/^cmake version ([0-9.]+).*/\1/p')
  [[ $(printf '3.25\n%s\n' "$version" | sort -V | tail -n 1) == "$version" ]] ||
    refuse "cmake is version ${version:-unknown}, and 3.25 or newer is needed: load a module"
  read -ra arguments <<<"${CMAKE_ARGS:-}"
  cmake --fresh --preset "$PRESET" -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DBUILD_TESTING=OFF \
    "${arguments[@]}" && cmake --build --preset "$PRESET" --parallel "$(env -u OMP_NUM_THREADS nproc)" && return
  failed+=(build)
  finish  # the programs of an earlier build may be there
}

# Ended with the job: timeout hands the signal on to all that it started. Functions in the environment break /bin/sh.
limited() {
  # shellcheck disable=SC2016
  timeout --kill-after=30 "$LIMIT" bash -c 'export -fn $(compgen -A function); launch "$@"' launch "$@" &
  wait $!
}

# why CODE SECONDS LIMIT: of a failure. timeout gives 124 for a time-out, or 137, as a killed rank does; there the clock
# tells.
why() {
  if (($1 == 124 || ($1 == 137 && $2 >= $3))); then echo "ended after $3 s"
  elif (($1 == 137)); then echo "killed, perhaps out of memory (exit $1)"
  elif (($1 == 14)); then echo "a rank was lost, perhaps out of memory (exit 14)"  # of Open MPI 5, if a rank notices first
  elif (($1 > 128 && $1 < 160)); then echo "signal $(kill -l "$1") (exit $1)"
  else echo "exit $1"; fi
}

# run NAME RANKS PROGRAM ARGS...: one result file. After a failure the job goes on; but where several ranks found no end
# it ends, since the next run would cost all nodes as much.
run() {
  local name=$1 ranks=$2 program=$3 file=$RESULTS/$1.h5 code=0 began why
  shift 3
  [[ ! -e $file ]] || { echo "-- $name: $file is there"; return; }
  [[ ! -x $BIN/memstencil-$program ]] || program=memstencil-$program  # as heat and transpose are installed
  [[ $program != heat || -x $BIN/$program ]] || { echo "-- $name: no program heat in this build"; return; }
  need "$program"
  echo "== $name: $ranks x $program $*"
  began=$SECONDS
  limited "$ranks" "$BIN/$program" "$@" --quiet --output "$file" || code=$?
  case $code in
    0) ;;
    3) echo "-- $name: refused, this machine cannot do it" ;;
    # Open MPI's mpirun gives 1 if a signal ended it. One to the whole job may come here last: the trap then ends this.
    *) sleep 1
       why=$(why "$code" $((SECONDS - began)) "$LIMIT")
       failed+=("$name: $why")
       [[ $why != ended* ]] || ((ranks == 1)) || finish ;;
  esac
}

verdict() { # WHAT RANKS OPTION-OF-HIMENO...
  local what=$1 ranks=$2 said reason='' code=0 began=$SECONDS limit=$((LIMIT < 60 ? LIMIT : 60))
  local words=([0]=served [3]=refused [4]=wrong)
  shift 2
  said=$(LIMIT=$limit limited "$ranks" "$BIN/himeno" --size S --iterations 10 --quiet "$@" 2>&1) || code=$?
  verdict=${words[$code]:-failed}
  [[ $verdict != failed ]] || reason="$(why "$code" $((SECONDS - began)) "$limit"): "
  # The program's line, where a crash was in MPI, or the first paragraph of a launcher, after lines of its processes.
  ((code == 0)) || reason+=$(grep -m 1 '^himeno: ' <<<"$said" ||
    { ((code > 128)) && grep -oE 'mca_\w+\.so|\bP?MPI_\w+' <<<"$said" | awk '!seen[$0]++' | paste -sd ' ' | grep .; } ||
    awk '/^\[/ {first = first ? first : $0; next} !/[[:alnum:]]/ {if (text) exit; next} {$1 = $1; text = text $0 " "}
      END {print text ? text : first}' <<<"$said")
  printf '%-36s %-8s %s\n' "$what" "$verdict" "$reason"
  ((code == 0 || code == 3)) || failed+=("$what: $verdict")
}

check() {
  local name ranks where pointers="not known, it takes two GPUs: give the job two nodes"
  need himeno
  for name in device managed system host-pinned; do verdict "memory $name" 1 --memspace "$name"; done
  for ranks in $(rank_counts | awk -v node="$RANKS_PER_NODE" '$1 == 2 || $1 == 2 * node'); do
    where="on $((ranks > RANKS_PER_NODE ? 2 : 1)) nodes"
    for name in peer nccl staged device; do verdict "messages by $name $where" "$ranks" --halo "$name"; done
    pointers="$verdict $where"
    for name in managed system host-pinned; do verdict "messages of $name $where" "$ranks" --memspace "$name"; done
  done
  host_build || echo "device pointers by MPI: $pointers"
}

# 1, 2, 4, ... and all nodes of the job.
node_counts() { for ((n = 1; n < NODES; n *= 2)); do echo "$n"; done; echo "$NODES"; }

# 1, 2, 4, ... ranks of one node, then those of its nodes.
rank_counts() {
  for ((n = 1; n < RANKS_PER_NODE; n *= 2)); do echo "$n"; done
  for n in $(node_counts); do echo $((n * RANKS_PER_NODE)); done
}

membench() { run membench 1 membench all "${membench_args[@]}"; }
paper() { LIMIT=$((4 * LIMIT)) run "$step" 1 membench "${step/links/link}" --paper "${membench_args[@]}"; }

# [tsukuba-thesis-2024], section 4.3, and the advice of 5.3.1: the GPU reads all arrays first.
thesis() {
  local space himeno=(1 himeno --size "$SIZE" --iterations "$ITERATIONS" --first-touch host --memspace)
  for space in device managed system; do run "thesis-$space" "${himeno[@]}" "$space"; done
  for space in managed system; do run "thesis-$space-pre-touched" "${himeno[@]}" "$space" --pre-touch device; done
}

transpose() {
  local n=${MATRIX_SIZES##*+} size space
  for size in ${MATRIX_SIZES//+/ }; do run "transpose-$size" 1 transpose --rows "$size" --cols "$size" --variant all; done
  run "transpose-$n-double" 1 transpose --rows "$n" --cols "$n" --variant all --type double
  for space in ${SPACES//+/ }; do
    run "transpose-$n-$space" 1 transpose --rows "$n" --cols "$n" --memspace "$space" --first-touch host
  done
}

scale() { # NAME RANKS ARGS...: himeno in each memory space by each kind of sweep
  local name=$1-$2 ranks=$2 space sweep
  shift 2
  for space in ${SPACES//+/ }; do for sweep in ${SWEEPS//+/ }; do
    run "$name-$space-${sweep/:/}" "$ranks" himeno "$@" --iterations "$SCALING_ITERATIONS" --memspace "$space" --sweep "$sweep"
  done; done
}

exchange() {
  ((NODES * RANKS_PER_NODE > 1)) || echo "-- exchange: it needs two ranks, and this job has one"
  for n in $(rank_counts); do ((n == 1)) || run "exchange-$n" "$n" membench exchange "${membench_args[@]}"; done
}

strong() {
  local n=${MATRIX_SIZES##*+}
  for ranks in $(rank_counts); do
    scale strong "$ranks" --size "$SIZE"
    run "strong-$ranks-transpose" "$ranks" transpose --rows "$n" --cols "$n"
  done
}

weak() {
  IFS=x read -r x y z <<<"$WEAK_BLOCK"
  for ranks in $(rank_counts); do
    for ((i = 1; i * i < ranks || ranks % i; i++)); do :; done  # near a square in i and j: k, the fastest, stays whole
    scale weak "$ranks" --size "$((i * x))x$((ranks * y / i))x$z" --ranks "${i}x$((ranks / i))x1"
  done
}

heat() {
  for n in $(node_counts); do run "heat-$n" $((n * RANKS_PER_NODE)) heat --size "$HEAT_SIZE" --iterations 500; done
}

all='check build membench links patterns migration thesis transpose exchange strong weak heat'
steps=" ${*//+/ } "
steps=${steps// node / membench links patterns migration thesis transpose } steps=${steps// nodes / exchange strong weak heat }
for step in $steps; do [[ " $all " == *" $step "* ]] || refuse "no step '$step': there are $all, node and nodes"; done
[[ ${step:-} ]] || refuse "name a step: jobscripts/local.sh check"
read -ra membench_args <<<"${MEMBENCH_ARGS//+/ }"
mkdir -p "$RESULTS" || exit
facts_and_gpu
for step in $steps; do case $step in links | patterns | migration) paper ;; *) "$step" ;; esac; done
finish
