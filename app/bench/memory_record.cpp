// The part of a result that all applications have: who computed, and the memory of the arrays; and
// its lines in a report.
#include "app/bench/memory_record.hpp"

#include "app/base/machine/report_head.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/memory_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace memstencil {

namespace {

PageSides shares(const PageSides& pages, int gpu_node) {
  const double all = pages.all();
  PageSides out{.on_host = pages.on_host / all, .not_mapped = pages.not_mapped / all};
  if (gpu_node >= 0) out.on_gpu = pages.on_gpu.value_or(0) / all;
  return out;
}

/// Nothing if all pages were with the executor from the start. All have been touched, so that
/// what the host has not mapped is with a GPU.
std::optional<bool> moved_to(Executor executor, const PageMoves& moves) {
  const auto far = [&](const PageSides& pages) {
    const bool by_gpu = executor == Executor::Device;
    return (by_gpu ? pages.on_host : pages.on_gpu.value_or(0) + pages.not_mapped) / pages.all();
  };
  constexpr double worth_saying = 0.01;
  if (far(moves.before) < worth_saying) return {};
  return far(moves.before) - far(moves.after) > worth_saying;
}

std::string text(const PageSides& shares) {
  std::vector<std::string> parts;
  const auto add = [&](double share, const char* where) {
    if (share > 0) parts.push_back(fmt::format("{:.3g} % {}", 100 * share, where));
  };
  add(shares.on_host, "on the host");
  add(shares.on_gpu.value_or(0), "on the GPU");
  add(shares.not_mapped, "not mapped by the host (on the GPU)");
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string text(const MemspaceRecord& m) {
  const std::string warm = m.warm ? "; " + *m.warm : "";
  if (m.requested == m.effective) return fmt::format("{} ({}){}", m.requested, m.allocation, warm);
  return fmt::format("{} requested, {} effective ({}){}", m.requested, m.effective, m.allocation,
                     warm);
}

/// If it is not the default: "first touch by host, prefetch"; or empty.
std::string placement_text(const ApplicationResult& r, const std::string& first_touch) {
  std::vector<std::string> parts;
  if (first_touch != r.exec) parts.push_back("first touch by " + first_touch);
  const auto given = [&](const char* option, const std::string& text, const Record& usual) {
    const Record value = r.options.is_null() ? Record() : r.options.value(option, Record());
    if (!value.is_null() && value != usual)
      parts.push_back(value.is_boolean() ? text : text + " " + plain_text(value));
  };
  given("allocation", "allocation", std::string(name(Allocation::Default)));
  given("pages", "pages", std::string(name(Pages::Default)));
  given("pre-touch", "read once by", Record());
  given("prefetch", "prefetch", false);
  given("advise", "advice", std::string(name(Advice::None)));
  given("oversubscribe", "oversubscribed", false);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void ExecutionRecord::describe(Archive& a) const {
  a("space", space);
  a("host_threads", host_threads);
  a("OMP_PROC_BIND", proc_bind);
  a("OMP_PLACES", places);
}

void PageSides::add(const Residency& residency, int gpu_node) {
  const auto of_gpu = residency.pages_on_node.find(gpu_node);
  const std::size_t gpu = of_gpu == residency.pages_on_node.end() ? 0 : of_gpu->second;
  on_gpu = on_gpu.value_or(0) + static_cast<double>(gpu);
  not_mapped += static_cast<double>(residency.absent);
  on_host += static_cast<double>(residency.sampled - residency.absent - gpu);
}

void PageMoves::look(PageSides& places, const Buffer& buffer, std::size_t arrays) {
  if (!built_for_gpu() || !touch_makes_pages(buffer.space()) || !unknown.empty()) return;
  const Residency its = residency(buffer, 4096 * arrays);
  if (its.known)
    places.add(its, gpu_facts().numa_id);
  else
    unknown = its.reason;
}

void PageSides::describe(Archive& a) const {
  a("on_host", on_host);
  a("on_gpu", on_gpu);
  a("not_mapped", not_mapped);
}

void ResidencyRecord::describe(Archive& a) const {
  MEMSTENCIL_MEMBERS(a, unknown, pages, before, after);
  a("moved", moved);
}

std::optional<ResidencyRecord> residency_record(const PageMoves& moves, int gpu_node,
                                                Executor executor) {
  ResidencyRecord record;
  if (!moves.unknown.empty()) {
    record.unknown = moves.unknown;
    return record;
  }
  if (moves.before.all() == 0) return {};
  record.pages = static_cast<std::int64_t>(moves.before.all());
  record.before = shares(moves.before, gpu_node);
  record.after = shares(moves.after, gpu_node);
  record.moved = moved_to(executor, moves);
  return record;
}

std::optional<ResidencyRecord> residency_of_ranks(PageMoves moves, Executor executor,
                                                  const Communicator& communicator) {
  for (PageSides* each : {&moves.before, &moves.after}) {
    std::array<double, 3> numbers{each->on_host, each->on_gpu.value_or(0), each->not_mapped};
    communicator.sum(numbers);
    *each = {numbers[0], numbers[1], numbers[2]};
  }
  if (!communicator.all(moves.unknown.empty()) && moves.unknown.empty())
    moves.unknown = "another rank cannot ask";
  return residency_record(moves, gpu_facts().numa_id, executor);
}

std::string option(const ApplicationResult& result, const char* name) {
  const auto found = result.options.find(name);
  return found != result.options.end() && found->is_string() ? found->get<std::string>() : "";
}

void add_first_life(Lines& lines, const ApplicationResult& result, const Named<double>& phases) {
  if (option(result, "allocation") != name(Allocation::Pool)) return;
  if (result.memspace.warm) return;
  std::string text;
  for (const auto& [phase, seconds] : phases)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", phase, seconds_text(seconds));
  lines.emplace_back("first repeat", text + "; later ones find its memory in the pool", true);
}

std::string text(const ResidencyRecord& r, const std::string& executor) {
  if (r.unknown || !r.before || !r.after) return "places unknown: " + r.unknown.value_or("");
  std::string out =
      fmt::format("before the timed part {}, after it {}", text(*r.before), text(*r.after));
  if (r.moved == false)
    out += fmt::format("; none moved to the {}: it reached them over the link every time",
                       executor == "device" ? "GPU" : "host");
  return out;
}

std::string text(const StagingRecord& staging) {
  return fmt::format("{} in {}, {} copied through it", bytes_text(staging.bytes), staging.memspace,
                     bytes_text(staging.copied_bytes));
}

std::string processor_text(const ApplicationResult& r) {
  const MemspaceRecord& m = r.memspace;
  const bool gpu = r.exec == "device";
  const std::string processor =
      gpu ? r.machine.text("/gpu/name").value_or("a GPU")
          : fmt::format("{} of {}", counted(r.execution.host_threads.value_or(0), "thread"),
                        r.machine.text("/cpu/model").value_or("a host"));
  if (gpu && m.effective == name(MemorySpace::Device)) return "device memory of " + processor;
  return fmt::format("{} memory{}, computed by {}", m.effective,
                     m.requested == m.effective ? "" : " (" + m.requested + " requested)",
                     processor);
}

Lines memory_lines(const ApplicationResult& r, const std::string& first_touch) {
  Lines lines{{"executor", fmt::format("{} ({}, {} host threads)", r.exec, r.execution.space,
                                       r.execution.host_threads.value_or(0))},
              {"memory", text(r.memspace)},
              {"first touch by", first_touch}};
  if (const std::string text = placement_text(r, first_touch); !text.empty())
    lines.emplace_back("placement", text, true);
  const auto space = memory_space_from_name(r.memspace.effective);  // none in a build without GPU
  if (space) append(lines, memory_lines(r.machine, {*space}));
  return lines;
}

}  // namespace memstencil
