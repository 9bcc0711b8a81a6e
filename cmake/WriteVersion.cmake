# Script: writes the version header, only where something changed.
find_package(Git QUIET)
set(GIT_REVISION unknown)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12 --match "v[0-9]*"
                  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(GIT_REVISION ${revision})
  endif()
endif()
configure_file(${TEMPLATE} ${HEADER} @ONLY)  # leaves an equal file alone
