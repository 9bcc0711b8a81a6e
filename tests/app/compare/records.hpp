// Results of machines that do not exist, as records, and as runs that were read.
#pragma once

#include "app/compare/run.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Inside a test the name Run is GoogleTest's.
using Runs = std::vector<Run>;

inline Record machine(const std::string& host, const std::string& gpu, int page_bytes = 4096) {
  return {{"hostname", host},
          {"cpu", {{"model", "CPU of " + gpu}, {"cores", 8}}},
          {"memory", {{"page_bytes", page_bytes}}},
          {"gpu",
           {{"name", gpu},
            {"address_translation", "none"},
            {"numa_node", nullptr},
            {"memory_bytes", 8e10},
            {"multiprocessors", 132}}}};
}

inline const Record one = machine("n1", "GPU one");

/// A himeno result at `gflops` in device memory, whose limit of 3000 GB/s it reaches to the half.
inline Record himeno(const Record& on, double gflops, const std::vector<int>& ranks = {1, 1, 1}) {
  return {{"program", "himeno"},
          {"size", "S"},
          {"extents", {64, 64, 128}},
          {"iterations", 10},
          {"ranks", ranks},
          {"exec", "device"},
          {"memspace", {{"requested", "device"}, {"effective", "device"}}},
          {"first_touch", "host"},
          {"sweep", "single"},
          {"sweep_kernel", "128x2x8"},
          {"halo", "none"},
          {"mflops", 1000 * gflops},
          {"mflops_end_to_end", 500 * gflops},
          {"bandwidth_gbs", 1500.0},
          {"limit", {{"kind", "copy"}, {"gbs", 3000.0}, {"fraction", 0.5}}},
          {"phases",
           {{"allocate", 0.25},
            {"initialise", 0.25},
            {"upload", 0.25},
            {"sweeps", 1.25},
            {"halo", 0.0},
            {"reduce", 0.0},
            {"download", 0.25},
            {"free", 0.25}}},
          {"sweep_seconds", {{"min", 0.09}, {"median", 0.1}, {"max", 0.35}, {"first", 0.35}}},
          {"sweeps", {{"seconds", {0.35, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}}}},
          {"verified", true},
          {"options", {{"coefficients", "standard"}, {"seconds", nullptr}}},
          {"machine", on}};
}

/// The same by the host of a build without GPU: whatever space was asked
/// for, the memory is the host's.
inline Record by_host(Record record, int threads, const std::string& requested = "device") {
  record["exec"] = "host";
  record["execution"] = {{"host_threads", threads}};
  record["memspace"] = {{"requested", requested}, {"effective", "host"}};
  return record;
}

/// A transpose result with one variant at `gbs`, by `exec`, whose limit is a copy of this kind.
inline Record transpose(const Record& on, const std::string& exec, const std::string& kind,
                        double gbs) {
  const Record variant{
      {"name", "tuned"}, {"gbs", {{"min", gbs}, {"median", gbs}, {"max", gbs}}}, {"of_copy", 1.0}};
  return {{"program", "transpose"},
          {"rows", 64},
          {"columns", 64},
          {"type", "float"},
          {"operation", "plain"},
          {"ranks", 1},
          {"exec", exec},
          {"memspace", {{"requested", "host-pinned"}, {"effective", "host-pinned"}}},
          {"first_touch", "host"},
          {"limit", {{"kind", kind}}},
          {"variants", Record::array({variant})},
          {"options", Record::object()},
          {"machine", on}};
}

/// A membench result with one measurement of the probe link.
inline Record membench(const Record& on, double gbs) {
  const Record measurement{
      {"name", "HtoD pinned, copy engine"},
      {"parameters",
       {{"direction", "HtoD"}, {"memory", "pinned"}, {"by", "copy engine"}, {"bytes", 1000000}}},
      {"unit", "GB/s"},
      {"samples", {gbs - 1, gbs, gbs + 1}},
      {"min", gbs - 1},
      {"median", gbs},
      {"max", gbs + 1}};
  return {
      {"program", "membench"},
      {"probes",
       Record::array(
           {{{"name", "link"}, {"verified", true}, {"measurements", Record::array({measurement})}},
            {{"name", "warp"}, {"skipped", "not here"}}})},
      {"options", {{"paper", false}}},
      {"machine", on}};
}

inline Run run(const std::string& file, const Record& record, const std::string& name = "0001") {
  return read_run(file, name, record);
}

}  // namespace memstencil::compare
