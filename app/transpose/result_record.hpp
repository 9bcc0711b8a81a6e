// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/machine/machine_facts.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/provenance.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/memory_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::transpose {

struct Result : ApplicationResult {
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
    std::string path;                             ///< of the messages; older versions did not tell
    double message_bytes = 0;                     ///< out of the rank that sends most
    double message_seconds = 0, message_gbs = 0;  ///< the shortest measurement
    double memory_bytes = 0, memory_seconds = 0;
    Split alone;  ///< seconds of an iteration's parts, each by itself
  };
  /// The mean iteration, its 95 % interval, and why no more iterations were timed.
  struct Mean {
    double seconds = 0;
    std::vector<double> ci95;  ///< seconds, low and high
    double relative_half_width = 0;
    double gbs = 0;  ///< of the mean time, not the mean of the rates
    std::string stopped;
  };
  struct Variant {
    std::string name;
    Spread gbs;
    double of_copy = 0;
    bool verified = true;
    std::optional<double> bytes;  ///< of an iteration
    std::optional<Spread> iteration_seconds;
    std::optional<Mean> mean;  ///< older versions did not tell
    std::vector<double> seconds;
    std::optional<Energy> energy;  ///< of all iterations; older versions did not measure it
    std::optional<Split> split;
    std::optional<double> of_bound;  ///< of the median iteration
  };
  struct Skipped {
    std::string name, reason;
  };
  struct Limit {
    std::string kind;
    double gbs = 0;
    std::vector<double> samples_gbs;
  };
  /// A row of --sweep-sizes.
  struct Size {
    std::int64_t size = 0;
    std::string variant;
    Spread gbs;
    double of_copy = 0;
    std::optional<Mean> mean;
    std::vector<double> seconds;
  };
  struct Repeat {
    std::vector<Variant> variants;
    Named<double> phases;
  };

  std::int64_t rows = 0, columns = 0;
  std::optional<std::int64_t> pitch_a, pitch_b;  ///< elements from row to row
  std::string type, operation;
  std::int64_t iterations = 0;
  int ranks = 1;
  std::string first_touch, messages;
  std::optional<std::string> message_library;
  std::optional<bool> messages_registered;  ///< by NCCL, on rank 0; older versions did not tell
  std::optional<Bound> bound;
  std::vector<Variant> variants;
  std::vector<Skipped> skipped;
  Limit limit;
  Named<double> phases;
  bool verified = true;
  MemoryOptions memory_options;  ///< read from `options`, not written
  std::optional<std::vector<Size>> sizes;
  std::optional<std::vector<Repeat>> repeats;
};
void describe(Archive& a, Result& result);

}  // namespace memstencil::transpose
