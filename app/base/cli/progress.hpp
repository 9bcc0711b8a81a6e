// One line on a terminal that says how far a long run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace memstencil {

/// Called now and then with the steps done and to do.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Writes on one line of the terminal, at most ten times a second; the line is gone when the object
/// is. If the descriptor is no terminal, nothing is written.
class ProgressLine {
public:
  /// `wanted`: on rank 0 and without --quiet.
  ProgressLine(bool wanted, int descriptor);
  ~ProgressLine();
  ProgressLine& operator=(ProgressLine&&) = delete;  // nor any copy

  /// Shows what `text()` gives in place of the line before; what the terminal's width
  /// does not take is cut. Timed loops call this after every pass, so `text` is called
  /// only where its line is shown.
  template <class Text>
  void show(Text&& text) {
    if (due()) write(std::forward<Text>(text)());
  }

private:
  /// Is there a terminal, and was the last line long enough ago?
  bool due() const;
  void write(const std::string& text);

  int descriptor_ = -1;  ///< negative: nothing is written
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace memstencil
