#!/bin/bash
# The kept samples of a machine: samples.sh BIN FOLDER [probes] [applications] [two_gpus], all while it is held.
# Seconds on an H200 with 16 cores: probes 196; applications 239, of which arrays by cudaHostAlloc take 70 (they run
# once), the second and third process of four cases 35. On two of them: two_gpus 165. A run whose file is there is
# passed over.
set -u
bin=$1 folder=$2
shift 2
mkdir -p "$folder"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)} OMP_PROC_BIND=${OMP_PROC_BIND:-spread}

# run NAME PROGRAM ARGS...: a refused run (a grid that does not fit) leaves no file.
run() {
  local file=$folder/$1.h5 program=$2
  [[ ! -e $file ]] || return 0
  shift 2
  ${launch:-} "$bin/$program" "$@" --quiet --output "$file" >/dev/null || echo "$file: exit $?" >&2
}
himeno() { run "himeno-$1-$2" himeno --size "$1" --repeat "${repeat:-3}" "${@:3}"; }

probes() { run membench-all membench all; }

applications() {
  local process
  for process in 1 2 3; do # in turns
    himeno XL device-$process --iterations 100
    himeno XL prefetch-$process --iterations 100 --memspace managed --prefetch
    himeno XL 3-fused-$process --iterations 102 --sweep temporal:3
    himeno XL 3-packed-$process --iterations 102 --sweep temporal:3 --layout packed
  done
  himeno XL managed --iterations 100 --memspace managed
  himeno XL filled-by-host --iterations 100 --first-touch host
  himeno XL managed-by-host --iterations 100 --memspace managed --first-touch host
  himeno XL 4-fused --iterations 100 --sweep temporal:4
  himeno L single --iterations 400
  himeno L 3-packed --iterations 402 --sweep temporal:3 --layout packed
  himeno M single --iterations 1500
  himeno M 3-packed --iterations 1500 --sweep temporal:3 --layout packed
  himeno XL 3-packed-compressible --iterations 102 --sweep temporal:3 --layout packed --allocation compressible
  himeno L 3-packed-compressible --iterations 402 --sweep temporal:3 --layout packed --allocation compressible
  run heat-768 heat --size 768x768x768 --iterations 500 --repeat 3
  run heat-XL heat --size XL --iterations 500 --repeat 3
  transposes
  himeno XL streamed --iterations 192 --sweep temporal:96 --memspace host-pinned --allocation registered --pages huge
  repeat=1 himeno 1024x1024x1536 3-fused --iterations 60 --sweep temporal:3
  repeat=1 himeno 1024x1024x1536 streamed --iterations 100 --sweep temporal:96 --memspace host-pinned \
    --allocation registered --pages huge
  himeno XL host-pinned --iterations 10 --memspace host-pinned
}

# square EXTENT ITERATIONS NAME ARGS...
square() { run "transpose-$1-$3" transpose --rows "$1" --cols "$1" --iterations "$2" --repeat 3 "${@:4}"; }

transposes() {
  local extent
  for extent in 8192 16384 32768; do square $extent 50 all --variant all; done
  run transpose-8191x12289-all transpose --rows 8191 --cols 12289 --iterations 100 --repeat 3 --variant all
  square 8192 100 device
  square 8192 100 managed --memspace managed
  square 8192 100 managed-by-host --memspace managed --first-touch host
  square 8192 20 host-pinned --memspace host-pinned
  square 32768 50 device
  square 32768 50 prefetch --memspace managed --prefetch
}

# Two GPUs of a node: each problem on one, then on two by each transport.
two_gpus() {
  local threads=$((OMP_NUM_THREADS / 2)) halo size kind
  local pair="env OMP_NUM_THREADS=$threads mpirun -np 2 --map-by node:PE=$threads"
  for size in XL,150 L,600 M,3000; do
    for kind in single temporal:3; do
      two_gpus_of "${size%,*}" "${size#*,}" $kind
    done
  done
  launch=$pair himeno XL x2-3-packed --iterations 150 --sweep temporal:3 --layout packed
  launch=$pair himeno L x2-4-fused --iterations 600 --sweep temporal:4
  launch=$pair himeno M x2-4-fused --iterations 3000 --sweep temporal:4
  launch=$pair himeno L x2-managed --iterations 600 --memspace managed
  for halo in peer nccl staged; do
    launch=$pair run heat-768-x2-$halo heat --size 768x768x768 --iterations 500 --repeat 3 --halo $halo
  done
  square 16384 50 x1
  launch=$pair square 16384 50 x2
  launch=$pair square 32768 50 x2
  launch=$pair run membench-exchange membench exchange
  run membench-peers membench peers
}

# two_gpus_of SIZE ITERATIONS KIND
two_gpus_of() {
  local name=${3/temporal:3/3-fused}
  himeno "$1" "x1-$name" --iterations "$2" --sweep "$3"
  for halo in peer nccl staged; do
    launch=$pair himeno "$1" "x2-$name-$halo" --iterations "$2" --sweep "$3" --halo "$halo"
  done
}

for part in "${@:-probes applications}"; do
  for each in $part; do "$each"; done
done
