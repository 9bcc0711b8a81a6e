# A Kokkos from source, as a folder of our own build, so that it is installed with ours and built only as far as needed.

# The release that is taken, the newest that was run on a GPU, and releases with the hashes of their archives on GitHub:
# of 4.7.04 Spack's recipe has it, of 5.0.2 and 5.2.2 Homebrew's formula; Debian's source of 5.0.2 is the same file.
set(release 5.0.2)
set(release_sha256_4.7.04 4213b248c39e112299fa94ee08817e51126fc02996ed6e2ab56aec4cdb80ee1f)
set(release_sha256_5.0.2 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e)
set(release_sha256_5.2.2 d6557aaef39302282a15f9c770433d1fcdf4e961dfd6d9ed726b9d0d0f546b9f)
set(release_archive https://github.com/kokkos/kokkos/releases/download/${release}/kokkos-${release}.tar.gz)
set(release_sha256 ${release_sha256_${release}})
# Where only package registries are reached (many clusters, continuous integration behind a proxy): the Python package
# pygenten has the source of Kokkos 4.7.0 in it. That one needs our patch for CUDA 13.
set(registry_archive pygenten-0.1.5.tar.gz)
set(registry_folder pygenten-0.1.5/tpls/kokkos)
set(registry_patch ${CMAKE_CURRENT_LIST_DIR}/kokkos-4.7.0-cuda13.patch)

# Sets `source` to a folder in .deps/, which all build folders share: the one of a bundle or of an earlier run, or a new
# one. It gets its name last, so that an interrupted run leaves nothing that a later one would take for whole.
function(memstencil_pinned_kokkos source)
  set(deps ${PROJECT_SOURCE_DIR}/.deps)
  file(SHA256 ${registry_patch} patch)
  string(SUBSTRING ${patch} 0 8 patch)
  set(from_release ${deps}/kokkos-${release})
  set(from_registry ${deps}/kokkos-4.7.0-${patch})
  file(MAKE_DIRECTORY ${deps})
  file(LOCK ${deps}/lock GUARD FUNCTION TIMEOUT 600)
  foreach(folder ${from_release} ${from_registry})
    if(IS_DIRECTORY ${folder})
      set(${source} ${folder} PARENT_SCOPE)
      return()
    endif()
  endforeach()

  set(archive ${deps}/kokkos-${release}.tar.gz)
  memstencil_whole(${deps}/${registry_archive} ${sha256_${registry_archive}} in_registry)
  if(NOT in_registry AND NOT FETCHCONTENT_FULLY_DISCONNECTED)
    message(STATUS "Kokkos ${release}: downloading")
    file(DOWNLOAD ${release_archive} ${archive} STATUS ignored INACTIVITY_TIMEOUT 20)
    memstencil_whole(${archive} ${release_sha256} in_release)
    if(NOT in_release AND MEMSTENCIL_PYPI)
      message(STATUS "github.com is not reached: Kokkos 4.7.0 out of PyPI's pygenten (-DMEMSTENCIL_PYPI=OFF forbids it)")
      memstencil_download_from_registry(${registry_archive} in_registry)
    endif()
  endif()
  file(REMOVE_RECURSE ${deps}/unpacking)
  if(in_release)
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${deps}/unpacking)
    file(RENAME ${deps}/unpacking/kokkos-${release} ${from_release})
    set(${source} ${from_release} PARENT_SCOPE)
  elseif(in_registry)
    file(ARCHIVE_EXTRACT INPUT ${deps}/${registry_archive} DESTINATION ${deps}/unpacking PATTERNS "${registry_folder}/*")
    # .deps/ is ignored by our git repository, and git skips what is ignored without a word: so it must not see it.
    find_package(Git REQUIRED QUIET)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${deps}/unpacking ${GIT_EXECUTABLE} apply ${registry_patch}
      WORKING_DIRECTORY ${deps}/unpacking/${registry_folder} COMMAND_ERROR_IS_FATAL ANY)
    file(RENAME ${deps}/unpacking/${registry_folder} ${from_registry})
    set(${source} ${from_registry} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "no Kokkos >= 4.7 is installed, and its source cannot be had from github.com or PyPI. Install "
                        "Kokkos (Spack: kokkos; or a module) and set Kokkos_ROOT, name a source folder with "
                        "-DFETCHCONTENT_SOURCE_DIR_KOKKOS=DIR, or use a bundle (./quickstart bundle)")
  endif()
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

# Makes the targets. Sets Kokkos_VERSION, memstencil_kokkos_origin and the folders memstencil_kokkos_source and _build.
function(memstencil_kokkos_from_source)
  # Kokkos' own default is Serial alone; who asks for nothing wants the machine's cores.
  if(NOT Kokkos_ENABLE_THREADS AND NOT Kokkos_ENABLE_HPX)
    set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "Kokkos on all cores")
  endif()
  if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
    set(source ${FETCHCONTENT_SOURCE_DIR_KOKKOS})
  else()
    memstencil_pinned_kokkos(source)
  endif()
  if(source MATCHES "kokkos-4[.]7[.]0-")
    set(Kokkos_ENABLE_IMPL_MDSPAN OFF CACHE BOOL "Views on mdspan" FORCE)  # Kokkos.cmake says why
  endif()
  if(Kokkos_ENABLE_CUDA)
    memstencil_name_gpu_architecture()
    set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE ON CACHE BOOL "nvcc for CUDA, not nvcc_wrapper for all" FORCE)
    string(APPEND CMAKE_CUDA_FLAGS " -std=c++20")  # Targets.cmake says why by hand
    if(CMAKE_VERSION VERSION_LESS 3.25.2)
      set(CMAKE_VERSION 3.25.2)  # Kokkos 5 asks for the first that knows nvcc's C++20, which it is told here
    endif()
  endif()
  include(CheckIncludeFileCXX)  # Kokkos 4.7.0 forgets to, on Arm with SVE in a project that has C, too
  set(CMAKE_CXX_STANDARD 20)
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)  # with which it was tried; ours are more
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
  # Below a folder of ours: another Kokkos may stand in the prefix, and no command of Kokkos' is one of ours. (Headers of
  # a Kokkos within another project have a folder of their own, include/kokkos.)
  set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR}/memstencil)
  set(CMAKE_INSTALL_BINDIR ${CMAKE_INSTALL_LIBDIR}/bin)
  set(build ${PROJECT_BINARY_DIR}/kokkos)
  add_subdirectory(${source} ${build} SYSTEM)  # its headers' warnings are not ours
  if(TARGET LIBDL)
    # dlfcn.h is the system's. Kokkos names its folder: in .deps/aarch64 that is a folder of ours, which CMake
    # refuses to export.
    set_property(TARGET LIBDL PROPERTY INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  if(TARGET impl_git_version)
    # Only Kokkos' own benchmarks use it, and its command breaks in a folder whose name has a parenthesis.
    set_property(TARGET impl_git_version PROPERTY EXCLUDE_FROM_ALL ON)
  endif()
  set(memstencil_kokkos_build ${build} PARENT_SCOPE)
  set(memstencil_kokkos_source ${source} PARENT_SCOPE)
  set(memstencil_kokkos_origin "source in ${source}" PARENT_SCOPE)
  get_directory_property(version DIRECTORY ${source} DEFINITION Kokkos_VERSION)
  set(Kokkos_VERSION ${version} PARENT_SCOPE)
endfunction()
