# A Kokkos from source, as a folder of our own build: ours is installed with it, and it is built as far as needed.

# The pinned source. It comes out of a package registry (the Python package pygenten ships it), because continuous
# integration and many clusters reach nothing else; pip checks its hash.
set(pinned_version 4.7.0)
set(pinned_archive pygenten-0.1.5.tar.gz)
set(pinned_sha256 e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7)
set(pinned_folder pygenten-0.1.5/tpls/kokkos)
set(pinned_patch ${CMAKE_CURRENT_LIST_DIR}/kokkos-4.7.0-cuda13.patch)
set(pinned_requirements ${CMAKE_CURRENT_LIST_DIR}/kokkos-requirements.txt)

# Puts the archive into `deps`, unless it is there whole.
function(memstencil_download_kokkos deps)
  if(EXISTS ${deps}/${pinned_archive})
    file(SHA256 ${deps}/${pinned_archive} found)
    if(found STREQUAL pinned_sha256)
      return()
    endif()
    file(REMOVE ${deps}/${pinned_archive})  # half of it, from a run that was killed
  endif()
  if(FETCHCONTENT_FULLY_DISCONNECTED)
    message(FATAL_ERROR "Kokkos ${pinned_version} is not in .deps/ and FETCHCONTENT_FULLY_DISCONNECTED is set: use a "
                        "bundle (./quickstart bundle), or configure once where there is a network")
  endif()
  message(STATUS "Kokkos ${pinned_version}: downloading (the Python package pygenten 0.1.5 ships its source)")
  find_program(MEMSTENCIL_PYTHON NAMES python3 python DOC "Python with pip, for the download of Kokkos")
  execute_process(
    COMMAND ${MEMSTENCIL_PYTHON} -m pip download --quiet --disable-pip-version-check --no-deps
            --no-binary pygenten --require-hashes -r ${pinned_requirements} --dest ${deps}
    ERROR_VARIABLE problem OUTPUT_VARIABLE problem)
  if(NOT EXISTS ${deps}/${pinned_archive})
    message(FATAL_ERROR "Kokkos ${pinned_version} could not be downloaded with pip. Install Kokkos >= 4.7 (Spack: "
                        "kokkos; or a module) and set Kokkos_ROOT, name a source folder with "
                        "-DMEMSTENCIL_KOKKOS_SOURCE=DIR, or put ${pinned_archive} from pypi.org into ${deps}. "
                        "Needed for the download: python3 with pip (Debian: python3-pip). It said:\n${problem}")
  endif()
endfunction()

# Sets `result` to the patched source folder in .deps/, which all build folders share. Another patch makes another
# folder. It gets its name last, so that an interrupted run leaves nothing that a later one would take for whole.
function(memstencil_pinned_kokkos result)
  set(deps ${PROJECT_SOURCE_DIR}/.deps)
  file(SHA256 ${pinned_patch} patch)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pinned_patch})
  string(SUBSTRING ${patch} 0 8 patch)
  set(source ${deps}/kokkos-${pinned_version}-${patch})
  set(${result} ${source} PARENT_SCOPE)
  file(MAKE_DIRECTORY ${deps})
  file(LOCK ${deps}/lock GUARD FUNCTION TIMEOUT 600)
  if(IS_DIRECTORY ${source})
    return()
  endif()
  memstencil_download_kokkos(${deps})
  file(REMOVE_RECURSE ${deps}/unpacking)
  file(ARCHIVE_EXTRACT INPUT ${deps}/${pinned_archive} DESTINATION ${deps}/unpacking PATTERNS "${pinned_folder}/*")
  # .deps/ is ignored by our git repository, and git skips what is ignored without a word: so it must not see it.
  find_package(Git REQUIRED QUIET)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${deps}/unpacking ${GIT_EXECUTABLE} apply ${pinned_patch}
    WORKING_DIRECTORY ${deps}/unpacking/${pinned_folder} COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME ${deps}/unpacking/${pinned_folder} ${source})
  file(REMOVE_RECURSE ${deps}/unpacking)
endfunction()

# Kokkos wants the GPU's architecture by a name of its own: Kokkos_ARCH_HOPPER90 for nvcc's 90.
function(memstencil_name_gpu_architecture)
  set(names VOLTA70 VOLTA72 TURING75 AMPERE80 AMPERE86 AMPERE87 ADA89 HOPPER90 BLACKWELL100 BLACKWELL120)
  # Ours of an earlier run: CMAKE_CUDA_ARCHITECTURES may be another now, and Kokkos takes one.
  unset(Kokkos_ARCH_${memstencil_architecture} CACHE)
  foreach(name ${names})
    if(Kokkos_ARCH_${name})  # the user's own choice
      return()
    endif()
  endforeach()
  list(FILTER names INCLUDE REGEX "[A-Z]${CMAKE_CUDA_ARCHITECTURES}$")
  if(NOT names)
    message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}: Kokkos builds for one architecture, "
                        "and knows no such one (valid: 70 72 75 80 86 87 89 90 100 120)")
  endif()
  set(memstencil_architecture ${names} CACHE INTERNAL "the name that Kokkos was given")
  set(Kokkos_ARCH_${names} ON CACHE BOOL "the GPU" FORCE)
endfunction()

# Makes the targets. Sets memstencil_kokkos_build, memstencil_kokkos_origin and Kokkos_VERSION.
function(memstencil_kokkos_from_source)
  if(NOT MEMSTENCIL_KOKKOS_SOURCE)
    memstencil_pinned_kokkos(source)
    set(memstencil_kokkos_origin "pinned source" PARENT_SCOPE)
    # The trap of KokkosMdspan.cmake; this release knows no other way around it.
    set(Kokkos_ENABLE_IMPL_MDSPAN OFF CACHE BOOL "Views on mdspan" FORCE)
  elseif(EXISTS ${MEMSTENCIL_KOKKOS_SOURCE}/cmake/KokkosConfig.cmake.in)
    set(source ${MEMSTENCIL_KOKKOS_SOURCE})
    set(memstencil_kokkos_origin "source in ${source}" PARENT_SCOPE)
  else()
    message(FATAL_ERROR "MEMSTENCIL_KOKKOS_SOURCE=${MEMSTENCIL_KOKKOS_SOURCE} is not a Kokkos source folder")
  endif()
  if(memstencil_cuda)
    memstencil_name_gpu_architecture()
    set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE ON CACHE BOOL "nvcc for CUDA, not nvcc_wrapper for all" FORCE)
    string(APPEND CMAKE_CUDA_FLAGS " -std=c++20")  # Targets.cmake says why by hand
  endif()
  if(Kokkos_ARCH_ARMV9_GRACE AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    # Kokkos tries the compiler with that processor's flags, and is told that it would take them: so the preset
    # of a Grace machine can be checked on another one.
    message(WARNING "this is configured for Grace, and the compiler makes code for ${CMAKE_SYSTEM_PROCESSOR}: it "
                    "can be configured here, and built on a Grace machine only")
    set(COMPILER_SUPPORTS_NEOVERSE_V2 ON)
    set(COMPILER_SUPPORTS_SVE_VECTOR_BITS ON)
  elseif(Kokkos_ARCH_ARMV9_GRACE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Kokkos stops, too, and its advice does not work: both options together stop again.
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-mcpu=neoverse-v2 COMPILER_SUPPORTS_NEOVERSE_V2)
    if(NOT COMPILER_SUPPORTS_NEOVERSE_V2)
      message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} does not know Grace "
                          "(-mcpu=neoverse-v2): take another one (11.3 and 14.2 do), "
                          "or -DKokkos_ARCH_ARMV9_GRACE=OFF -DKokkos_ARCH_NATIVE=ON")
    endif()
  endif()
  include(CheckIncludeFileCXX)  # Kokkos 4.7.0 forgets to, on Arm with SVE in a project that has C, too
  set(CMAKE_CXX_STANDARD 20)
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
  set(build ${PROJECT_BINARY_DIR}/kokkos)
  add_subdirectory(${source} ${build} SYSTEM)  # its headers' warnings are not ours
  if(TARGET LIBDL)
    # dlfcn.h is the system's. Kokkos names its folder: in .deps/aarch64 that is a folder of ours, which CMake
    # refuses to export.
    set_property(TARGET LIBDL PROPERTY INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  set(memstencil_kokkos_build ${build} PARENT_SCOPE)
  get_directory_property(version DIRECTORY ${source} DEFINITION Kokkos_VERSION)
  set(Kokkos_VERSION ${version} PARENT_SCOPE)
endfunction()
