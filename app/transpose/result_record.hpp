// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/statistics.hpp"
#include "app/bench/memory_record.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// What one of the program's repeats measured.
struct Repeat {
  /// Seconds on several ranks: of all iterations, where "pack" is until the first messages leave
  /// and "exchange" until the last have come; or of each part by itself.
  struct Split {
    double pack = 0, exchange = 0, transpose = 0;
  };
  /// The least time of an iteration on several ranks: the longer of its messages, sent alone, and
  /// of its matrices' bytes at the speed of the copy. Measured in the same run, so it is the bound
  /// of the path that the run took: another may carry messages faster.
  struct Bound {
    double seconds = 0;
    std::string binds;                            ///< "messages" or "memory"
    std::string path;                             ///< of the messages
    double message_bytes = 0;                     ///< out of the rank that sends most
    double message_seconds = 0, message_gbs = 0;  ///< the shortest measurement
    double memory_bytes = 0, memory_seconds = 0;
    Split alone;  ///< seconds of an iteration's parts, each by itself
  };
  /// The mean iteration and its 95 % interval.
  struct Mean {
    double seconds = 0;
    std::array<double, 2> ci95{};  ///< seconds, low and high
    double relative_half_width = 0;
    double gbs = 0;  ///< of the mean time, not the mean of the rates
  };
  struct Variant {
    std::string name;
    std::optional<int> tile;  ///< side of its tiles, where there is a choice
    Spread gbs;
    double of_copy = 0;
    bool verified = true;
    double bytes = 0;          ///< of an iteration
    Spread iteration_seconds;  ///< on the slowest rank
    Mean mean;
    std::vector<double> seconds;  ///< of each iteration
    std::optional<Energy> energy;
    std::optional<Split> split;
    std::optional<double> of_bound;  ///< of the median iteration
  };
  struct Limit {
    std::string kind;  ///< "copy", or "link" where the executor reaches its matrices over one
    double gbs = 0;
    std::vector<double> samples_gbs;
  };

  std::vector<Variant> variants;  ///< the copy is among them
  Limit limit;
  std::optional<Bound> bound;
  std::optional<bool> messages_registered;  ///< by NCCL, on rank 0
  /// Of the slowest rank; without the copy, where it was measured as the yardstick alone.
  Named<double> phases;
  /// Of an iteration on this rank, the mean: part of `provenance`, not written by itself.
  Named<double> seconds_of_rank;
};
void describe(Archive& a, Repeat& run);

struct Result : ApplicationResult, Repeat {
  struct Skipped {
    std::string name, reason;
  };

  std::int64_t rows = 0, columns = 0;
  std::int64_t pitch_a = 0, pitch_b = 0;  ///< elements from row to row
  std::string type;
  std::string operation = "plain";  ///< kept samples have others
  std::int64_t iterations = 0;
  int ranks = 1;
  std::string first_touch, messages;
  std::optional<std::string> message_library;
  std::vector<Skipped> skipped;
  bool verified = true;
  MemoryOptions memory_options;                ///< read from `options`, not written
  std::optional<std::vector<Repeat>> repeats;  ///< the one in the middle stands for all
};
void describe(Archive& a, Result& result);

}  // namespace memstencil::transpose
