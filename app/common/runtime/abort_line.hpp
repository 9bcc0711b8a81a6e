// One line and exit code 1 where the run cannot go on and nothing can be undone: a GPU that failed.
#pragma once

#include <functional>
#include <string>

namespace memstencil {

/// While it lives, an abort of Kokkos and an exception that leaves a destructor end the process
/// with one line on stderr and exit code 1 (mpirun then ends the other ranks). After an error in a
/// kernel, or without its GPU, every later call of CUDA fails, those of destructors included;
/// Kokkos then prints some lines to std::cerr and aborts. Text in std::cerr is held back for that
/// line; if there is no abort, it appears when this object ends. Other aborts stay signals. One at
/// a time in a process.
class AbortLine {
public:
  AbortLine();
  ~AbortLine();
  AbortLine(const AbortLine&) = delete;
  AbortLine& operator=(const AbortLine&) = delete;
};

/// The words of that line for the work of the run; one at a time in a process. If an exception
/// leaves the scope, the words stay, because an abort may follow further out.
class Doing {
public:
  /// @param words is called where the run fails, and at no cost otherwise: "sweep 3 of 100"
  explicit Doing(std::function<std::string()> words);
  ~Doing();
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

private:
  int exceptions_;
};

}  // namespace memstencil
