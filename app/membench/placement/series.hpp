// Series of copies between placed arrays: their rates, when they settle, and
// where the pages were meanwhile.
#pragma once

#include "app/membench/core/measuring.hpp"
#include "app/membench/placement/placed_arrays.hpp"
#include "app/membench/placement/settling.hpp"
#include "app/placement/page_places.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

/// Bytes of each array: --sizes or --size in whole doubles, the thesis' 4 GB and 8 GB
/// with --paper, otherwise 1 GiB.
std::vector<std::size_t> array_sizes(const Settings& settings);

/// The memory of the arrays: --memspace, or system-allocated where the GPU reaches it and managed
/// where it does not. One space.
/// @throws UnsupportedSpace where --memspace cannot be served, with the reason
std::vector<MemorySpace> spaces_to_measure(const Settings& settings);

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

/// {first_gbs, steady_gbs, steady_repeat}: medians over the experiments, and the latest of the
/// repeats from which each is steady; null where one never is.
Record settling_record(const Measurement& measurement);

/// Where there are several sizes, adds to `derived` the part of each steady rate that is lost from
/// the first size to the last, 1 - last / first: "lost from ... to ..." with the same names as
/// derived[size_key()].
void derive_size_losses(Record& derived, const std::vector<std::size_t>& sizes);

/// The place of source and destination, one row an observation. Columns: the keys of the row, then
/// for `source` and `destination` the share of pages on_host, on_gpu (only where the GPU is a NUMA
/// node) and not_mapped: the host has no mapping of them, because nobody has touched them, or, for
/// managed memory, because they are at the GPU.
class ResidencyTable {
public:
  /// The NUMA node that is the GPU's memory; negative: it is none.
  explicit ResidencyTable(int gpu_node) : gpu_node_(gpu_node) {}

  using Keys = std::vector<std::pair<std::string, int>>;
  /// The same keys in every row. Adds nothing where the system does not tell. Gives the places of
  /// both arrays' pages.
  PagePlaces observe(const PlacedArrays& arrays, const Keys& keys);

  /// {column: [numbers]}; empty where nothing was told.
  const Record& columns() const { return columns_; }
  /// The unknown parts and the reason; empty where all is known.
  std::string unknown() const;
  /// The reason why the system does not tell; empty if it does.
  const std::string& reason() const { return reason_; }

private:
  void add(const std::string& array, const PagePlaces& places);

  int gpu_node_;
  Record columns_ = Record::object();
  std::string reason_;
};

/// The moves of pages in each series of a probe, over its experiments.
class MovesOfSeries {
public:
  void add(const std::string& title, std::size_t bytes, Executor by, const PageMoves& moves);
  /// Into the result: the places of all series where the system tells, and a note that names those
  /// whose pages stayed on the other side of the link. `gpu_node` as ResidencyTable's.
  void deliver(int gpu_node, ProbeResult& result) const;

private:
  struct Series {
    std::string title;
    std::size_t bytes;
    Executor by;
    PageMoves moves;
  };
  std::vector<std::string> notes() const;

  std::vector<Series> series_;
};

}  // namespace memstencil::membench
