// The members of a result's record (docs/reference/result-format.md), and the text that a person
// reads.
#include "app/transpose/result.hpp"
#include "app/base/machine/report_head.hpp"
#include "app/base/record/text_report.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/repeats.hpp"
#include "memory_spaces/memory_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace memstencil::transpose {

namespace {

/// "tiled 16x16" if its tiles are not those of a warp's width.
std::string label(const TimedVariant& v) { return v.tile == 16 ? v.name + " 16x16" : v.name; }

/// The fastest by its median; of the copy alone, the copy.
const TimedVariant& fastest(const Result& r) {
  const auto rate = [](const TimedVariant& v) { return v.name == "copy" ? 0.0 : v.gbs.median; };
  return *std::max_element(
      r.variants.begin(), r.variants.end(),
      [&](const TimedVariant& a, const TimedVariant& b) { return rate(a) < rate(b); });
}

std::string answer(const Result& r) {
  const TimedVariant& best = fastest(r);
  const auto copy = std::find_if(r.variants.begin(), r.variants.end(),
                                 [](const TimedVariant& v) { return v.name == "copy"; });
  double total = 0;
  for (const auto& [phase, seconds] : r.phases) total += seconds;
  const Spread& s = best.iteration_seconds;
  return fmt::format(
      "transpose {} {}, {}, {}{}\n"
      "{}{}: {}{}; every element verified\n"
      "{}\n"
      "one iteration: median {} [{}, {}]\n",
      r.size, r.type, counted(r.iterations, "iteration"), processor_text(r),
      r.ranks == 1 ? "" : fmt::format(", {} ranks", r.ranks),
      r.variants.size() > 2 ? "fastest: " : "", label(best), bandwidth_text(best.gbs.median * 1e9),
      &best == &*copy ? ""
                      : fmt::format(", {:.2f} of a copy ({}, this run)", best.of_copy,
                                    bandwidth_text(copy->gbs.median * 1e9)),
      total_text(total, r.phases), seconds_text(s.median), seconds_text(s.minimum),
      seconds_text(s.maximum));
}

Lines case_lines(const Result& r) {
  Lines lines = banner("transpose", r.machine, r.provenance);
  append(lines,
         {{"rows", fmt::format("of A every {} elements, of B every {}", r.pitch_a, r.pitch_b)},
          {"ranks",
           r.ranks == 1 ? std::string("1")
                        : fmt::format("{}, rows in blocks, messages {}", r.ranks, r.messages),
           r.ranks != 1}});
  append(lines, memory_lines(r, r.first_touch));
  return lines;
}

/// Energy of the variants that have it, or why none has; clocks that were held down.
Lines energies(const Result& r) {
  Lines lines;
  std::optional<std::string> left_out;
  bool measured = false;
  for (const TimedVariant& v : r.variants) {
    if (!v.energy) continue;
    if (v.energy->left_out)
      left_out = v.energy->left_out;
    else
      measured = true;
    if (v.energy->left_out && !v.energy->throttled()) continue;
    for (const Line& line : lines_of(*v.energy))
      if (line.name != "energy")
        lines.emplace_back(v.name + ", " + line.name, line.value, line.notable);
  }
  if (!measured && left_out) lines.emplace_back("energy", "left out: " + *left_out);
  return lines;
}

Lines result_lines(const Result& r) {
  Lines lines;
  for (const TimedVariant& v : r.variants)
    if (v.gbs.maximum - v.gbs.minimum > 0.5 * v.gbs.median)
      lines.push_back(
          note(fmt::format("{}: iterations had {:.4g} to {:.4g} GB/s: repeat it on an idle machine",
                           label(v), v.gbs.minimum, v.gbs.maximum)));
  // The largest matrix without it, on an H200 (docs/lab/placement-behind-pcie.md).
  constexpr double far_rows = 2.0 * (std::uint64_t{1} << 30);
  if (option(r, "allocation") == name(Allocation::Compressible) &&
      r.variants.front().bytes > far_rows)
    lines.push_back(
        note("a matrix of more than 1 GiB has its rows on too many pages of compressible memory: "
             "transposes lose up to half, a copy nothing"));
  if (r.pause) lines.push_back(note(text(*r.pause)));
  if (r.limit.kind == "link")
    lines.emplace_back("link", bandwidth_text(r.limit.gbs * 1e9) + " (copy engine)", true);
  if (r.residency) lines.emplace_back("pages", text(*r.residency, r.exec), true);
  if (r.repeats)
    lines.emplace_back("repeats",
                       fmt::format("{}; the report is of the one in the middle", r.repeats->size()),
                       true);
  if (r.repeats) add_first_life(lines, r, r.repeats->front().phases);
  append(lines, energies(r));
  return lines;
}

std::string variants_table(const Result& r) {
  std::string out =
      fmt::format("{:<20} {:>9} {:>9} {:>9} {:>8} {:>10} {:>10} {:>8}\n", "variant", "min GB/s",
                  "median", "max", "of copy", "iteration", "mean GB/s", "+- 95 %");
  for (const TimedVariant& v : r.variants)
    out += fmt::format("{:<20} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.3f} {:>10} {:>10.1f} {:>7.1f}%\n",
                       label(v), v.gbs.minimum, v.gbs.median, v.gbs.maximum, v.of_copy,
                       seconds_text(v.iteration_seconds.median), v.mean.gbs,
                       100 * v.mean.relative_half_width);
  std::map<std::string, std::string> left_out;  // names by reason
  for (const SkippedVariant& s : r.skipped) {
    std::string& names = left_out[s.reason];
    names += (names.empty() ? "" : ", ") + s.name;
  }
  for (const auto& [reason, names] : left_out)
    out += wrapped(fmt::format("left out: {}: {}", names, reason), 92, 2) + "\n";
  return out;
}

/// Mean seconds of an iteration's parts.
std::string split_table(const Result& r) {
  std::string out = fmt::format("{:<25} {:>10} {:>10} {:>10}", "an iteration's seconds in", "pack",
                                "exchange", "transpose");
  for (const TimedVariant& v : r.variants) {
    if (!v.split) continue;
    out += fmt::format("\n{:<25}", label(v));
    for (const auto& [part, seconds] : *v.split)
      out += fmt::format(" {:>10}", seconds_text(seconds / static_cast<double>(r.iterations)));
  }
  return out + "\n" +
         (r.messages == name(Transport::Peer)
              ? "kernels wrote straight into the other GPUs' B: nothing was packed or sent\n"
              : "pack: until the messages leave; exchange: until all have come, with the "
                "rank's own "
                "tile\n");
}

}  // namespace

void Result::describe(Archive& a) const {
  describe_head(a, "transpose", origin);
  MEMSTENCIL_MEMBERS(a, size, rows, columns, pitch_a, pitch_b, type, iterations, ranks, exec,
                     execution, memspace, first_touch, messages, message_library);
  Repeat::describe(a);
  MEMSTENCIL_MEMBERS(a, skipped, verified, options, machine, provenance, repeats);
}

Result make_result(const Plan& plan, const std::vector<Repeat>& repeats) {
  const auto mean_seconds = [](const Repeat& run) {
    double sum = 0;
    for (const TimedVariant& variant : run.variants) sum += variant.mean.seconds;
    return sum;
  };
  const Options& o = plan.options;
  const Placement& p = plan.placement;
  Result result;
  static_cast<Repeat&>(result) = median_run(repeats, mean_seconds);
  result.own_seconds = result.seconds_of_rank;
  result.size = size_name({o.rows, o.columns});
  result.rows = o.rows;
  result.columns = o.columns;
  result.pitch_a = plan.part().a().pitch;
  result.pitch_b = plan.part().b().pitch;
  result.type = name(o.type);
  result.iterations = o.iterations;
  result.ranks = plan.ranks;
  result.exec = name(p.executor);
  result.execution = execution_of(p.executor);
  result.memspace = memspace_of(p);
  result.first_touch = name(p.first_touch);
  result.messages = name(plan.transport);
  if (plan.transport == Transport::Nccl) result.message_library = gpu_exchange_library();
  for (const OfferedVariant& each : plan.skipped)
    result.skipped.push_back({std::string(name(each.variant)), each.why_not});
  if (repeats.size() > 1) result.repeats = repeats;
  return result;
}

std::string text_report(const Result& r, bool verbose) {
  Lines lines = case_lines(r);
  append(lines, result_lines(r));
  return answer(r) + "\n" + variants_table(r) + (r.ranks != 1 ? "\n" + split_table(r) : "") +
         blocks_of(lines, verbose);
}

}  // namespace memstencil::transpose
