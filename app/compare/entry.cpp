// A figure of a run with all that another figure must share to be set beside it.
#include "app/compare/entry.hpp"

#include "app/common/cpus_at_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace memstencil::compare {

namespace {

/// Options that change how memory is used; absent in a result whose program has no such option.
constexpr std::array options_of_memory{"prefetch", "advise", "pages"};

bool is_default(const Record& value) {
  return value.is_null() || value == false || value == "" || value == "default" || value == "none";
}

std::string text(const Record& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

Record placement_identity(const Run& run) {
  Record identity{{"exec", run.text("exec")}, {"memspace", run.text("memspace.effective")}};
  if (run.find("tune") == nullptr) identity["first_touch"] = run.text("first_touch");
  for (const char* option : options_of_memory) {
    const Record* value = run.find(std::string("options.") + option);
    if (value != nullptr && !is_default(*value)) identity[option] = *value;
  }
  const std::string threads = threads_text(run);
  if (identity["exec"] == "host" && !threads.empty()) identity["threads"] = threads;
  return identity;
}

std::string memory_label(const Record& identity) {
  std::string label = identity["memspace"] == "host" ? "host memory" : text(identity["memspace"]);
  if (identity.contains("first_touch")) label += ", touched by " + text(identity["first_touch"]);
  for (const char* option : options_of_memory)
    if (identity.contains(option))
      label += std::string(", ") + option + (identity[option] == true ? "" : " " + text(identity[option]));
  return identity.contains("threads") ? label + ", " + text(identity["threads"]) : label;
}

std::string placement_label(const Record& identity) {
  return ", by " + text(identity["exec"]) + " in " + memory_label(identity);
}

std::vector<std::string> requested_memory(const Run& run) {
  const std::string requested = run.text("memspace.requested");
  return requested == run.text("memspace.effective") ? std::vector<std::string>{}
                                                     : std::vector<std::string>{requested};
}

std::string threads_text(const Run& run) {
  if (run.find("execution.host_threads") == nullptr) return "";
  const double threads = run.number("execution.host_threads");
  const std::string number = threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
  const Record* allowed = run.find("machine.cpu.allowed");
  const int cpus = allowed != nullptr && allowed->is_string() ? count_cpus(allowed->get<std::string>()) : 0;
  if (cpus > 0 && threads > cpus) return fmt::format("{} on {} CPU{}", number, cpus, cpus == 1 ? "" : "s");
  const Record* cores = run.find("machine.cpu.cores");
  return cores != nullptr && *cores == threads ? "all cores" : number;
}

std::vector<Entry> entries_of(const Run& run) {
  const std::string program = run.program();
  if (program == "himeno") return himeno_entries(run);
  return program == "transpose" ? transpose_entries(run) : membench_entries(run);
}

void add_requested(const Entry& from, Entry& to) {
  for (const std::string& each : from.requested)
    if (std::find(to.requested.begin(), to.requested.end(), each) == to.requested.end())
      to.requested.push_back(each);
}

std::string full_label(const Entry& entry) {
  if (entry.requested.empty()) return entry.label;
  return fmt::format("{} [asked for: {}]", entry.label, fmt::join(entry.requested, ", "));
}

Entry merged(std::vector<Entry> same) {
  Entry all = same.front();
  for (const Entry& each : same) add_requested(each, all);
  std::stable_sort(same.begin(), same.end(),
                   [](const Entry& a, const Entry& b) { return a.value.median < b.value.median; });
  Entry middle = same[(same.size() - 1) / 2];
  middle.requested = all.requested;
  for (const Entry& each : same) {
    middle.value.minimum = std::min(middle.value.minimum, each.value.minimum);
    middle.value.maximum = std::max(middle.value.maximum, each.value.maximum);
  }
  return middle;
}

}  // namespace memstencil::compare
