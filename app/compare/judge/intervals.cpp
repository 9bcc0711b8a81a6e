// How sure a ratio of two wall times is: its 95 % interval, from repeats and from processes.
#include "app/compare/judge/judge.hpp"

#include "app/base/record/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace memstencil::compare {

namespace {

/// What another process of the same command may differ by, at least, where only one was run.
constexpr double other_process = 0.05;

/// Mean and variance of logarithms, and their number.
struct Logs {
  double mean = 0, variance = 0;
  std::size_t count = 0;
};

/// A value a process where there are several; otherwise the repeats of the one.
Logs logs_of(const Times& times, bool by_process) {
  std::vector<double> values;
  for (const std::vector<double>& process : times)
    if (by_process)
      values.push_back(membench::median(process));
    else
      values.insert(values.end(), process.begin(), process.end());
  Logs logs{.count = values.size()};
  for (const double each : values) logs.mean += std::log(each) / static_cast<double>(values.size());
  for (const double each : values) logs.variance += std::pow(std::log(each) - logs.mean, 2);
  if (logs.count > 1) logs.variance /= static_cast<double>(logs.count - 1);
  return logs;
}

/// Half the interval of the difference of two means, by Welch; a side of one value has the variance
/// of the other one.
double welch(Logs a, Logs b) {
  if (a.count == 1) a.variance = b.variance;
  if (b.count == 1) b.variance = a.variance;
  const double of_a = a.variance / static_cast<double>(a.count);
  const double of_b = b.variance / static_cast<double>(b.count);
  const auto freedom = [](const Logs& of) {
    return static_cast<double>(std::max<std::size_t>(2, of.count) - 1);
  };
  const double below = of_a * of_a / freedom(a) + of_b * of_b / freedom(b);
  if (below == 0) return 0;
  const double degrees = (of_a + of_b) * (of_a + of_b) / below;
  const auto whole = std::max<std::size_t>(1, static_cast<std::size_t>(degrees));
  const double rest = std::clamp(degrees - static_cast<double>(whole), 0.0, 1.0);
  return std::lerp(student_t_95(whole), student_t_95(whole + 1), rest) * std::sqrt(of_a + of_b);
}

}  // namespace

Times times_of(const Group& group, std::int64_t steps) {
  std::map<std::string, std::vector<double>> processes;
  for (const Sample& sample : group.samples)
    processes[sample.run->file].push_back(sample.at(steps).total());
  Times times;
  for (auto& [file, seconds] : processes) times.push_back(std::move(seconds));
  return times;
}

std::string Ratio::in_words() const {
  if (!measured()) return "no spread was measured: one run each";
  const double up = high / value - 1, down = 1 - low / value, half = 100 * std::max(up, down);
  // The mean of all runs lies off the one that is shown: one number would be the wrong end.
  const bool uneven = std::max(up, down) > 1.5 * std::min(up, down);
  const std::string interval = predicted || uneven
                                   ? times_text(low) + " to " + times_text(high)
                                   : fmt::format("\u00b1 {:.{}f} %", half, half < 0.95 ? 1 : 0);
  constexpr std::array processes{"", ", one case has one process", ", one process each"};
  return interval + processes.at(predicted ? 0 : static_cast<std::size_t>(lone));
}

Ratio ratio_of(const Times& here, const Times& there, double value) {
  const bool by_process = here.size() > 1 && there.size() > 1;
  const Logs a = logs_of(here, by_process), b = logs_of(there, by_process);
  Ratio ratio{.value = value, .lone = (here.size() < 2 ? 1 : 0) + (there.size() < 2 ? 1 : 0)};
  if (a.count < 2 && b.count < 2) return ratio;
  double half = welch(a, b);
  if (!by_process)
    half += std::log1p(std::max(other_process, 3 * std::sqrt(std::max(a.variance, b.variance))));
  ratio.low = std::min(value, std::exp(a.mean - b.mean - half));
  ratio.high = std::max(value, std::exp(a.mean - b.mean + half));
  return ratio;
}

std::optional<double> half_width(const Times& times) {
  const Logs logs = logs_of(times, times.size() > 1);
  if (logs.count < 2) return {};
  return std::expm1(student_t_95(logs.count - 1) *
                    std::sqrt(logs.variance / static_cast<double>(logs.count)));
}

std::vector<Pair> pairs_of(const Side& base, const Side& side) {
  std::vector<Pair> pairs;
  for (const Group& there : base.groups)
    for (const Group& here : side.groups) {
      const Case &a = here.what, &b = there.what;
      if (a.steps != b.steps || a.program != b.program || a.problem != b.problem ||
          !in_one_memory(a, b))
        continue;
      Case both = b;
      for (const auto& [key, value] : a.settings)
        if (value_of(both.settings, key).empty()) both.settings.emplace_back(key, value);
      const std::int64_t steps = there.middle().steps;  // with --seconds each run has its own
      pairs.push_back({label(both), &there,
                       ratio_of(times_of(here, steps), times_of(there, steps),
                                here.middle().at(steps).total() / there.middle().seconds())});
    }
  return pairs;
}

std::string slower_than_allowed(const std::vector<Side>& sides, double allowed) {
  const Side &base = sides.front(), &last = sides.back();
  const auto refuse = [&](const std::string& why) {
    throw Failure(ExitCode::Usage, "--fail-above: " + why);
  };
  if (sides.size() < 2) refuse("there is one side, " + base.name + ": name two");
  std::vector<Pair> pairs = pairs_of(base, last);
  if (pairs.empty()) refuse(fmt::format("{} has no case in common with {}", last.name, base.name));
  std::erase_if(pairs, [](const Pair& pair) { return pair.interval.lone > 0; });
  if (pairs.empty())
    refuse(
        "one process of a case shows no spread between processes: run each command at least twice "
        "(jobscripts/pair.sh does)");
  const std::size_t compared = pairs.size();
  std::set<const Group*> of_base;
  for (const Pair& pair : pairs) of_base.insert(pair.base);
  if (of_base.size() < base.groups.size())
    fmt::print(stderr, "memcompare: {} of {} cases of {} have two processes on both sides\n",
               of_base.size(), base.groups.size(), base.name);
  std::erase_if(pairs, [&](const Pair& pair) { return pair.interval.low <= 1 + allowed; });
  if (pairs.empty()) return "";
  const Pair& worst =
      *std::ranges::max_element(pairs, {}, [](const Pair& pair) { return pair.interval.low; });
  return fmt::format(
      "{} is slower than {} by more than {:.3g} % in {} of {} cases; the worst, {}, takes {} "
      "longer, at least {}",
      last.name, base.name, 100 * allowed, pairs.size(), compared, worst.label,
      percent(worst.interval.value - 1), percent(worst.interval.low - 1));
}

}  // namespace memstencil::compare
