// Reasons in numbers why sides differ: limits and fractions, and himeno's time by cause.
#include "app/compare/explain.hpp"

#include "app/compare/costs.hpp"
#include "app/compare/model/machine_rates.hpp"

namespace memstencil::compare {

namespace {

/// The limit that the fraction is of, in GB/s.
std::optional<double> limit_of(const Entry& entry) {
  if (!entry.of_limit || !entry.bandwidth || *entry.of_limit <= 0) return std::nullopt;
  return *entry.bandwidth / *entry.of_limit;
}

}  // namespace

Table why_they_differ(const std::vector<Side>& sides) {
  Table table{.title = "Why they differ: ratio of speeds = ratio of limits x ratio of fractions",
              .columns = {{"case"},
                          {"of"},
                          {"to"},
                          {"speeds", Show::Times},
                          {"limits", Show::Times},
                          {"fractions", Show::Times},
                          {"limit", Show::Number, "GB/s"},
                          {"limit it is set against", Show::Number, "GB/s"}},
              .note = "Limits are those that each run measured for its own memory or link."};
  for (const Entry& first : sides.front().entries)
    for (std::size_t s = 1; s < sides.size(); ++s) {
      const Entry* other = sides[s].find(first);
      const auto limit = limit_of(first),
                 other_limit = other == nullptr ? std::nullopt : limit_of(*other);
      if (!limit || !other_limit) continue;
      table.rows.push_back({full_label(first), sides[s].label, sides[0].label,
                            *other->bandwidth / *first.bandwidth, *other_limit / *limit,
                            *other->of_limit / *first.of_limit, *other_limit, *limit});
    }
  return table;
}

Table where_time_goes(const std::vector<Side>& sides) {
  Table table{.title = "Where himeno's time goes",
              .columns = {{"machine"},
                          {"case"},
                          {"all phases", Show::Number, "s"},
                          {"allocate", Show::Percent},
                          {"initialise", Show::Percent},
                          {"up and download", Show::Percent},
                          {"pre-touch", Show::Percent},
                          {"sweeps at their median", Show::Percent},
                          {"sweeps beyond it", Show::Percent},
                          {"halo, reduce", Show::Percent},
                          {"free", Show::Percent}},
              .note =
                  "Beyond it: what the sweeps took more than their median allows. Migration in the "
                  "first sweeps stands there."};
  for (const Side& side : sides)
    for (const Costs& costs : costs_of(side)) {
      if (costs.entry->program != "himeno") continue;
      const Seconds seconds = costs.at(costs.steps);
      const double all = seconds.total();
      const auto part = [&](Part which) { return seconds[which] / all; };
      table.rows.push_back({side.label, full_label(*costs.entry), all, part(Part::Allocate),
                            part(Part::Initialise), part(Part::Upload) + part(Part::Download),
                            part(Part::PreTouch), part(Part::Pace), part(Part::Beyond),
                            part(Part::Ranks), part(Part::Free)});
    }
  return table;
}

}  // namespace memstencil::compare
