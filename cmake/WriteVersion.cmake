# Script: writes the version header, only if something changed.
include(${CMAKE_CURRENT_LIST_DIR}/Revision.cmake)
memstencil_revision(${SOURCE} GIT_REVISION doubt)
foreach(flags CXX_FLAGS CUDA_FLAGS)
  string(STRIP "${${flags}}" ${flags})
endforeach()
configure_file(${TEMPLATE} ${HEADER} @ONLY)  # leaves an equal file alone
