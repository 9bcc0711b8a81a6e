# Every dependency but Kokkos, named once: version, where it comes from, what to install where it is missing.
include(FetchContent)

# An installed package, otherwise the copy in .deps/ of a bundle, otherwise the pinned commit of its git repository
# (header libraries and GoogleTest: what users without root on a cluster lack). FETCHCONTENT_SOURCE_DIR_<NAME> and
# FETCHCONTENT_FULLY_DISCONNECTED work as usual. HEADER is one of its headers, and SYSTEM_SOURCE the folder of its
# sources where the package has them: for the target `bundle`.
function(memstencil_dependency name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VERSION;REPOSITORY;COMMIT;DEBIAN;SPACK;SYSTEM_SOURCE;HEADER" "TARGETS")
  string(TOLOWER ${name} lower)
  string(TOUPPER ${name} upper)
  list(GET arg_TARGETS 0 target)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS ${PROJECT_SOURCE_DIR}/.deps/${name}/CMakeLists.txt)
    set(bundled ${PROJECT_SOURCE_DIR}/.deps/${name})
  endif()
  FetchContent_Declare(${name} GIT_REPOSITORY ${arg_REPOSITORY} GIT_TAG ${arg_COMMIT})
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper})
    find_package(${name} ${arg_VERSION} QUIET)
    if(${name}_FOUND)
      message(STATUS "${name} ${${name}_VERSION} in ${${name}_DIR}")
      find_path(include ${arg_HEADER} NO_CACHE)
      set_property(GLOBAL APPEND PROPERTY memstencil_bundled
                   "${name}|${target}|${arg_SYSTEM_SOURCE}|${include}|${arg_HEADER}")
      return()
    endif()
    if(bundled)
      set(FETCHCONTENT_SOURCE_DIR_${upper} ${bundled})
    endif()
    string(CONCAT hint "install it (Debian: ${arg_DEBIAN}; Spack or module: ${arg_SPACK}), or name a source folder with "
                       "-DFETCHCONTENT_SOURCE_DIR_${upper}=DIR")
    set(fetched ${FETCHCONTENT_BASE_DIR}/${lower}-src)
    if(NOT bundled AND NOT EXISTS ${fetched}/CMakeLists.txt)
      if(FETCHCONTENT_FULLY_DISCONNECTED)
        message(FATAL_ERROR "${name} >= ${arg_VERSION} is missing and FETCHCONTENT_FULLY_DISCONNECTED is set: ${hint}")
      endif()
      # Asked first, because a failing FetchContent says it in a page of output.
      find_package(Git QUIET)
      execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_TERMINAL_PROMPT=0
                              ${GIT_EXECUTABLE} ls-remote ${arg_REPOSITORY} HEAD
                      TIMEOUT 60 RESULT_VARIABLE unreachable OUTPUT_QUIET ERROR_QUIET)
      if(unreachable)
        message(FATAL_ERROR "${name} >= ${arg_VERSION} is missing and ${arg_REPOSITORY} cannot be reached: ${hint}")
      endif()
    endif()
  endif()
  if(bundled)
    message(STATUS "${name} in .deps/, from the bundle")
  else()
    message(STATUS "${name} from source (${arg_REPOSITORY})")
  endif()
  FetchContent_MakeAvailable(${name})
  set_property(GLOBAL APPEND PROPERTY memstencil_bundled "${name}|${target}|${${lower}_SOURCE_DIR}||")
  # Their headers' warnings are not ours. (FetchContent_Declare's SYSTEM breaks CMake 3.25.1's download.)
  set_target_properties(${arg_TARGETS} PROPERTIES SYSTEM ON)
endfunction()

# The commits are the versions of Debian 12, so that both ways compile the same code.
memstencil_dependency(CLI11 VERSION 2.1.2 DEBIAN libcli11-dev SPACK cli11 TARGETS CLI11 HEADER CLI/CLI.hpp
  REPOSITORY https://github.com/CLIUtils/CLI11.git COMMIT 70f8072f9dd2292fd0b9f9e5f58e279f60483ed3)
memstencil_dependency(tomlplusplus VERSION 3.3.0 DEBIAN libtomlplusplus-dev SPACK tomlplusplus TARGETS tomlplusplus_tomlplusplus
  HEADER toml++/toml.h
  REPOSITORY https://github.com/marzer/tomlplusplus.git COMMIT c635f218c0aefc801d9748841930365e54fe3089)
memstencil_dependency(fmt VERSION 9.1.0 DEBIAN libfmt-dev SPACK fmt TARGETS fmt HEADER fmt/format.h
  REPOSITORY https://github.com/fmtlib/fmt.git COMMIT a33701196adfad74917046096bf5a2aa0ab0bb50)
memstencil_dependency(nlohmann_json VERSION 3.11.2 DEBIAN nlohmann-json3-dev SPACK nlohmann-json TARGETS nlohmann_json
  HEADER nlohmann/json.hpp
  REPOSITORY https://github.com/nlohmann/json.git COMMIT bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d)
if(BUILD_TESTING)
  set(INSTALL_GTEST OFF)
  memstencil_dependency(GTest VERSION 1.12.1 DEBIAN libgtest-dev SPACK googletest TARGETS gtest gtest_main
  HEADER gtest/gtest.h SYSTEM_SOURCE /usr/src/googletest
    REPOSITORY https://github.com/google/googletest.git COMMIT 58d77fa8070e8cec2dc1ed015d66b454c8d78850)
endif()

# cmake --build BUILD --target bundle: one archive in BUILD that builds without a network (./quickstart bundle).
get_property(memstencil_bundled GLOBAL PROPERTY memstencil_bundled)
add_custom_target(bundle
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DSTAGE=${PROJECT_BINARY_DIR}/bundle "-DLIBRARIES=${memstencil_bundled}"
          -DARCHIVE=${PROJECT_BINARY_DIR}/memstencil-${PROJECT_VERSION}-bundle.tar.gz
          -P ${PROJECT_SOURCE_DIR}/cmake/Bundle.cmake
  VERBATIM)


# MPI: sets memstencil_mpi. The C bindings: they are the ones that the standard keeps.
set(memstencil_mpi OFF)
if(NOT MEMSTENCIL_MPI STREQUAL "OFF")
  find_package(MPI 3.0 QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(memstencil_mpi ON)
  elseif(MEMSTENCIL_MPI STREQUAL "ON")
    message(FATAL_ERROR "MEMSTENCIL_MPI=ON and no MPI is found: install one (Debian: libopenmpi-dev; Spack or "
                        "module: openmpi), or use -DMEMSTENCIL_MPI=OFF for one rank")
  endif()
endif()

# HDF5: sets memstencil_hdf5 to parallel, serial, or OFF, and memstencil_hdf5_why for OFF.
set(memstencil_hdf5 OFF)
set(memstencil_hdf5_why "MEMSTENCIL_HDF5=OFF")
if(NOT MEMSTENCIL_HDF5 STREQUAL "OFF")
  set(HDF5_PREFER_PARALLEL ${memstencil_mpi})
  find_package(HDF5 1.10.2 QUIET COMPONENTS C)
  find_package(ZLIB 1.2.9 QUIET)  # the checksum of a results file
  if(NOT HDF5_FOUND)
    set(memstencil_hdf5_why "no HDF5 is found (Debian: libhdf5-openmpi-dev, or libhdf5-dev without MPI; Spack or module: hdf5)")
  elseif(NOT ZLIB_FOUND)
    set(memstencil_hdf5_why "no zlib >= 1.2.9 is found (Debian: zlib1g-dev; Spack or module: zlib)")
  elseif(HDF5_IS_PARALLEL AND NOT memstencil_mpi)
    # Its headers include mpi.h.
    set(memstencil_hdf5_why "the HDF5 found is parallel and MPI is not used (Debian: libhdf5-dev; Spack: hdf5 ~mpi)")
  elseif(HDF5_IS_PARALLEL)
    set(memstencil_hdf5 parallel)
  else()
    set(memstencil_hdf5 serial)
  endif()
  if(MEMSTENCIL_HDF5 STREQUAL "ON" AND NOT memstencil_hdf5)
    message(FATAL_ERROR "MEMSTENCIL_HDF5=ON, but ${memstencil_hdf5_why}")
  endif()
endif()

# NCCL: sets memstencil_nccl to the version of its header (in NCCL_INCLUDE_DIR) or OFF, and memstencil_nccl_why for OFF.
# The header alone: the library is looked up when a run wants it, so that a program starts where it is missing.
set(memstencil_nccl OFF)
set(memstencil_nccl_why "MEMSTENCIL_NCCL=OFF")
if(NOT MEMSTENCIL_NCCL STREQUAL "OFF")
  find_path(NCCL_INCLUDE_DIR nccl.h
            HINTS ${NCCL_ROOT} ${NCCL_HOME} ENV NCCL_ROOT ENV NCCL_HOME PATH_SUFFIXES include)
  if(NOT memstencil_cuda OR NOT memstencil_mpi)
    set(memstencil_nccl_why "it carries messages between GPUs: the build needs CUDA and MPI")
  elseif(NOT NCCL_INCLUDE_DIR)
    set(memstencil_nccl_why "no nccl.h is found (NVIDIA's package: libnccl-dev; Spack or module: nccl; or name its folder with -DNCCL_ROOT=DIR)")
  else()
    file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h nccl_numbers REGEX "^#define NCCL_(MAJOR|MINOR|PATCH) +[0-9]+")
    list(TRANSFORM nccl_numbers REPLACE "^[^0-9]*([0-9]+).*$" "\\1")
    list(JOIN nccl_numbers "." nccl_version)
    if(nccl_version VERSION_LESS 2.10)
      set(memstencil_nccl_why "${NCCL_INCLUDE_DIR}/nccl.h is of version ${nccl_version}: 2.10 or newer is needed")
    else()
      set(memstencil_nccl ${nccl_version})
    endif()
  endif()
  if(MEMSTENCIL_NCCL STREQUAL "ON" AND NOT memstencil_nccl)
    message(FATAL_ERROR "MEMSTENCIL_NCCL=ON, but ${memstencil_nccl_why}")
  endif()
endif()

# NVML: sets memstencil_nvml to the version of its header (in NVML_INCLUDE_DIR) or OFF, and memstencil_nvml_why for OFF.
# The header alone, which needs no CUDA: the driver brings the library, which is looked up at run time.
set(memstencil_nvml OFF)
set(memstencil_nvml_why "MEMSTENCIL_NVML=OFF")
if(NOT MEMSTENCIL_NVML STREQUAL "OFF")
  # .deps/nvml: pip install --target .deps/nvml nvidia-nvml-dev
  find_path(NVML_INCLUDE_DIR nvml.h
            HINTS ${NVML_ROOT} ENV NVML_ROOT ${CUDAToolkit_INCLUDE_DIRS} ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}
                  ENV CUDA_HOME /usr/local/cuda ${PROJECT_SOURCE_DIR}/.deps/nvml
            PATH_SUFFIXES include nvidia/cu13/include)
  if(NVML_INCLUDE_DIR)
    file(STRINGS ${NVML_INCLUDE_DIR}/nvml.h nvml_version REGEX "^#define NVML_API_VERSION +[0-9]+")
    string(REGEX REPLACE "^[^0-9]*([0-9]+).*$" "\\1" memstencil_nvml "${nvml_version}")
  else()
    set(memstencil_nvml_why "no nvml.h is found (it is part of the CUDA toolkit and of PyPI's nvidia-nvml-dev; or name its folder with -DNVML_ROOT=DIR)")
  endif()
  if(MEMSTENCIL_NVML STREQUAL "ON" AND NOT memstencil_nvml)
    message(FATAL_ERROR "MEMSTENCIL_NVML=ON, but ${memstencil_nvml_why}")
  endif()
endif()
