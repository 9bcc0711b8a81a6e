# Script: writes the version header, only where something changed.
find_package(Git QUIET)
set(GIT_REVISION unknown)
if(GIT_FOUND)
  # Where a folder lies below the top of its working tree; a checkout of ours is that top. Sources that were unpacked
  # inside another repository are not, and that repository's revision says nothing of them.
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --show-prefix
                  OUTPUT_VARIABLE below_top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND below_top STREQUAL "")
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12 --match "v[0-9]*"
                    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(GIT_REVISION ${revision})
    endif()
  endif()
endif()
if(GIT_REVISION STREQUAL "unknown" AND EXISTS ${SOURCE}/.deps/revision)  # of a bundle, which has no repository
  file(STRINGS ${SOURCE}/.deps/revision GIT_REVISION LIMIT_COUNT 1)
endif()
foreach(flags CXX_FLAGS CUDA_FLAGS)
  string(STRIP "${${flags}}" ${flags})
endforeach()
configure_file(${TEMPLATE} ${HEADER} @ONLY)  # leaves an equal file alone
