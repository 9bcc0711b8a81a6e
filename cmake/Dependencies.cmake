# Every dependency but Kokkos, named once: version, where it comes from, what to install where it is missing.
include(FetchContent)
set(CLI11_INSTALL OFF)  # the others install nothing where they are a part of another project

# A library that is not installed: the copy of a bundle in .deps/, otherwise the pinned commit of its git repository
# (what users without root on a cluster lack). The commits are the versions of Debian 12, so that all ways compile the
# same code. `target` is the library's own, which the package calls name::target.
function(memstencil_dependency name target version debian fedora spack repository commit)
  string(TOUPPER ${name} upper)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.deps/${name} AND NOT FETCHCONTENT_SOURCE_DIR_${upper})
    set(FETCHCONTENT_SOURCE_DIR_${upper} ${PROJECT_SOURCE_DIR}/.deps/${name})
  endif()
  string(TOLOWER ${name} lower)
  string(CONCAT missing "${name} >= ${version} is missing: install it (Debian: ${debian}; Fedora: ${fedora}; Spack: ${spack}), "
                        "or name a source folder with -DFETCHCONTENT_SOURCE_DIR_${upper}=DIR")
  # git's own failure names neither the library nor what to do. What an earlier run got needs no network.
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND NOT FETCHCONTENT_FULLY_DISCONNECTED
     AND NOT EXISTS ${PROJECT_BINARY_DIR}/_deps/${lower}-src/CMakeLists.txt)
    find_package(${name} ${version} QUIET)
    set(refused 0)
    if(NOT ${name}_FOUND)
      execute_process(COMMAND git ls-remote --exit-code ${repository} HEAD TIMEOUT 30
                      RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
    endif()
    if(NOT refused STREQUAL "0")
      message(FATAL_ERROR "${missing} (${repository} is not reached)")
    endif()
  endif()
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit} FIND_PACKAGE_ARGS ${version})
  FetchContent_MakeAvailable(${name})
  if(${name}_FOUND)
    message(STATUS "${name} ${${name}_VERSION} in ${${name}_DIR}")
  elseif(TARGET ${target})
    message(STATUS "${name} from source in ${${lower}_SOURCE_DIR}")
    file(GLOB licence ${${lower}_SOURCE_DIR}/LICENSE*)
    if(licence AND NOT ${name} STREQUAL "GTest")  # it is in the programs
      list(GET licence 0 licence)
      install(FILES ${licence} RENAME LICENSE.${lower} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
    endif()
    # Its headers' warnings are not ours. (The word SYSTEM in FetchContent_Declare breaks the download of CMake 3.25.1.)
    set_target_properties(${target} PROPERTIES SYSTEM ON)
  else()  # what FETCHCONTENT_FULLY_DISCONNECTED makes of a library that is not there
    message(FATAL_ERROR "${missing}")
  endif()
endfunction()

memstencil_dependency(CLI11 CLI11 2.1.2 libcli11-dev cli11-devel cli11
  https://github.com/CLIUtils/CLI11.git 70f8072f9dd2292fd0b9f9e5f58e279f60483ed3)
memstencil_dependency(tomlplusplus tomlplusplus_tomlplusplus 3.3.0 libtomlplusplus-dev tomlplusplus-devel tomlplusplus
  https://github.com/marzer/tomlplusplus.git c635f218c0aefc801d9748841930365e54fe3089)
memstencil_dependency(fmt fmt 9.1.0 libfmt-dev fmt-devel fmt
  https://github.com/fmtlib/fmt.git a33701196adfad74917046096bf5a2aa0ab0bb50)
memstencil_dependency(nlohmann_json nlohmann_json 3.11.2 nlohmann-json3-dev json-devel nlohmann-json
  https://github.com/nlohmann/json.git bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d)
if(BUILD_TESTING)
  set(INSTALL_GTEST OFF)
  memstencil_dependency(GTest gtest 1.12.1 libgtest-dev gtest-devel googletest
    https://github.com/google/googletest.git 58d77fa8070e8cec2dc1ed015d66b454c8d78850)
endif()

# MPI: the C bindings, which are the ones that the standard keeps.
set(memstencil_mpi ${MEMSTENCIL_MPI})
if(MEMSTENCIL_MPI)
  find_package(MPI 3.0 QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND)
    message(FATAL_ERROR "no MPI is found: install one (Debian: libopenmpi-dev openmpi-bin; Spack or module: openmpi), "
                        "or use -DMEMSTENCIL_MPI=OFF: programs then run on one rank")
  endif()
endif()

# HDF5, and zlib for the checksum of a results file: sets memstencil_hdf5 to parallel, serial, or OFF.
# HDF5 is asked for without a version: its own package is compatible with its minor version alone, so that 2.2 would be
# no 1.10.2. HDF5 2 has PROVIDES_PARALLEL where 1 has IS_PARALLEL.
set(memstencil_hdf5 OFF)
if(MEMSTENCIL_HDF5)
  set(HDF5_PREFER_PARALLEL ${MEMSTENCIL_MPI})
  if(HDF5_C_COMPILER_EXECUTABLE)  # the user's choice goes before HDF5's own package, which Debian unstable installs
    set(HDF5_NO_FIND_PACKAGE_CONFIG_FILE ON)
  endif()
  find_package(HDF5 QUIET COMPONENTS C)
  find_package(ZLIB 1.2.9 QUIET)
  set(memstencil_hdf5 serial)
  if(HDF5_IS_PARALLEL OR HDF5_PROVIDES_PARALLEL)
    set(memstencil_hdf5 parallel)
  endif()
  if(NOT HDF5_FOUND OR HDF5_VERSION VERSION_LESS 1.10.2)
    set(missing "no HDF5 >= 1.10.2 is found (Debian: libhdf5-openmpi-dev, or libhdf5-dev without MPI; Spack or module: hdf5)")
  elseif(NOT ZLIB_FOUND)
    set(missing "no zlib >= 1.2.9 is found (Debian: zlib1g-dev; Spack or module: zlib)")
  elseif(memstencil_hdf5 STREQUAL "parallel" AND NOT MEMSTENCIL_MPI)  # its headers include mpi.h
    set(missing "the HDF5 found is parallel and MPI is switched off (Debian: libhdf5-dev; Spack: hdf5 ~mpi)")
  endif()
  if(missing)
    message(FATAL_ERROR "${missing}: install it, or use -DMEMSTENCIL_HDF5=OFF: programs then write no results files")
  endif()
  get_target_property(memstencil_hdf5_file hdf5::hdf5 IMPORTED_LOCATION)
endif()

# Sets `name` to what a shared library calls the MPI that it (KIND NEEDED) wants or (KIND SONAME) is: libmpi.so.40.
function(memstencil_mpi_name name kind library)
  execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE section ERROR_QUIET)
  string(REGEX MATCH "[(]${kind}[)][^\n]*[[](libmpi[^]]*)[]]" found "${section}")
  set(${name} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# Programs of two MPIs abort at their start. (MPICH and its relatives share one binary interface, which they number 12.)
if(memstencil_hdf5 STREQUAL "parallel" AND MPI_C_LIBRARIES)
  list(GET MPI_C_LIBRARIES 0 mpi_library)
  memstencil_mpi_name(wanted NEEDED ${memstencil_hdf5_file})
  memstencil_mpi_name(linked SONAME ${mpi_library})
  if(wanted AND linked AND NOT wanted STREQUAL linked AND NOT "${wanted} ${linked}" MATCHES "[.]12 .*[.]12$")
    message(FATAL_ERROR "HDF5 in ${memstencil_hdf5_file} was built for another MPI (${wanted}) than the one found, "
                        "${mpi_library} (${linked}): name HDF5's compiler of that MPI with "
                        "-DHDF5_C_COMPILER_EXECUTABLE=h5pcc.mpich (as an example), or the other MPI with "
                        "-DMPI_C_COMPILER=... and -DMPIEXEC_EXECUTABLE=...")
  endif()
endif()

# memstencil_header(NAME HEADER VERSION-REGEX HINTS...): a library whose header is enough to build, because it is looked
# up at run time, so that a program starts where it is missing. Sets `memstencil_name` to the version that the header
# names, or OFF; its folder is NAME_INCLUDE_DIR.
function(memstencil_header name header regex)
  string(TOLOWER memstencil_${name} result)
  set(version OFF)
  if(MEMSTENCIL_${name})
    find_path(${name}_INCLUDE_DIR ${header} HINTS ${${name}_ROOT} ENV ${name}_ROOT ${ARGN}
              PATH_SUFFIXES include nvidia/cu13/include)
    if(${name}_INCLUDE_DIR)
      file(STRINGS ${${name}_INCLUDE_DIR}/${header} version REGEX "^#define ${regex} +[0-9]+")
      list(TRANSFORM version REPLACE "^[^0-9]*([0-9]+).*$" "\\1")
      list(JOIN version "." version)
    elseif(MEMSTENCIL_${name} STREQUAL "ON")
      message(FATAL_ERROR "MEMSTENCIL_${name}=ON, and no ${header} is found: -D${name}_ROOT=DIR names its folder")
    endif()
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

# NCCL carries messages between GPUs. (NVIDIA's package: libnccl-dev; Spack or module: nccl)
if(memstencil_cuda AND MEMSTENCIL_MPI)
  memstencil_header(NCCL nccl.h "NCCL_(MAJOR|MINOR|PATCH)" ENV NCCL_HOME)
  if(memstencil_nccl AND memstencil_nccl VERSION_LESS 2.10)
    message(FATAL_ERROR "${NCCL_INCLUDE_DIR}/nccl.h is of NCCL ${memstencil_nccl}: 2.10 or newer is needed, or "
                        "-DMEMSTENCIL_NCCL=OFF")
  endif()
elseif(MEMSTENCIL_NCCL STREQUAL "ON")
  message(FATAL_ERROR "MEMSTENCIL_NCCL=ON: it carries messages between GPUs, so the build needs CUDA and MPI")
else()
  set(memstencil_nccl OFF)
endif()
