// The last line of a program that a signal ends: is there a result on disk?
#pragma once

#include <array>
#include <csignal>

namespace memstencil {

/// What users, schedulers and limits of time send, and what ends a process.
inline constexpr std::array ending_signals{SIGINT,  SIGTERM, SIGHUP, SIGXCPU,
                                           SIGUSR1, SIGUSR2, SIGQUIT};

/// From now on each of these signals ends the process with a line on stderr, and
/// then as they would have: a scheduler sees the signal. Signals that are ignored
/// (nohup) stay so. For one rank of a run.
void tell_end_by_signal();

/// The line says from now on that the result was written.
void tell_that_result_is_written();
bool result_is_written() noexcept;

/// No line from now on: the program has told its end. (mpirun ends the other ranks
/// of a failed run by signals.)
void end_is_told();

/// The line, where it was asked for: for other handlers, which end the process. Async-signal-safe.
void write_end_line(int signal) noexcept;

}  // namespace memstencil
