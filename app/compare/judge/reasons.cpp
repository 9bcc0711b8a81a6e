// Why one run takes longer than another, in seconds of named parts; and all that is unusual about
// runs.
#include "app/compare/judge/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

/// A larger fraction of a limit has a reason of its own.
constexpr double beyond_it = 1.1;

bool filled_by_host(const Sample& s) {
  return s.by_gpu() && value_of(s.what.memory, "first_touch") == "host";
}
bool prefetched(const Sample& s) { return !value_of(s.what.memory, "prefetch").empty(); }

std::string memory_of_limit(const Sample& s) {
  if (s.limit_kind == "link" && s.step != "sweep") return "the link's two ways, each alone";
  if (s.limit_kind.starts_with("link"))
    return s.limit_kind == "link" ? "the link" : "the link both ways at once";
  if (!s.by_gpu()) return "host memory";
  return s.processors > 1 ? fmt::format("device memory of {} GPUs", s.processors) : "device memory";
}

/// Of the limit, by steps that move no pages.
double reached(const Sample& s) { return s.pages_move() ? s.pace_fraction() : s.fraction; }

/// Why more was reached than the memory allows one step; empty if it was not.
std::string above_limit(const Sample& s) {
  if (reached(s) <= beyond_it) return "";
  return s.fused > 1 ? " (fused sweeps share their traffic)"
                     : " (in cache, or the limit was disturbed)";
}

/// Of sweeps whose planes cross the link.
std::string streaming(const Sample& s) {
  return text_or(s.run->record, "sweep_kernel").starts_with("streamed") ? " streamed over the link"
                                                                        : "";
}

std::string filling(const Sample& s) {
  if (!s.by_gpu() || filled_by_host(s)) return "filling by the host";
  return s.pages_move() && !prefetched(s) ? "page faults" : "filling by the GPU";
}

/// The time of the steps beyond their median.
std::string beyond(const Sample& s, double seconds) {
  if (s.first - s.median < 0.8 * seconds)
    return fmt::format("slow {}s, beyond the pace of the median", s.step);
  if (!s.pages_move() || !filled_by_host(s) || prefetched(s))
    return fmt::format("a slow first {}", s.step);
  return fmt::format("{:.3g} GB moved in the first {}", 1e-9 * s.bytes, s.step);
}

/// A part of a run in words.
std::string words_of(Part part, const Sample& s, const Seconds& seconds) {
  static const std::map<Part, std::string> usual{{Part::Allocate, "allocation"},
                                                 {Part::Upload, "upload"},
                                                 {Part::PreTouch, "read once by the GPU"},
                                                 {Part::Messages, "messages and reduction"},
                                                 {Part::Download, "download"},
                                                 {Part::Free, "release"}};
  if (part == Part::Allocate && s.lies(Home::Host)) return "pinning";
  if (part == Part::Allocate && filled_by_host(s) && s.lies(Home::Gpu)) return "pinned buffer";
  if (part == Part::Initialise) return filling(s);
  if (part == Part::Upload && prefetched(s)) return "prefetch";
  if (part == Part::Pace) return s.step + "s" + streaming(s);
  return part == Part::Beyond ? beyond(s, seconds[part]) : usual.at(part);
}

/// Without its article.
std::string bare(const std::string& phrase) {
  return phrase.starts_with("the ") ? phrase.substr(4) : phrase;
}

/// The least and the most that its runs measured; of one run within 2 %.
std::array<double, 2> limits_of(const Group& group) {
  const auto [least, most] = std::ranges::minmax_element(group.samples, {}, &Sample::limit);
  const double around = group.samples.size() > 1 ? 0 : 0.02;
  return {least->limit * (1 - around), most->limit * (1 + around)};
}

/// Were its limits measured by an optimised program that never stood still, at full clocks, and not
/// exceeded by steps that read memory once each?
bool undisturbed(const Group& group) {
  return std::ranges::all_of(group.samples, [](const Sample& s) {
    const Record& record = s.run->record;
    const Record* held = s.energy == nullptr ? nullptr : find(*s.energy, "gpus.throttled");
    const bool fused = value_of(s.what.problem, "sweep").starts_with("temporal");
    return s.limit > 0 && text_or(record, "machine.program.optimised", "true") == "true" &&
           text_or(record, "machine.program.build_type") != "Debug" &&
           text_or(record, "limit.disturbed") != "true" && find(record, "pause") == nullptr &&
           (held == nullptr || held->empty()) && (fused || reached(s) <= beyond_it);
  });
}

/// Runs whose clocks were held down, of which cases, and why.
void throttled(const Side& side, std::vector<std::string>& notes) {
  constexpr std::size_t most = 4;  // cases
  std::set<const Run*> told, held;
  std::set<std::string> reasons;
  nlohmann::ordered_map<std::string, std::set<const Run*>> cases;
  for (const Group& group : side.groups)
    for (const Sample& sample : group.samples) {
      const Record* why =
          sample.energy == nullptr ? nullptr : find(*sample.energy, "gpus.throttled");
      if (why == nullptr || !why->is_array()) continue;
      told.insert(sample.run);
      for (const Record& each : *why) reasons.insert(plain_text(each));
      if (why->empty()) continue;
      held.insert(sample.run);
      cases[problem_label(group.what)].insert(sample.run);
    }
  if (held.empty()) return;
  std::vector<std::string> of;
  for (const auto& [problem, runs] : cases)
    of.push_back(fmt::format("{} of {}", runs.size(), problem));
  if (of.size() > most) of.resize(most), of.emplace_back("others");
  notes.push_back(fmt::format(
      "{}: in {} of {} runs the GPU's clocks were held down ({}), and so was its speed: {}.",
      side.name, held.size(), told.size(), fmt::join(reasons, ", "), fmt::join(of, "; ")));
}

/// Copies of files, ranks that MPI knew alone though a launcher had started them together, and
/// runs during which the process or the machine stood still.
void no_repeats(const Side& side, std::vector<std::string>& notes) {
  if (!side.copies.empty())
    notes.push_back(fmt::format("{}: copies of other files count once: {}.", side.name,
                                fmt::join(side.copies, ", ")));
  constexpr std::pair<const char*, const char*> of_members[]{
      {"provenance.lone_rank_of",
       "are single ranks that a launcher started with others and MPI knew alone: where they ran at "
       "once, their figures are low, and they are no repeats"},
      {"pause", "stood still for more than 1 s (stopped, or suspended)"}};
  for (const auto& [member, words] : of_members) {
    const auto count = std::ranges::count_if(side.runs, [&path = member](const Run* run) {
      const Record* found = find(run->record, path);
      return found != nullptr && *found != 0;
    });
    if (count > 0)
      notes.push_back(
          fmt::format("{}: {} of {} runs {}.", side.name, count, side.runs.size(), words));
  }
}

}  // namespace

std::string why_fast(const Sample& best, std::int64_t steps) {
  const Seconds seconds = best.at(steps);
  std::string text = fmt::format("{:.0f} % {}s{}", 100 * seconds[Part::Pace] / seconds.total(),
                                 best.step, streaming(best));
  if (best.limit > 0)
    text += fmt::format(" at {:.2f} of the {} GB/s of {}{}", reached(best),
                        three_digits(best.limit), memory_of_limit(best), above_limit(best));
  for (const Part part : all_parts)
    if (part != Part::Pace && seconds[part] > 0.25 * seconds.total())
      text += fmt::format(", {} {}", words_of(part, best, seconds), short_seconds(seconds[part]));
  return text;
}

std::optional<Cause> cause_of(const Group& fast, const Group& slow, std::int64_t steps) {
  const Sample &here = fast.middle(), &there = slow.middle();
  const Seconds a = here.at(steps), b = there.at(steps);
  const double difference = b.total() - a.total();
  const auto explains = [&](double seconds) { return seconds >= 0.5 * difference; };
  if (difference <= 0) return {};
  for (const Part part : all_parts)
    if (part != Part::Pace && explains(b[part] - a[part])) {
      const std::string does = words_of(part, there, b);
      return Cause{a[part] < 0.02 * b[part]
                       ? fmt::format("it saves {}: {}", short_seconds(b[part] - a[part]), does)
                       : fmt::format("{} takes {}", does, both_seconds(a[part], b[part])),
                   does};
    }
  const bool alike = here.limit_kind == there.limit_kind && here.by_gpu() == there.by_gpu();
  if (!alike || !undisturbed(fast) || !undisturbed(slow) ||
      limits_of(fast)[0] <= limits_of(slow)[1] ||
      !explains(b[Part::Pace] * (1 - there.limit / here.limit)))
    return {};
  const double times = here.limit / there.limit;
  std::string sentence = fmt::format("its {} is {:.2f} times as fast ({} against {} GB/s)",
                                     bare(memory_of_limit(here)), times, three_digits(here.limit),
                                     three_digits(there.limit));
  const auto used = [](const Sample& s) {
    return fmt::format("{:.0f}", 100 * std::min(1.0, reached(s)));
  };
  if (std::min(reached(here), reached(there)) > beyond_it)
    sentence += ", and fused sweeps share its traffic";
  else if (used(here) == used(there))
    sentence += fmt::format(", and both use {} % of it", used(here));
  else
    sentence += fmt::format(", of which {} and {} % are used", used(here), used(there));
  return Cause{
      sentence,
      fmt::format("{} {:.2f}", here.limit_kind.starts_with("link") ? "link" : "memory", times)};
}

std::pair<std::string, double> greatest_excess(const Sample& here, const Sample& best,
                                               std::int64_t steps) {
  const Seconds a = here.at(steps), b = best.at(steps);
  const Part part =
      *std::ranges::max_element(all_parts, {}, [&](Part each) { return a[each] - b[each]; });
  const bool by_link = part == Part::Pace && here.limit_kind.starts_with("link");
  return {by_link ? bare(memory_of_limit(here)) : words_of(part, here, a), a[part]};
}

std::string pages_text(const Sample& s) {
  if (!s.pages_move() || s.predicted) return "";
  const Record* residency = find(s.run->record, "residency");
  if (residency == nullptr) return "where pages were is not recorded";
  if (find(*residency, "unknown") != nullptr) return "where pages were is not known";
  const std::string moved = text_or(*residency, "moved");
  if (moved == "true") return "pages moved from the host to the GPU";
  if (moved == "false") return "pages stayed on the host";
  return number_or(*residency, "before.on_host", 0) > 0.5 ? "pages were on the host"
                                                          : "pages were on the GPU from the start";
}

std::vector<std::string> notes_of(const std::vector<Side>& sides) {
  std::vector<std::string> notes, hosts;
  for (const Side& side : sides)
    if (!side.groups.empty() && std::ranges::none_of(side.groups, [](const Group& group) {
          return group.middle().by_gpu() || group.middle().space;
        }))
      hosts.push_back(side.name);
  if (!hosts.empty())
    notes.push_back(
        fmt::format("No GPU computed on {}: all memory spaces are the same pages of the host's "
                    "memory there, and count as one.",
                    fmt::join(hosts, ", ")));
  for (const Side& side : sides) {
    no_repeats(side, notes);
    throttled(side, notes);
  }
  return notes;
}

}  // namespace memstencil::compare
