# Configures a Kokkos from source in .deps/, and builds it as the first step of our own build.
#
# Not add_subdirectory: Kokkos then compiles once for all build folders (openmp, sanitize and the
# user's own share it; with CUDA it is minutes), `rm -rf build` does not cost it, and its options and
# warnings stay out of our project. Not built at configure time either: a preset for another
# processor can then be configured here, and the build tool's own job control serves both.
include(PinnedKokkos)

# Every choice about Kokkos, as arguments for its configure run.
function(memstencil_kokkos_arguments result)
  set(arguments -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF)
  set(passed CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_CXX_STANDARD CMAKE_CXX_EXTENSIONS CMAKE_TOOLCHAIN_FILE
             CMAKE_PREFIX_PATH)
  if(memstencil_cuda)
    list(APPEND arguments -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON)
    list(APPEND passed CMAKE_CUDA_COMPILER CMAKE_CUDA_HOST_COMPILER CMAKE_CUDA_FLAGS CMAKE_CUDA_STANDARD
                       CMAKE_CUDA_EXTENSIONS CMAKE_CUDA_ARCHITECTURES CUDAToolkit_ROOT)
  endif()
  if(NOT MEMSTENCIL_KOKKOS_SOURCE)
    # The trap of KokkosChecks.cmake; this release knows no other way around it.
    list(APPEND arguments -DKokkos_ENABLE_IMPL_MDSPAN=OFF -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON)
  endif()
  get_cmake_property(cached CACHE_VARIABLES)
  list(FILTER cached INCLUDE REGEX "^Kokkos_(ENABLE|ARCH)_")
  list(APPEND cached Kokkos_ENABLE_SERIAL Kokkos_ENABLE_OPENMP)
  list(REMOVE_DUPLICATES cached)
  foreach(variable ${passed} ${cached})
    if(NOT "${${variable}}" STREQUAL "")
      string(REPLACE ";" "\\;" value "${${variable}}")
      list(APPEND arguments "-D${variable}=${value}")
    endif()
  endforeach()
  set(${result} "${arguments}" PARENT_SCOPE)
endfunction()

# Builds of the same Kokkos for different machines must not meet in one folder; "native" is another
# processor on each machine that shares the checkout, so the compiler is asked what it stands for.
function(memstencil_kokkos_folder source arguments result)
  set(key "${source};${arguments};${CMAKE_CXX_COMPILER_VERSION};${CMAKE_CUDA_COMPILER_VERSION}")
  if(Kokkos_ARCH_NATIVE)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -Q --help=target
                    OUTPUT_VARIABLE native ERROR_VARIABLE native)
    string(APPEND key ";${native}")
  endif()
  string(SHA256 key "${key}")
  string(SUBSTRING ${key} 0 10 key)
  string(REPLACE ";" "-" backends "${kokkos_devices}")
  string(TOLOWER "build-${backends}-${key}" name)
  set(${result} ${PROJECT_SOURCE_DIR}/.deps/${name} PARENT_SCOPE)
endfunction()

# Sets `directory` to the folder of a configured Kokkos and `origin` to where its source is from.
function(memstencil_configure_kokkos directory origin)
  if(MEMSTENCIL_KOKKOS_SOURCE)
    set(source ${MEMSTENCIL_KOKKOS_SOURCE})
    if(NOT EXISTS ${source}/cmake/KokkosConfig.cmake.in)
      message(FATAL_ERROR "MEMSTENCIL_KOKKOS_SOURCE=${source} is not a Kokkos source folder")
    endif()
    set(${origin} "source in ${source}" PARENT_SCOPE)
  else()
    memstencil_pinned_kokkos(${PROJECT_SOURCE_DIR}/.deps source)
    set(${origin} "pinned source" PARENT_SCOPE)
  endif()
  memstencil_kokkos_arguments(arguments)
  memstencil_kokkos_folder(${source} "${arguments}" folder)
  set(${directory} ${folder} PARENT_SCOPE)
  file(LOCK ${folder}.lock GUARD FUNCTION TIMEOUT 600)
  if(EXISTS ${folder}/configured)
    return()
  endif()
  message(STATUS "Kokkos: configuring ${source} in ${folder}")
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${source} -B ${folder} ${arguments}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(WRITE ${folder}/configure.log "${output}")
  if(failed)
    message(FATAL_ERROR "Kokkos could not be configured (${folder}/configure.log):\n${output}")
  endif()
  file(TOUCH ${folder}/configured)
endfunction()

# Makes everything that links Kokkos wait for its build.
function(memstencil_build_kokkos folder)
  set(libraries)
  foreach(target Kokkos::kokkoscore Kokkos::kokkoscontainers Kokkos::kokkossimd)
    get_target_property(library ${target} IMPORTED_LOCATION_RELEASE)
    list(APPEND libraries ${library})
  endforeach()
  add_custom_command(
    OUTPUT ${libraries}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -P ${PROJECT_SOURCE_DIR}/cmake/BuildKokkos.cmake
    COMMENT "Building Kokkos in ${folder}" USES_TERMINAL VERBATIM)
  add_custom_target(build_kokkos DEPENDS ${libraries})
  add_dependencies(Kokkos::kokkoscore build_kokkos)
endfunction()
