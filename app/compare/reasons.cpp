// Sentences that say in quantities why one run takes longer than another.
#include "app/compare/reasons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace memstencil::compare {

namespace {

/// Under it two figures count as equal.
constexpr double nearly = 0.03;
/// Of a longer time: under it the shorter one is as good as none.
constexpr double worth_telling = 0.02;

std::string member(const Costs& costs, const char* name) {
  return text_of(costs.entry->identity, name);
}

bool by_gpu(const Costs& costs) { return member(costs, "exec") == "device"; }
bool filled_by_host(const Costs& costs) { return member(costs, "first_touch") == "host"; }
bool prefetched(const Costs& costs) { return !member(costs, "prefetch").empty(); }
bool lies_in(const Costs& costs, const char* memory) {
  return member(costs, "memspace").find(memory) != std::string::npos;
}
/// Do its pages follow who touches them?
bool pages_move(const Costs& costs) {
  return by_gpu(costs) && (lies_in(costs, "managed") || lies_in(costs, "system"));
}

std::string digits(double value) {
  return std::abs(value) >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// "0.36 against 0.513 s" where the unit is the same.
std::string both_seconds(double here, double there) {
  const std::string a = short_seconds(here), b = short_seconds(there);
  const std::size_t unit_a = a.find(' '), unit_b = b.find(' ');
  return (a.substr(unit_a) == b.substr(unit_b) ? a.substr(0, unit_a) : a) + " against " + b;
}

std::string memory_of_limit(const Costs& costs) {
  if (costs.limit_kind == "link") return "the link";
  return by_gpu(costs) ? "device memory" : "host memory";
}

/// Far more than the memory allows a step that shares no traffic with others; empty otherwise.
std::string impossible(const Costs& costs) {
  constexpr double far_above = 1.5;
  const std::string sweep = member(costs, "sweep");
  const bool one_memory = member(costs, "memspace").find('=') == std::string::npos;
  const bool single = sweep.empty() || sweep == "single";
  return single && one_memory && costs.fraction > far_above
             ? " (in cache, or the limit was disturbed)"
             : "";
}

std::string filling(const Costs& costs) {
  if (!by_gpu(costs) || filled_by_host(costs)) return "filled by the host";
  return pages_move(costs) && !prefetched(costs) ? "pages by the GPU's faults"
                                                 : "filled by the GPU";
}

/// The time of the steps beyond their median.
std::string beyond(const Costs& costs, double seconds) {
  if (costs.first - costs.median < 0.8 * seconds)
    return fmt::format("slow {}s, beyond the pace of the median", costs.step);
  if (!pages_move(costs) || !filled_by_host(costs) || prefetched(costs))
    return fmt::format("a slow first {}", costs.step);
  const double gigabytes = costs.bytes / 1e9, rate = gigabytes / costs.first;
  return fmt::format("{:.3g} GB moved by page faults at {} GB/s in the first {}", gigabytes,
                     rate < 1 ? fmt::format("{:.2g}", rate) : fmt::format("{:.1f}", rate),
                     costs.step);
}

/// The causes of a part's seconds, other than the pace.
std::string activity(Part part, const Costs& costs, const Seconds& seconds) {
  switch (part) {
    case Part::Allocate:
      if (lies_in(costs, "host-pinned")) return "pinned";
      return by_gpu(costs) && filled_by_host(costs) ? "pinned buffer" : "allocation";
    case Part::Initialise:
      return filling(costs);
    case Part::Upload:
      return prefetched(costs) ? "prefetch" : "upload";
    case Part::PreTouch:
      return "read once by the GPU";
    case Part::Pace:
      return costs.step + "s";
    case Part::Beyond:
      return beyond(costs, seconds[Part::Beyond]);
    case Part::Ranks:
      return "messages and reduction";
    case Part::Download:
      return "download";
    case Part::Free:
      return "release";
  }
  return "";
}

/// The phase of a run that the part is.
std::string phase(Part part, const Costs& costs) {
  constexpr std::array names{"allocate", "initialise",      "upload",   "pre-touch", "",
                             "",         "halo and reduce", "download", "free"};
  static_assert(names.size() == all_parts.size());
  if (part == Part::Pace || part == Part::Beyond)
    return (part == Part::Beyond ? "slow " : "") + costs.step + "s";
  return names[static_cast<std::size_t>(part)];
}

/// The parts in which `a` takes longer, the greatest difference first, until
/// they make up `enough` of all.
struct Selection {
  double enough;
  std::size_t most;
};
std::vector<Part> greatest_differences(const Seconds& a, const Seconds& b,
                                       const Selection& wanted) {
  constexpr double least = 0.1;
  std::vector<std::pair<double, Part>> differences;
  double sum = 0;
  for (const Part part : all_parts) {
    const double difference = a[part] - b[part];
    if (difference <= 0) continue;
    differences.emplace_back(difference, part);
    sum += difference;
  }
  std::stable_sort(differences.begin(), differences.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<Part> parts;
  double told = 0;
  for (const auto& [difference, part] : differences) {
    if (told > wanted.enough * sum || difference < least * sum || parts.size() == wanted.most)
      break;
    parts.push_back(part);
    told += difference;
  }
  return parts;
}

/// The reason why the steps of `here` have another pace than those of `there`.
std::string limits_against(const Costs& here, const Costs& there, ToldLimits* told) {
  if (here.limit_gbs <= 0 || there.limit_gbs <= 0) return "";
  const double limits = here.limit_gbs / there.limit_gbs,
               fractions = here.fraction / there.fraction;
  const bool same_fraction = std::abs(fractions - 1) < nearly;
  if (same_fraction && std::abs(limits - 1) < nearly) return "";  // nor have they another pace
  if (told != nullptr) {
    const auto [before, first] = told->emplace(memory_of_limit(here), limits);
    if (!first && std::abs(limits / before->second - 1) < nearly)
      return same_fraction
                 ? ""
                 : fmt::format(" ({:.2f} and {:.2f} of the limit)", here.fraction, there.fraction);
  }
  const std::string factor =
      std::abs(limits - 1) < nearly ? "is as fast" : fmt::format("{:.2f} times as fast", limits);
  std::string text = fmt::format(": {} {} ({} against {} GB/s)", memory_of_limit(here), factor,
                                 digits(here.limit_gbs), digits(there.limit_gbs));
  if (!same_fraction)
    text += fmt::format(", {:.2f} of it reached against {:.2f}", here.fraction, there.fraction);
  return text;
}

}  // namespace

std::string short_seconds(double seconds) {
  if (seconds == 0 || seconds >= 0.1) return fmt::format("{} s", digits(seconds));
  return seconds >= 1e-4 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} us", 1e6 * seconds);
}

std::string bound(const Costs& costs) {
  constexpr double by_it = 0.7, beyond_it = 1.1;
  if (costs.limit_gbs <= 0) return "";
  const std::string limit =
      fmt::format("{} at {} GB/s", memory_of_limit(costs), digits(costs.limit_gbs));
  if (costs.fraction > beyond_it)
    return fmt::format("{:.2f} times what {} allows one {}{}", costs.fraction, limit, costs.step,
                       impossible(costs));
  return fmt::format("{} {}, {:.2f} of it reached",
                     costs.fraction >= by_it ? "bound by" : "not bound by", limit, costs.fraction);
}

std::string pace(const Costs& costs) {
  if (costs.limit_gbs <= 0) return "";
  return fmt::format(" at {:.2f} of the {} GB/s of {}{}", costs.fraction, digits(costs.limit_gbs),
                     memory_of_limit(costs), impossible(costs));
}

std::string why_slower(const Costs& slow, const Costs& fast, std::int64_t steps) {
  const Seconds a = slow.at(steps), b = fast.at(steps);
  const auto times_of = [&](Part part) {
    return b[part] >= worth_telling * a[part] ? both_seconds(a[part], b[part])
                                              : short_seconds(a[part]);
  };
  std::vector<std::string> reasons;
  for (const Part part : greatest_differences(a, b, {.enough = 0.7, .most = 3})) {
    const std::string times = digits(slow.median / fast.median);
    reasons.push_back(part == Part::Pace
                          ? fmt::format("{} times as long a {}: {}", times, slow.step, bound(slow))
                          : fmt::format("{}: {}", activity(part, slow, a), times_of(part)));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::string separating_phase(const Costs& slow, const Costs& fast, std::int64_t steps) {
  const Seconds a = slow.at(steps), b = fast.at(steps);
  const auto longer = [&](Part part) { return part == Part::Pace ? 0 : a[part] - b[part]; };
  const Part part = *std::max_element(all_parts.begin(), all_parts.end(),
                                      [&](Part x, Part y) { return longer(x) < longer(y); });
  return phase(part, slow);
}

std::string why_different(const Costs& here, const Costs& there, std::int64_t steps,
                          ToldLimits* told) {
  const Seconds a = here.at(steps), b = there.at(steps);
  const bool slower = a.total() > b.total();
  std::vector<std::string> reasons;
  for (const Part part :
       greatest_differences(slower ? a : b, slower ? b : a, {.enough = 0.7, .most = 2})) {
    const std::string what = a[part] > 0 ? activity(part, here, a) : activity(part, there, b);
    const std::string why = part == Part::Pace ? limits_against(here, there, told) : "";
    reasons.push_back(fmt::format("{} {}{}", what, both_seconds(a[part], b[part]), why));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace memstencil::compare
