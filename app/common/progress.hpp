// One line on a terminal that says how far a long run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace memstencil {

/// Called now and then with the steps done and to do.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Writes on one line of the terminal, at most ten times a second; the line is gone when the object
/// is. Where the descriptor is no terminal, nothing is written.
class ProgressLine {
public:
  /// `wanted`: on rank 0 and without --quiet.
  ProgressLine(bool wanted, int descriptor);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows the text in place of the one before. One line; what the terminal's width does not take
  /// is cut.
  void show(const std::string& text);
  /// Removes the line, as before other output.
  void erase();

private:
  int descriptor_ = -1;  ///< negative: nothing is written
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// How a line begins in one of several runs: "run 2 of 3, "; nothing where there is one alone.
std::string run_of(int run, int runs);

}  // namespace memstencil
