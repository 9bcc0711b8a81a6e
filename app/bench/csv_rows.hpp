// The lines of --format csv: the same columns for every run of a program, so that files of several
// runs can be joined. Lists and details stand in the JSON and HDF5 forms.
#pragma once

#include "app/base/record/record.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/memory_record.hpp"

#include <optional>
#include <string>

namespace memstencil {

/// The columns NAME_min, NAME_median and NAME_max; empty cells where there is no spread.
inline void add_spread(Record& row, const std::string& name, const std::optional<Spread>& spread) {
  row[name + "_min"] = spread ? Record(spread->minimum) : Record();
  row[name + "_median"] = spread ? Record(spread->median) : Record();
  row[name + "_max"] = spread ? Record(spread->maximum) : Record();
}

/// The columns that every benchmark begins a line with: the run, its machine, who computes, and the
/// memory of the arrays. `AnyResult` is a result of himeno or transpose.
template <class AnyResult>
Record csv_of_run(const char* program, const AnyResult& result, const MemoryOptions& memory) {
  const auto& gpu = result.machine.gpu;
  Record row{{"program", program},
             {"started", Record()},
             {"host", or_null(result.machine.hostname)},
             {"hosts", Record()},
             {"gpu", gpu ? Record(gpu->name) : Record()},
             {"executor", result.exec},
             {"host_threads", or_null(result.execution.host_threads)},
             {"memspace", result.memspace.requested},
             {"memory", result.memspace.effective},
             {"prefetch", memory.prefetch},
             {"advise", memory.advise},
             {"pages", memory.pages}};
  if (result.provenance) {
    row["started"] = result.provenance->started;
    row["hosts"] = result.provenance->hosts.size();
  }
  return row;
}

}  // namespace memstencil
