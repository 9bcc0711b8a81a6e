# The pinned Kokkos source: downloaded once into .deps/, verified, unpacked, patched for CUDA 13.
# It comes from a package registry because continuous integration and many clusters reach nothing else.
set(pinned_version 4.7.0)
set(pinned_archive pygenten-0.1.5.tar.gz)
set(pinned_sha256 e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7)
set(pinned_folder pygenten-0.1.5/tpls/kokkos)
set(pinned_patch ${CMAKE_CURRENT_LIST_DIR}/kokkos-4.7.0-cuda13.patch)
set(pinned_requirements ${CMAKE_CURRENT_LIST_DIR}/kokkos-requirements.txt)

# pip checks the hash of what it loads; the check here is for an archive that a user put there.
function(memstencil_download_kokkos directory)
  set(archive ${directory}/${pinned_archive})
  if(EXISTS ${archive})
    file(SHA256 ${archive} sha256)
    if(sha256 STREQUAL pinned_sha256)
      return()
    endif()
    file(REMOVE ${archive})
  endif()
  message(STATUS "Kokkos ${pinned_version}: downloading (the Python package pygenten 0.1.5 ships its source)")
  find_program(MEMSTENCIL_PYTHON NAMES python3 python DOC "Python with pip, for the download of Kokkos")
  set(partial ${directory}/partial)
  file(REMOVE_RECURSE ${partial})
  set(problem "no python3")
  if(MEMSTENCIL_PYTHON)
    execute_process(
      COMMAND ${MEMSTENCIL_PYTHON} -m pip download --quiet --disable-pip-version-check --no-deps
              --no-binary pygenten --require-hashes -r ${pinned_requirements} --dest ${partial}
      RESULT_VARIABLE failed ERROR_VARIABLE problem OUTPUT_VARIABLE problem)
  endif()
  if(NOT EXISTS ${partial}/${pinned_archive})
    message(FATAL_ERROR "Kokkos ${pinned_version} could not be downloaded with pip. Install Kokkos >= 4.7 (Spack: "
                        "kokkos; or a module) and set Kokkos_ROOT, name a source folder with "
                        "-DMEMSTENCIL_KOKKOS_SOURCE=DIR, or put ${pinned_archive} from pypi.org into ${directory}. "
                        "Needed for the download: python3 with pip (Debian: python3-pip). It said:\n${problem}")
  endif()
  file(RENAME ${partial}/${pinned_archive} ${archive})
  file(REMOVE_RECURSE ${partial})
endfunction()

function(memstencil_patch_kokkos source)
  find_package(Git REQUIRED QUIET)
  # Under the ceiling git sees no repository, and so no reason to skip an ignored folder.
  get_filename_component(above ${source} DIRECTORY)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${above} ${GIT_EXECUTABLE} apply ${pinned_patch}
    WORKING_DIRECTORY ${source} RESULT_VARIABLE failed ERROR_VARIABLE problem)
  if(failed)
    message(FATAL_ERROR "${pinned_patch} does not apply to Kokkos ${pinned_version}: ${problem}")
  endif()
endfunction()

# Sets `result` to the patched source folder. Whatever is unfinished stands in a folder of another
# name, so that an interrupted run leaves nothing that a later one would take for whole.
function(memstencil_pinned_kokkos deps result)
  file(SHA256 ${pinned_patch} patch_hash)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pinned_patch})
  string(SUBSTRING ${patch_hash} 0 8 patch_hash)
  set(source ${deps}/kokkos-${pinned_version}-${patch_hash})
  set(${result} ${source} PARENT_SCOPE)
  if(IS_DIRECTORY ${source})
    return()
  endif()
  file(MAKE_DIRECTORY ${deps})
  file(LOCK ${deps}/lock GUARD FUNCTION TIMEOUT 600)
  if(IS_DIRECTORY ${source})  # another configure run was faster
    return()
  endif()
  memstencil_download_kokkos(${deps})
  file(REMOVE_RECURSE ${deps}/unpacking)
  file(ARCHIVE_EXTRACT INPUT ${deps}/${pinned_archive} DESTINATION ${deps}/unpacking
       PATTERNS "${pinned_folder}/*")
  memstencil_patch_kokkos(${deps}/unpacking/${pinned_folder})
  file(RENAME ${deps}/unpacking/${pinned_folder} ${source})
  file(REMOVE_RECURSE ${deps}/unpacking)
endfunction()
