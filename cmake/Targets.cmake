# The kinds of target there are: memstencil_library, memstencil_program, memstencil_test.
#
# SOURCES are plain C++. KOKKOS are the .cpp files that include Kokkos_Core.hpp: where Kokkos has CUDA,
# they and only they are compiled as CUDA. CUDA are native .cu files, dropped where Kokkos has no CUDA.
# LINK names targets; it is public, because our headers include our dependencies' headers.

# Replaces the sources in the list `result` by files of the build folder that include up to four of them each: nvcc
# reads Kokkos for each file three times.
function(memstencil_together name result)
  set(count 0)
  set(files)
  foreach(source ${${result}})
    cmake_path(ABSOLUTE_PATH source)
    math(EXPR number "${count} / 4")
    math(EXPR count "${count} + 1")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/together/${name}_${number}.cu)
    if(NOT file IN_LIST files)
      list(APPEND files ${file})
      set(text_${number})
    endif()
    string(APPEND text_${number} "#include \"${source}\"\n")
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${number}}" @ONLY)
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

function(memstencil_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;KOKKOS;CUDA;LINK")
  if(memstencil_cuda AND CMAKE_UNITY_BUILD)
    # CMake does so with C++ alone before 3.31, and would put these together once more from there on.
    memstencil_together(${name} arg_KOKKOS)
    set_source_files_properties(${arg_KOKKOS} ${arg_CUDA} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  elseif(memstencil_cuda)
    set_source_files_properties(${arg_KOKKOS} PROPERTIES LANGUAGE CUDA)
  endif()
  # Alone where others are compiled together: they stand in for each other, with the same names.
  set(alone ${arg_SOURCES} ${arg_KOKKOS})
  list(FILTER alone INCLUDE REGEX "(_none|_single|_host|host_only_.*)[.]cpp$")
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${name} PRIVATE ${arg_SOURCES} ${arg_KOKKOS})
  if(memstencil_cuda)
    target_sources(${name} PRIVATE ${arg_CUDA})
    target_compile_definitions(${name} PRIVATE MEMSTENCIL_CUDA)
  endif()
  target_link_libraries(${name} PRIVATE memstencil_options)
  # By hand: CMake 3.25 does not know that nvcc has C++20. Public, for users of the installed headers.
  target_compile_options(${name} PUBLIC $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  target_link_libraries(${name} PUBLIC ${arg_LINK})
  if(arg_KOKKOS OR arg_CUDA)
    target_link_libraries(${name} PUBLIC Kokkos::kokkos)
  endif()
endfunction()

# memstencil_library(NAME [SOURCES ...] [KOKKOS ...] [CUDA ...] [LINK ...])
function(memstencil_library name)
  add_library(${name} STATIC)
  memstencil_target(${name} ${ARGN})
endfunction()

# For a target without loops that are timed: -O3 takes half as long again to compile.
function(memstencil_untimed name)
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()

# memstencil_package(NAME [HEADERS ...]): installs a library for other projects, as memstencil::NAME. Its headers are
# included as here ("memory_spaces/buffer.hpp"); the target all_verify_interface_header_sets compiles each alone.
function(memstencil_package name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS")
  add_library(memstencil::${name} ALIAS ${name})  # for a parent project
  target_sources(${name} INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON OUTPUT_NAME memstencil_${name})
  install(TARGETS ${name} EXPORT memstencil ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memstencil)
endfunction()

# memstencil_program(NAME [PREFIXED] [SOURCES ...] [KOKKOS ...] [CUDA ...] [LINK ...]) -> build/bin/NAME; the target
# `programs` has them all. PREFIXED: it is installed as memstencil-NAME, because other packages have commands of that
# name; build/bin/NAME is a link to it.
add_custom_target(programs)
function(memstencil_program name)
  add_executable(${name})
  if("${ARGV1}" STREQUAL PREFIXED)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME memstencil-${name})
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} -E create_symlink memstencil-${name} $<TARGET_FILE_DIR:${name}>/${name})
  endif()
  memstencil_target(${name} ${ARGN})
  add_dependencies(programs ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endfunction()

# memstencil_test(NAME IN unit|ranks|kokkos [SOURCES ...] [KOKKOS ...] [LINK ...] [RANKS 1 2 4])
# GoogleTests: one entry of ctest, which is a process of its own for the tests of these files, with RANKS once under
# mpirun for each number of ranks (one alone where there is no MPI). The program is one of three, which
# tests/CMakeLists.txt links and which differ in what their main() starts: nothing, the ranks, the ranks and Kokkos.
# A program that cannot run here as a whole exits with 77 and counts as skipped. The label is that of the program;
# in a build for CUDA what starts Kokkos needs a GPU and has the label gpu, too.
function(memstencil_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "IN" "SOURCES;KOKKOS;LINK;RANKS")
  add_library(${name} OBJECT)
  memstencil_target(${name} SOURCES ${arg_SOURCES} KOKKOS ${arg_KOKKOS} LINK ${arg_LINK} GTest::gtest)
  memstencil_untimed(${name})
  set_property(GLOBAL APPEND PROPERTY memstencil_tests_in_${arg_IN} ${name})
  set(files)
  foreach(source ${arg_SOURCES} ${arg_KOKKOS})
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    list(APPEND files ${source})
  endforeach()
  set(labels ${arg_IN})
  if(memstencil_cuda AND arg_IN STREQUAL "kokkos")
    list(APPEND labels gpu)
  endif()
  if(NOT arg_RANKS)
    add_test(NAME ${name} COMMAND ${arg_IN}_tests ${files})
    memstencil_test_properties(${name} 1 "${labels}")
    if(MEMSTENCIL_SANITIZE AND arg_IN STREQUAL "unit")  # it starts no MPI: see below
      set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=)
    endif()
    return()
  endif()
  foreach(ranks ${arg_RANKS})
    if(memstencil_mpi)
      add_test(NAME ${name}.np${ranks}
               COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${memstencil_mpiexec_flags}
                       ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${arg_IN}_tests> ${files})
    elseif(ranks EQUAL 1)
      add_test(NAME ${name}.np1 COMMAND ${arg_IN}_tests ${files})
    else()
      continue()
    endif()
    memstencil_test_properties(${name}.np${ranks} ${ranks} "${labels}")
    set_property(TEST ${name}.np${ranks} APPEND PROPERTY ENVIRONMENT TEST_RANKS=${ranks})
  endforeach()
endfunction()

# For tests that are scripts, too. Two threads a rank: enough to find races. They wait without spinning and
# count as one processor, because tests share few cores and mostly start programs. Three ranks and more have one thread
# each: with two, half of the time of a small grid went into changing threads.
# Scripts take longest. They begin first, also where ctest knows no times of an earlier run: none is left for the end.
function(memstencil_test_properties test ranks labels)
  set(threads 2)
  if(ranks GREATER 2)
    set(threads 1)
  endif()
  if(labels MATCHES "cli|docs")
    set_tests_properties(${test} PROPERTIES COST 10)
  endif()
  set(environment OMP_NUM_THREADS=${threads} OMP_PROC_BIND=false OMP_WAIT_POLICY=passive)
  if(memstencil_mpi)
    # Programs of Open MPI share a session folder: the end of one may take it from another that starts. After a failure
    # mpirun waits a second or two for the other ranks before it kills them.
    set(session ${PROJECT_BINARY_DIR}/sessions/${test})
    file(MAKE_DIRECTORY ${session})
    list(APPEND environment OMPI_MCA_orte_tmpdir_base=${session} OMPI_MCA_odls_base_sigkill_timeout=0)
  endif()
  if(memstencil_mpi AND NOT memstencil_cuda)
    # Most tests start many short runs. Open MPI starts faster without its network transports, which carry nothing
    # within a node but GPU memory. A rank that waits lets those that share its core go on. (Not
    # ess_singleton_isolated: all programs then share one session folder, and one's end takes it from another.)
    list(APPEND environment OMPI_MCA_pml=^cm,ucx OMPI_MCA_mpi_yield_when_idle=1)
  endif()
  if(MEMSTENCIL_SANITIZE)
    # Open MPI keeps what it allocated at its start until the process ends, and only the slow
    # unwinder (seven times as slow) finds its way out of the modules it loads. Thread-local storage of those modules is
    # found by intercepting __tls_get_addr and guessing the sizes: guessed wrong, as now and then on several
    # ranks, the leak check itself crashes.
    set(leaks fast_unwind_on_malloc=0)
    if(NOT MEMSTENCIL_LEAKS)
      set(leaks detect_leaks=0)
    endif()
    list(APPEND environment
      "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan-suppressions.txt:print_suppressions=0"
      "ASAN_OPTIONS=${leaks}:intercept_tls_get_addr=0" "UBSAN_OPTIONS=print_stacktrace=1")
  endif()
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" LABELS "${labels}"
                       PROCESSORS ${ranks} SKIP_RETURN_CODE 77 TIMEOUT 1800)
endfunction()

# Flags that let any number of ranks start anywhere, which Open MPI refuses unless told.
set(memstencil_mpiexec_flags)
if(memstencil_mpi)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version ERROR_QUIET)
  if(mpiexec_version MATCHES "Open MPI|OpenRTE")
    set(memstencil_mpiexec_flags --oversubscribe --allow-run-as-root --bind-to none)
  endif()
endif()

# build/generated/version.hpp. Made at build time by a step that always runs and writes only what
# changed: a commit recompiles the one file that includes it.
list(JOIN Kokkos_ARCH " " kokkos_architecture)
foreach(language CXX CUDA)
  set(flags_${language} "${CMAKE_${language}_FLAGS}")
  set(types ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
  list(REMOVE_DUPLICATES types)
  foreach(type ${types})
    string(TOUPPER ${type} upper)
    string(APPEND flags_${language} "$<$<CONFIG:${type}>: ${CMAKE_${language}_FLAGS_${upper}}>")
  endforeach()
endforeach()
add_custom_target(memstencil_version
  COMMAND ${CMAKE_COMMAND}
    -DVERSION=${PROJECT_VERSION} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/version.hpp.in
    -DHEADER=${PROJECT_BINARY_DIR}/generated/version.hpp
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -DBUILD_TYPE=$<CONFIG> "-DCXX_FLAGS=${flags_CXX}" "-DCUDA_FLAGS=${flags_CUDA}"
    -DKOKKOS_VERSION=${Kokkos_VERSION} "-DKOKKOS_ARCHITECTURE=${kokkos_architecture}"
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/version.hpp
  COMMENT "Asking git for the revision" VERBATIM)
add_library(memstencil_version_header INTERFACE)
target_include_directories(memstencil_version_header INTERFACE ${PROJECT_BINARY_DIR}/generated)
add_dependencies(memstencil_version_header memstencil_version)
