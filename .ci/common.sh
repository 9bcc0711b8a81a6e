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
