# Script: builds the Kokkos configured in FOLDER. Build folders that share it take turns.
file(LOCK ${FOLDER}.lock GUARD PROCESS TIMEOUT 3600)
set(jobs $ENV{CMAKE_BUILD_PARALLEL_LEVEL})
if(NOT jobs)
  cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MAKELEVEL --unset=MFLAGS
                        ${CMAKE_COMMAND} --build ${FOLDER} --parallel ${jobs}
                COMMAND_ERROR_IS_FATAL ANY)
file(TOUCH ${FOLDER}/built)
