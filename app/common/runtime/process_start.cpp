// What a process sets right, before it does anything else.
#include "app/common/runtime/process_start.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace memstencil {

void start_process() {
  // A write beyond the limit fails with EFBIG, which becomes a line. The signal would end the
  // program in silence.
  std::signal(SIGXFSZ, SIG_IGN);
  // A pipe or a file that is opened later would get the number of the closed stream, and take what
  // is meant for that. What stands there now refuses to be read and written, as a closed one does;
  // who opens /dev/stdin finds a folder.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/", O_PATH);
}

}  // namespace memstencil
