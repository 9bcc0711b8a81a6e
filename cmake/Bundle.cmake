# Script: makes one archive of the checkout with all that a build needs, for machines without a network.
#
# SOURCE: the checkout. STAGE: a folder of its own. ARCHIVE: the result, on the same file system.
# LIBRARIES: one list a library, with "|": its name, its target, its source folder or nothing, the include folder that
# it is installed in, and its header.
cmake_minimum_required(VERSION 3.24...3.25)
find_package(Git REQUIRED QUIET)

set(folder ${STAGE}/memstencil-${VERSION})
file(REMOVE_RECURSE ${STAGE})
file(MAKE_DIRECTORY ${folder}/.deps)

# The commit, not what is edited: the revision in results has to be true.
execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} archive --output ${STAGE}/commit.tar HEAD
                COMMAND_ERROR_IS_FATAL ANY)
file(ARCHIVE_EXTRACT INPUT ${STAGE}/commit.tar DESTINATION ${folder})
execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --abbrev=12 --match "v[0-9]*"
                OUTPUT_FILE ${folder}/.deps/revision COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE edited)
if(edited)
  message(WARNING "the bundle holds the last commit; edits since then are not in it")
endif()

# Kokkos, patched, and what else the build has downloaded.
file(GLOB downloads ${SOURCE}/.deps/kokkos-* ${SOURCE}/.deps/nvml)
if(NOT downloads MATCHES "/kokkos-")
  message(FATAL_ERROR "no .deps/kokkos-* in ${SOURCE}: a bundle without Kokkos builds nowhere. This build took an "
                      "installed Kokkos; configure one with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON, and bundle that")
endif()
file(COPY ${downloads} DESTINATION ${folder}/.deps)

# A library that stands in the system is taken as headers alone, with a target of the same name.
foreach(library ${LIBRARIES})
  string(REPLACE "|" ";" library "${library}")
  list(POP_FRONT library name target sources include header)
  set(destination ${folder}/.deps/${name})
  if(sources)
    if(NOT EXISTS ${sources})
      message(FATAL_ERROR "${name} is installed without its sources (${sources}): install Debian's package, or "
                          "configure with -DCMAKE_DISABLE_FIND_PACKAGE_${name}=ON, which gets them, and bundle that")
    endif()
    file(COPY ${sources}/ DESTINATION ${destination} PATTERN .git EXCLUDE)
    continue()
  endif()
  if(NOT EXISTS ${include}/${header})
    message(FATAL_ERROR "${name}: ${header} is not in an include folder, so its headers cannot be bundled")
  endif()
  cmake_path(GET header PARENT_PATH header_folder)
  file(COPY ${include}/${header_folder} DESTINATION ${destination}/include)
  file(WRITE ${destination}/CMakeLists.txt "# Headers alone, from ${include}.
add_library(${target} INTERFACE)
add_library(${name}::${name} ALIAS ${target})
target_include_directories(${target} INTERFACE include)
target_compile_definitions(${target} INTERFACE FMT_HEADER_ONLY=1 TOML_HEADER_ONLY=1)
")
endforeach()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${folder} ${folder}/.deps/*)
set(sums)
foreach(file ${files})
  file(SHA256 ${folder}/${file} sum)
  string(APPEND sums "${sum}  ${file}\n")
endforeach()
file(WRITE ${folder}/.deps/SHA256SUMS "${sums}")

# Not in place: a run that is interrupted leaves no half of an archive under its name.
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf archive memstencil-${VERSION} WORKING_DIRECTORY ${STAGE}
                COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${STAGE}/archive ${ARCHIVE})
file(REMOVE_RECURSE ${STAGE})
message(STATUS "wrote ${ARCHIVE}")
