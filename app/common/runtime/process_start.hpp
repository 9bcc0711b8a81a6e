// What a process sets right, before it does anything else.
#pragma once

namespace memstencil {

/// The first line of main(). Makes faults outside of the program errors that it can tell: a limit
/// on the size of files (ulimit -f), and standard streams that are closed (>&-).
void start_process();

}  // namespace memstencil
