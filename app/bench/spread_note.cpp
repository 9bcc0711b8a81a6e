// A note on steps of the host that take very different times.
#include "app/bench/spread_note.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil {

namespace {

/// May a rank have idle threads that spin?
bool idle_threads_spin(const std::optional<Provenance>& provenance) {
  if (!provenance) return true;
  const std::string* policy = provenance->environment.find("OMP_WAIT_POLICY");
  if (policy != nullptr && (*policy == "passive" || *policy == "PASSIVE")) return false;
  return std::any_of(provenance->ranks.begin(), provenance->ranks.end(),
                     [](const Provenance::Rank& rank) { return rank.threads > 1; });
}

}  // namespace

Lines spread_note(const std::string& step, const Spread& seconds,
                  const std::optional<Provenance>& provenance) {
  constexpr double worth_saying = 5;
  const bool wide = seconds.maximum > worth_saying * seconds.median ||
                    seconds.median > worth_saying * seconds.minimum;
  if (seconds.minimum <= 0 || !wide) return {};
  const char* spinning =
      idle_threads_spin(provenance)
          ? ". Where cores are shared, idle threads that spin take them from those that compute: "
            "OMP_WAIT_POLICY=passive lets them sleep"
          : "";
  return {{"note", fmt::format("{}s took {} to {}, median {}: perhaps other work on these cores{}",
                               step, seconds_text(seconds.minimum), seconds_text(seconds.maximum),
                               seconds_text(seconds.median), spinning)}};
}

}  // namespace memstencil
