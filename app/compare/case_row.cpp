// A case of a side, as a row of the answer.
#include "app/compare/case_row.hpp"

#include "app/compare/reasons.hpp"

#include <algorithm>
#include <cmath>

namespace memstencil::compare {

namespace {

/// Of a series so many points are drawn: more are not told apart.
constexpr std::size_t most_points = 400;

/// The description's figure that bounds what a limit of this kind measures, in GB/s.
std::optional<double> theory_of_limit(const Side& side, const Sample& s) {
  if (!side.description || s.ranks > 1) return {};  // several ranks may have run on several
  if (s.limit_kind == "copy")
    return side.description->gbs(s.by_gpu() ? "device_memory" : "host_memory");
  if (s.limit_kind == "read stream") return side.description->gbs("host_memory");
  if (s.limit_kind != "link") return {};
  const auto in = side.description->gbs("link_host_to_device");
  const auto out = side.description->gbs("link_device_to_host");
  if (s.step == "sweep") return in;
  return in && out ? std::optional(*in + *out) : std::nullopt;  // a transpose goes both ways
}

/// Numbers and seconds of steps: the first ones all, since pages move there.
Record series_of(const Sample& s) {
  Record steps = Record::array(), seconds = Record::array();
  const double every = static_cast<double>(s.steps) / static_cast<double>(s.series.size());
  const std::size_t skip = std::max<std::size_t>(1, s.series.size() / most_points);
  for (std::size_t n = 0; n < s.series.size(); ++n) {
    if (n > most_points / 4 && n % skip != 0) continue;
    steps.push_back(std::round(every * static_cast<double>(n)) + 1);
    seconds.push_back(s.series[n]);
  }
  return {{"step", steps}, {"seconds", seconds}};
}

Record parts_of(const Sample& s) {
  Record parts = Record::object();
  const Seconds seconds = s.at(s.steps);
  for (const Part part : all_parts) parts[name(part)] = seconds[part];
  return parts;
}

}  // namespace

Record case_row(const Side& side, const Group& group) {
  const Sample& s = group.middle();
  const auto spread = group.spread();
  const auto theory = theory_of_limit(side, s);
  const bool limited = s.limit > 0;
  return {{"side", side.name},
          {"case", label(group.what)},
          {"program", group.what.program},
          {"problem", problem_label(group.what)},
          {"memory", memory_label(group.what)},
          {"variant", value_of(group.what.problem, "variant")},
          {"size", value_of(group.what.problem, "size")},
          {"runs", group.runs()},
          {"spread", spread ? Record(spread->fraction) : Record()},
          {"spread_runs", spread ? Record(spread->runs) : Record()},
          {"executor", s.executor},
          {"ranks", s.ranks},
          {"nodes", s.nodes},
          {"step", s.step},
          {"steps", s.steps},
          {"bytes", s.bytes},
          {"seconds", s.seconds()},
          {"median_step", s.median},
          {"first_step", s.first},
          {"speed", s.speed},
          {"unit", s.unit},
          {"bandwidth_gbs", s.bandwidth},
          {"limit", limited ? Record(s.limit_kind) : Record()},
          {"limit_gbs", limited ? Record(s.limit) : Record()},
          {"fraction", limited ? Record(s.fraction) : Record()},
          {"fraction_of_theory", theory ? Record(s.bandwidth / *theory) : Record()},
          {"pages", pages_text(s)},
          {"parts", parts_of(s)},
          {"series", s.step == "sweep" ? series_of(s) : Record()}};
}

}  // namespace memstencil::compare
