// Series of copies between placed arrays: their rates, when they settle, and
// where the pages were meanwhile.
#pragma once

#include "app/membench/core/measuring.hpp"
#include "app/membench/placement/placed_arrays.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

/// Bytes of each array: --size in whole doubles, the thesis' 4 GB and 8 GB
/// with --paper, otherwise 1 GiB.
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

/// Summary of a series whose first repeats move pages, in the unit of the series.
struct Settling {
  double first = 0.0;   ///< of the first repeat
  double steady = 0.0;  ///< median of the last quarter of the repeats
  /// The repeat, counted from 1, from which at least nine in ten lie within a fifth of `steady`:
  /// single repeats do drop ([tsukuba-thesis-2024], 5.2.2), and a host's loops vary by more than a
  /// tenth. Nothing where that is not so by the last quarter, or where there are fewer than four
  /// repeats.
  std::optional<std::size_t> repeat;
};

/// @throws std::invalid_argument for an empty series
Settling settling(std::span<const double> series);

/// The rate at which the first repeat moved pages, in the unit of the series: what it took longer
/// than a steady repeat is taken for the moving. `moved` is the bytes moved over the bytes that a
/// repeat counts. Nothing where the first repeat was not slower.
std::optional<double> moving_rate(const Settling& settling, double moved);

/// The series of each experiment of a measurement. All have equally many repeats.
std::vector<Settling> settlings(const Measurement& measurement);

/// {first_gbs, steady_gbs, steady_repeat}: medians over the experiments, and the latest of the
/// repeats from which each is steady; null where one never is.
Record settling_record(const Measurement& measurement);

/// The place of source and destination, one row an observation. Columns: the keys of the row, then
/// for `source` and `destination` the share of pages on_host, on_gpu (only where the GPU is a NUMA
/// node) and not_mapped: the host has no mapping of them, because nobody has touched them, or, for
/// managed memory, because they are at the GPU.
class ResidencyTable {
public:
  /// The NUMA node that is the GPU's memory; negative: it is none.
  explicit ResidencyTable(int gpu_node) : gpu_node_(gpu_node) {}

  using Keys = std::vector<std::pair<std::string, int>>;
  /// The same keys in every row. Adds nothing where the system does not tell.
  void observe(const PlacedArrays& arrays, const Keys& keys);

  /// {column: [numbers]}; empty where nothing was told.
  const Record& columns() const { return columns_; }
  /// The unknown parts and the reason; empty where all is known.
  std::string unknown() const;

private:
  void add(const std::string& array, const Residency& residency);

  int gpu_node_;
  Record columns_ = Record::object();
  std::string reason_;
};

}  // namespace memstencil::membench
