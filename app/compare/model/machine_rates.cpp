// Rates of a machine's memories and links: the figures that predictions start
// from, each with its source.
#include "app/compare/model/machine_rates.hpp"

#include <stdexcept>

namespace memstencil::model {

namespace {

constexpr const char* h100 =
    "assumed: as an H100 on PCIe 5 with a guest of 16 cores (docs/lab/placement-behind-pcie.md)";
/// The thesis states no rate of access counters. It supposes that pages move in the first 50 to 60
/// sweeps of Himeno XL: if these move its 15 GB, the rate is 18 GB/s.
constexpr const char* thesis = "assumed: [tsukuba-thesis-2024], section 5.3.2, supposes it";

}  // namespace

std::string_view name(Rate rate) {
  switch (rate) {
    case Rate::HostCopy:
      return "host_copy";
    case Rate::DeviceCopy:
      return "device_copy";
    case Rate::LinkToDevice:
      return "link_to_device";
    case Rate::LinkToHost:
      return "link_to_host";
    case Rate::LinkToPageable:
      return "link_to_pageable";
    case Rate::DeviceReadsHost:
      return "device_reads_host";
    case Rate::DeviceWritesHost:
      return "device_writes_host";
    case Rate::LinkBothWays:
      return "link_both_ways";
    case Rate::FaultsToDevice:
      return "faults_to_device";
    case Rate::FaultsToHost:
      return "faults_to_host";
    case Rate::PrefetchToDevice:
      return "prefetch_to_device";
    case Rate::CounterMigration:
      return "counter_migration";
  }
  throw std::logic_error("a rate without a name");
}

std::string_view name(MemoryOperation operation) {
  switch (operation) {
    case MemoryOperation::Allocate:
      return "allocate";
    case MemoryOperation::TouchByHost:
      return "first touch by host";
    case MemoryOperation::FillByDevice:
      return "first fill by device";
    case MemoryOperation::PrefetchToDevice:
      return "prefetch to device";
    case MemoryOperation::Free:
      return "free";
    case MemoryOperation::FreeFilledByDevice:
      return "free after fill by device";
  }
  throw std::logic_error("a memory operation without a name");
}

double MachineRates::operator[](Rate rate) const {
  const auto found = rates.find(rate);
  if (found == rates.end()) throw std::logic_error("no rate " + std::string(name(rate)));
  return found->second.value;
}

double MachineRates::cost(MemoryOperation operation, MemorySpace space) const {
  const auto found = costs.find({operation, space});
  if (found == costs.end())
    throw std::logic_error("no cost " + std::string(name(operation)) + " of " +
                           std::string(name(space)));
  return found->second.value;
}

MachineRates overlay(MachineRates under, const MachineRates& over) {
  for (const auto& [rate, figure] : over.rates) under.rates[rate] = figure;
  for (const auto& [operation, figure] : over.costs) under.costs[operation] = figure;
  if (over.translation) under.translation = over.translation;
  if (over.device_bytes) under.device_bytes = over.device_bytes;
  if (over.multiprocessors) under.multiprocessors = over.multiprocessors;
  // Latency and rate of a path have to be of one run.
  std::erase_if(under.messages, [&](const MessageTime& old) {
    return std::any_of(over.messages.begin(), over.messages.end(), [&](const MessageTime& each) {
      return each.path == old.path && each.pattern == old.pattern &&
             each.between_nodes == old.between_nodes;
    });
  });
  under.messages.insert(under.messages.end(), over.messages.begin(), over.messages.end());
  under.origin = over.origin;
  return under;
}

MachineRates assumed_rates() {
  MachineRates m{.origin = "assumptions",
                 .rates = {{Rate::HostCopy, {128 * giga, h100}},
                           {Rate::DeviceCopy, {3007 * giga, h100}},
                           {Rate::LinkToDevice, {54.7 * giga, h100}},
                           {Rate::LinkToHost, {55.1 * giga, h100}},
                           {Rate::LinkToPageable, {14.0 * giga, h100}},
                           {Rate::DeviceReadsHost, {50.9 * giga, h100}},
                           {Rate::DeviceWritesHost, {52.3 * giga, h100}},
                           {Rate::LinkBothWays, {77.4 * giga, h100}},
                           {Rate::FaultsToDevice, {9.4 * giga, h100}},
                           {Rate::FaultsToHost, {32 * giga, h100}},
                           {Rate::PrefetchToDevice, {46.4 * giga, h100}},
                           {Rate::CounterMigration, {18 * giga, thesis}}},
                 .translation = Translation{},
                 .multiprocessors = 132};
  const auto cost = [&m](MemoryOperation operation, MemorySpace space, double seconds_a_gigabyte) {
    m.costs[{operation, space}] = {seconds_a_gigabyte / giga, h100};
  };
  for (const MemorySpace space : all_memory_spaces) {
    cost(MemoryOperation::Allocate, space, 0.0);
    cost(MemoryOperation::TouchByHost, space, 0.0);
    cost(MemoryOperation::FillByDevice, space, 0.0);
    cost(MemoryOperation::PrefetchToDevice, space, 0.0);
    cost(MemoryOperation::FreeFilledByDevice, space, 0.0);
  }
  cost(MemoryOperation::Allocate, MemorySpace::HostPinned, 0.49);
  cost(MemoryOperation::TouchByHost, MemorySpace::Managed, 0.049);
  cost(MemoryOperation::TouchByHost, MemorySpace::SystemAllocated, 0.034);
  for (const MemorySpace space : {MemorySpace::Managed, MemorySpace::SystemAllocated}) {
    cost(MemoryOperation::FillByDevice, space, 0.070);
    cost(MemoryOperation::PrefetchToDevice, space, 0.005);
  }
  cost(MemoryOperation::Free, MemorySpace::HostPinned, 0.14);
  cost(MemoryOperation::Free, MemorySpace::Device, 0.001);
  cost(MemoryOperation::Free, MemorySpace::Managed, 0.014);
  cost(MemoryOperation::Free, MemorySpace::SystemAllocated, 0.056);
  cost(MemoryOperation::FreeFilledByDevice, MemorySpace::Managed, 0.0075);
  return m;
}

}  // namespace memstencil::model
