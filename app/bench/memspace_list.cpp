// The output of --list-memspaces: the spaces that this machine serves to
// each executor, or the reasons.
#include "app/bench/placement.hpp"

#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

struct Row {
  Executor executor;
  MemorySpace space;
  Support support;
};

std::string line(const Row& row) {
  const Support& s = row.support;
  return fmt::format(
      "--exec {:<6} --memspace {:<11} : {}\n", name(row.executor), name(row.space),
      s.served ? fmt::format("yes, {} ({})", s.effective, s.allocation) : "no, " + s.reason);
}

Record record(const Row& row) {
  const Support& s = row.support;
  Record out{{"exec", name(row.executor)}, {"memspace", name(row.space)}, {"served", s.served}};
  if (s.served)
    out.update({{"effective", s.effective}, {"allocation", s.allocation}});
  else
    out["reason"] = s.reason;
  return out;
}

/// With all columns; those that do not apply are empty.
Record csv_row(const Record& record) {
  Record out;
  for (const char* column : {"exec", "memspace", "served", "effective", "allocation", "reason"})
    out[column] = record.contains(column) ? record[column] : Record();
  return out;
}

}  // namespace

std::string memspace_list(Format format) {
  Record rows = Record::array();
  std::string lines;
  for (const Executor executor : all_executors)
    for (const MemorySpace space : all_memory_spaces) {
      const Row row{executor, space, support(space, executor)};
      rows.push_back(format == Format::Csv ? csv_row(record(row)) : record(row));
      lines += line(row);
    }
  if (format == Format::Text) return lines;
  return format == Format::Csv ? to_csv(rows) : to_json({{"memspaces", rows}});
}

}  // namespace memstencil
