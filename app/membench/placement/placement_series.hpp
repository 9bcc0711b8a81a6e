// Series of copies between placed arrays: what the probes `patterns` and `migration` have in common.
#pragma once

#include "app/membench/core/probe.hpp"
#include "app/membench/placement/placed_arrays.hpp"
#include "app/membench/placement/settling.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Bytes of each array: --size in whole doubles, the thesis' 4 GB and 8 GB with --paper, otherwise 1 GiB.
std::vector<std::size_t> array_sizes(const Settings& settings);

/// "1073741824 bytes": the derived values' name of a size.
std::string size_key(std::size_t bytes);

/// Repeats of a series, without and with --paper; --repeats wins.
struct SeriesLength {
  int usual;
  int paper;
};

/// One experiment's series in GB/s, read + written. No warm-up: the first repeats are the story.
/// `after` runs after each repeat, outside its time.
Samples copy_series(
    PlacedArrays& arrays, std::size_t bytes, Executor by, const Settings& settings,
    const SeriesLength& length, const std::function<void()>& after = [] {});

/// The series of each experiment of a measurement. All have equally many repeats.
std::vector<Settling> settlings(const Measurement& measurement);

/// {first_gbs, steady_gbs, steady_repeat}: medians over the experiments, and the latest of the repeats
/// from which each is steady; null where one never is.
Record settling_record(const Measurement& measurement);

}  // namespace memstencil::membench
