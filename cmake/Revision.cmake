# Sets `revision` to git's description of the sources, or to "unknown"; and `doubt` to why results cannot say what they
# were measured with, or to nothing.
function(memstencil_revision source revision doubt)
  find_package(Git QUIET)
  file(REAL_PATH ${source} source)
  set(found unknown)
  if(GIT_FOUND)
    # Of another user's checkout, too: in this folder nothing is run but these two questions.
    set(git ${GIT_EXECUTABLE} -c safe.directory=${source} -C ${source})
    # Where a folder lies below the top of its working tree; a checkout of ours is that top. Sources that were unpacked
    # inside another repository are not, and that repository's revision says nothing of them.
    execute_process(COMMAND ${git} rev-parse --show-prefix OUTPUT_VARIABLE below_top OUTPUT_STRIP_TRAILING_WHITESPACE
                    ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND below_top STREQUAL "")
      execute_process(COMMAND ${git} describe --always --dirty --abbrev=12 --match "v[0-9]*" OUTPUT_VARIABLE described
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
      if(NOT failed)
        set(found ${described})
      endif()
    endif()
  endif()
  # A bundle has its revision in .deps/; any archive of a commit has git's or GitHub's word for it.
  foreach(file .deps/revision cmake/archived-revision)
    if(found STREQUAL "unknown" AND EXISTS ${source}/${file})
      file(STRINGS ${source}/${file} line LIMIT_COUNT 1)
      if(line MATCHES "^[0-9a-f]+$")  # in a checkout it is git's "$Format..."
        string(SUBSTRING ${line} 0 12 line)
      endif()
      if(NOT line MATCHES "Format")
        set(found ${line})
      endif()
    endif()
  endforeach()
  set(${revision} ${found} PARENT_SCOPE)
  set(${doubt} "" PARENT_SCOPE)
  if(found STREQUAL "unknown")
    set(${doubt} "no repository and no archive of a commit: results cannot say which sources they were measured with" PARENT_SCOPE)
  elseif(found MATCHES "-dirty$")
    set(${doubt} "results cannot say which edits they were measured with" PARENT_SCOPE)
  endif()
endfunction()
