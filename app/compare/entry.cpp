// A figure of a run with all that another figure must share to be set beside it.
#include "app/compare/entry.hpp"

#include "app/base/machine/cpus_at_start.hpp"
#include "app/base/record/report_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace memstencil::compare {

namespace {

/// Options that change how memory is used.
constexpr std::array options_of_memory{"pre-touch", "prefetch", "advise", "pages"};

void add_options(const MemoryOptions& options, Record& identity) {
  const auto is_default = [](const std::string& value) {
    return value.empty() || value == "default" || value == "none";
  };
  if (options.prefetch) identity.emplace("prefetch", true);
  if (!is_default(options.advise)) identity.emplace("advise", options.advise);
  if (!is_default(options.pages)) identity.emplace("pages", options.pages);
}

/// `first_touch`, `messages`: empty where the run has none.
template <class Result>
Record identity_of(const Result& run, const std::string& first_touch, const std::string& messages,
                   const MemoryOptions& options) {
  Record identity{{"exec", run.exec}, {"memspace", run.memspace.effective}};
  if (run.exec == "device" && !messages.empty() && messages != "none")
    identity.emplace("messages", messages);
  if (!first_touch.empty()) identity.emplace("first_touch", first_touch);
  add_options(options, identity);
  const std::string threads = threads_text(run.execution, run.machine);
  if (run.exec == "host" && !threads.empty()) identity.emplace("threads", threads);
  return identity;
}

}  // namespace

std::string text_of(const Record& flat, const std::string& name) {
  const auto found = flat.find(name);
  return found == flat.end() ? "" : plain_text(*found);
}

Record placement_identity(const himeno::Result& run) {
  Record identity = identity_of(run, run.first_touch, run.halo, run.options_of_case.memory);
  if (const auto& by = run.options_of_case.pre_touch) identity.emplace("pre-touch", *by);
  return identity;
}

Record placement_identity(const himeno::TuneResult& run) {
  return identity_of(run, "", "", run.options_of_case.memory);
}

Record placement_identity(const transpose::Result& run) {
  return identity_of(run, run.first_touch, run.messages, run.memory_options);
}

std::string memory_label(const Record& identity) {
  const std::string memory = text_of(identity, "memspace");
  std::string label = memory == "host" ? "host memory" : memory;
  const std::string touch = text_of(identity, "first_touch");
  if (!touch.empty() && touch != text_of(identity, "exec")) label += ", filled by " + touch;
  for (const std::string option : options_of_memory)
    if (const std::string value = text_of(identity, option); !value.empty())
      label += ", " + option + (value == "true" ? "" : " " + value);
  return identity.contains("threads") ? label + ", " + text_of(identity, "threads") : label;
}

std::string placement_label(const Record& identity) {
  const bool host_alone = text_of(identity, "memspace") == "host";
  const bool by_host = text_of(identity, "exec") == "host" && !host_alone;
  return (by_host ? ", by the host in " : ", in ") + memory_label(identity);
}

std::string path_in_words(const std::string& path) {
  if (path == "nccl") return "NCCL";
  if (path == "peer") return "stores";
  if (path == "device") return "MPI from GPU";
  return path == "staged" ? "MPI via host" : path;
}

std::string messages_label(const Record& identity) {
  const std::string path = text_of(identity, "messages");
  return path.empty() ? "" : " by " + path_in_words(path);
}

std::vector<std::string> requested_memory(const MemspaceRecord& memspace) {
  return memspace.requested == memspace.effective ? std::vector<std::string>{}
                                                  : std::vector<std::string>{memspace.requested};
}

std::string threads_text(const ExecutionRecord& execution, const MachineFacts& machine) {
  if (!execution.host_threads) return "";
  const int threads = *execution.host_threads;
  const std::string number = counted(threads, "thread");
  const int cpus = count_cpus(machine.cpu.allowed.value_or(""));
  if (cpus > 0 && threads > cpus) return number + " on " + counted(cpus, "CPU");
  return machine.cpu.cores == threads ? "all cores" : number;
}

std::vector<Entry> entries_of(const Run& run) {
  return std::visit([](const auto& result) { return entries_of(result); }, run.result);
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

Entry merged(std::vector<Entry> same, const Run* stands) {
  Entry all = same.front();
  for (const Entry& each : same) add_requested(each, all);
  std::stable_sort(same.begin(), same.end(),
                   [](const Entry& a, const Entry& b) { return a.value.median < b.value.median; });
  const auto standing =
      std::find_if(same.begin(), same.end(), [&](const Entry& each) { return each.run == stands; });
  Entry middle =
      stands == nullptr || standing == same.end() ? same[(same.size() - 1) / 2] : *standing;
  middle.runs = same.size();
  middle.over_runs = {same.front().value.median, middle.value.median, same.back().value.median};
  middle.requested = all.requested;
  for (const Entry& each : same) {
    middle.value.minimum = std::min(middle.value.minimum, each.value.minimum);
    middle.value.maximum = std::max(middle.value.maximum, each.value.maximum);
  }
  return middle;
}

}  // namespace memstencil::compare
