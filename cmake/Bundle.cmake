# The target `bundle` (./quickstart bundle): one archive in the build folder with the checkout and all that a build needs
# but compiler, CMake, MPI and HDF5, for machines without a network. It is unpacked and built there like any checkout:
# cmake --preset cuda. This file runs a second time, as the target's script.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  # Each library as headers alone, which all of them can be: name|target|include folder|folder of its headers.
  set(libraries)
  foreach(library "CLI11|CLI11|CLI/CLI.hpp" "tomlplusplus|tomlplusplus_tomlplusplus|toml++/toml.h" "fmt|fmt|fmt/format.h"
                  "nlohmann_json|nlohmann_json|nlohmann/json.hpp")
    string(REPLACE "|" ";" library ${library})
    list(GET library 0 name)
    list(GET library 1 target)
    list(GET library 2 header)
    FetchContent_GetProperties(${name} SOURCE_DIR source)
    find_path(include ${header} HINTS ${source}/include NO_CACHE)
    cmake_path(GET header PARENT_PATH header)
    list(APPEND libraries "${name}|${target}|${include}|${header}")
    unset(include)
  endforeach()
  set(googletest /usr/src/googletest)  # where Debian and Ubuntu put it
  FetchContent_GetProperties(GTest SOURCE_DIR source)
  if(source)
    set(googletest ${source})
  endif()
  add_custom_target(bundle
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
            -DSTAGE=${PROJECT_BINARY_DIR}/bundle -DKOKKOS=${memstencil_kokkos_source} "-DLIBRARIES=${libraries}"
            -DGOOGLETEST=${googletest} -P ${CMAKE_CURRENT_LIST_FILE}
    VERBATIM)
  return()
endif()

cmake_minimum_required(VERSION 3.25)
find_package(Git REQUIRED QUIET)
set(folder ${STAGE}/memstencil-${VERSION})
set(archive memstencil-${VERSION}-bundle.tar.gz)
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

if(NOT KOKKOS MATCHES "/[.]deps/kokkos-")
  message(FATAL_ERROR "a bundle without Kokkos builds nowhere, and this build has one of its own choice: configure one "
                      "with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON, and bundle that")
endif()
file(COPY ${KOKKOS} DESTINATION ${folder}/.deps)
# A folder for CMake of headers alone, which stand in its include/.
function(memstencil_headers_alone folder name target)
  file(WRITE ${folder}/CMakeLists.txt "# Headers alone.
add_library(${target} INTERFACE)
add_library(${name}::${name} ALIAS ${target})
target_include_directories(${target} INTERFACE include)
target_compile_definitions(${target} INTERFACE FMT_HEADER_ONLY=1 TOML_HEADER_ONLY=1)
")
endfunction()
foreach(library ${LIBRARIES})
  string(REPLACE "|" ";" library "${library}")
  list(POP_FRONT library name target include headers)
  file(COPY ${include}/${headers} DESTINATION ${folder}/.deps/${name}/include)
  memstencil_headers_alone(${folder}/.deps/${name} ${name} ${target})
endforeach()
file(COPY ${GOOGLETEST}/ DESTINATION ${folder}/.deps/GTest PATTERN .git EXCLUDE)

execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${archive} memstencil-${VERSION} WORKING_DIRECTORY ${STAGE}
                COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${STAGE}/${archive} ${STAGE}/../${archive})  # a run that is interrupted leaves no half of one
file(REMOVE_RECURSE ${STAGE})
