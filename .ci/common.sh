# shellcheck shell=bash
# What the scripts of continuous integration share: each sources it.
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(env -u OMP_NUM_THREADS nproc)}

# install_packages PACKAGE...
install_packages() {
  apt-get -q update >/dev/null &&
    DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >/dev/null
}

# logged FILE COMMAND...: what the command prints goes into the file; if it fails, the end is shown.
logged() {
  local file=$1
  shift
  mkdir -p "$(dirname "$file")"
  "$@" >"$file" 2>&1 && return
  tail -n 60 "$file"
  return 1
}

# The name of a folder of ccache: what was made for one processor (-march=native) serves no other, and ccache reads the
# option, not the processor.
processor() { sed -nE 's/^(model name|flags|Features)\s*: //p' /proc/cpuinfo | sort -u | sha256sum | cut -c 1-12; }

# Compilers take from ccache what they made of the same text before, in this clone or another: paths are those within the
# clone, in GoogleTest's macros, too. The compiler lists what a file includes (CCACHE_DEPEND); otherwise ccache preprocesses
# each file first, a sixth of the time where its cache is empty. Goes on without ccache.
keep_compiled() {
  local folder language
  folder=${MEMSTENCIL_CCACHE:-/var/cache/memstencil-ccache}/$(processor)
  { command -v ccache || install_packages ccache; } >/dev/null 2>&1 && mkdir -p "$folder" 2>/dev/null || return 0
  export CCACHE_DIR=$folder CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CXXFLAGS="${CXXFLAGS:-} -fmacro-prefix-map=$PWD=."
  for language in C CXX CUDA; do export "CMAKE_${language}_COMPILER_LAUNCHER=$(command -v ccache)"; done
}
