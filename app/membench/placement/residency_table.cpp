// Where source and destination are, repeat by repeat: the table that a probe of placement gives back.
#include "app/membench/placement/residency_table.hpp"

namespace memstencil::membench {

void ResidencyTable::observe(const PlacedArrays& arrays, const Keys& keys) {
  const Residency source = arrays.source_residency();
  const Residency destination = arrays.destination_residency();
  for (const Residency& each : {source, destination})
    if (!each.known) {
      reason_ = each.reason;
      return;
    }
  for (const auto& [name, value] : keys) columns_[name].push_back(value);
  add("source", source);
  add("destination", destination);
}

void ResidencyTable::add(const std::string& array, const Residency& residency) {
  const auto share = [&](std::size_t pages) {
    return static_cast<double>(pages) / static_cast<double>(residency.sampled);
  };
  std::size_t on_gpu = 0;
  if (const auto found = residency.pages_on_node.find(gpu_node_); found != residency.pages_on_node.end())
    on_gpu = found->second;
  const std::size_t present = residency.sampled - residency.absent;
  columns_[array + "_on_host"].push_back(share(present - on_gpu));
  if (gpu_node_ >= 0) columns_[array + "_on_gpu"].push_back(share(on_gpu));
  columns_[array + "_not_mapped"].push_back(share(residency.absent));
}

std::string ResidencyTable::unknown() const {
  if (!reason_.empty()) return "residency is unknown: " + reason_;
  if (gpu_node_ >= 0) return {};
  return "residency on the GPU is unknown, since the GPU is no NUMA node here: of managed pages that the "
         "host has mapped none is at the GPU alone, and those not mapped are there or have not been touched";
}

}  // namespace memstencil::membench
