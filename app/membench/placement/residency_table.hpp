// Where source and destination are, repeat by repeat: the table that a probe of placement gives back.
#pragma once

#include "app/common/record.hpp"
#include "app/membench/placement/placed_arrays.hpp"

#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

/// A row an observation. Columns: the keys of the row, then for `source` and `destination` the share of
/// pages on_host, on_gpu (only where the GPU is a NUMA node) and not_mapped: the host has no mapping of
/// them, because nobody has touched them, or, for managed memory, because they are at the GPU.
class ResidencyTable {
public:
  /// The NUMA node that is the GPU's memory; negative: it is none.
  explicit ResidencyTable(int gpu_node) : gpu_node_(gpu_node) {}

  using Keys = std::vector<std::pair<std::string, int>>;
  /// The same keys in every row. Adds nothing where the system does not tell.
  void observe(const PlacedArrays& arrays, const Keys& keys);

  /// {column: [numbers]}; empty where nothing was told.
  const Record& columns() const { return columns_; }
  /// What is not known, and why; empty where all is known.
  std::string unknown() const;

private:
  void add(const std::string& array, const Residency& residency);

  int gpu_node_;
  Record columns_ = Record::object();
  std::string reason_;
};

}  // namespace memstencil::membench
