#!/bin/bash
# Without a network a library that is missing ends the configuration with its name and what to install, and so does an
# HDF5 of another MPI with the switches that choose. Usage: missing_libraries_test.sh CMAKE SOURCE FOLDER. Skipped (77)
# where a namespace without a network is not allowed, or where libraries are not installed that another check needs.
set -eu
cmake=$1 source=$2 folder=$3
unshare -rn true 2>/dev/null || exit 77
rm -rf "$folder"
mkdir -p "$folder"/{kokkos,hdf5}

# A Kokkos that gets the configuration as far as the libraries.
cat >"$folder/kokkos/KokkosConfigVersion.cmake" <<'PACKAGE'
set(PACKAGE_VERSION 4.7.4)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
PACKAGE
cat >"$folder/kokkos/KokkosConfig.cmake" <<'PACKAGE'
set(Kokkos_DEVICES SERIAL)
add_library(Kokkos::kokkoscore INTERFACE IMPORTED)
add_library(Kokkos::kokkos INTERFACE IMPORTED)
PACKAGE

configure() { "${within[@]}" "$cmake" --fresh -S "$source" -B "$folder/build" -DKokkos_ROOT="$folder/kokkos" "$@"; }

# refused WORDS ARGUMENT...: looks for the words in what is said.
refused() {
  if configure "${@:2}" >"$folder/log" 2>&1; then
    echo "configured with ${*:2}"
    exit 1
  fi
  tr -s ' \n' ' ' <"$folder/log" | grep -qF -e "$1" || { echo "no '$1' in:"; cat "$folder/log"; exit 1; }
}

within=(unshare -rn)
configure -DMEMSTENCIL_MPI=OFF -DMEMSTENCIL_HDF5=OFF >"$folder/log" 2>&1 || exit 77
while read -r library version debian fedora spack; do
  refused "$library >= $version is missing: install it (Debian: $debian; Fedora: $fedora; Spack: $spack), or name a source folder" \
    "-DCMAKE_DISABLE_FIND_PACKAGE_$library=ON"
done <<'LIBRARIES'
CLI11 2.1.2 libcli11-dev cli11-devel cli11
tomlplusplus 3.3.0 libtomlplusplus-dev tomlplusplus-devel tomlplusplus
fmt 9.1.0 libfmt-dev fmt-devel fmt
nlohmann_json 3.11.2 nlohmann-json3-dev json-devel nlohmann-json
GTest 1.12.1 libgtest-dev gtest-devel googletest
LIBRARIES

within=(env)  # without any network Open MPI does not even compile
refused "no MPI is found: install one (Debian: libopenmpi-dev openmpi-bin" -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
refused "no HDF5 >= 1.10.2 is found (Debian: libhdf5-openmpi-dev" -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON

# An HDF5 that needs the MPI of nobody, as its compiler tells it.
command -v h5pcc mpicc >/dev/null || exit 0
includes=$({ h5pcc -show && mpicc -show; } | tr ' ' '\n' | grep '^-I' | sort -u | paste -sd' ')
echo 'int MPI_Initialized(int* flag) { return *flag = 0; }' | cc -shared -fPIC -Wl,-soname,libmpiother.so.7 -x c - \
  -o "$folder/hdf5/libmpiother.so"
echo 'int MPI_Initialized(int*); int H5open(void) { int flag; return MPI_Initialized(&flag); }' |
  cc -shared -fPIC -x c - -o "$folder/hdf5/libhdf5.so" -L"$folder/hdf5" -lmpiother
cat >"$folder/hdf5/h5pcc" <<TOLD
#!/bin/sh
case \$1 in
  -show) echo "cc $includes -L$folder/hdf5 $folder/hdf5/libhdf5.so" ;;
  -showconfig) echo "  HDF5 Version: 1.10.8"; echo "  Parallel HDF5: yes" ;;
  *) exec cc -fsyntax-only $includes "\$@" ;;
esac
TOLD
chmod +x "$folder/hdf5/h5pcc"
refused "libhdf5.so was built for another MPI (libmpiother.so.7) than the one found" \
  "-DHDF5_C_COMPILER_EXECUTABLE=$folder/hdf5/h5pcc"
refused "-DMPI_C_COMPILER=... and -DMPIEXEC_EXECUTABLE=..." "-DHDF5_C_COMPILER_EXECUTABLE=$folder/hdf5/h5pcc"
