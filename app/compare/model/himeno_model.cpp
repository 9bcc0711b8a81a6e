// The model of himeno: its phases, predicted from the rates of a machine.
#include "app/compare/model/himeno_model.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/model/ranks_model.hpp"
#include "kernels/grid/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::model {

namespace {

/// Fetching the residuals of all sweeps and adding them up: a copy and its wait.
constexpr double reduce_seconds = 30e-6;
/// Seconds a byte and thread that the host's initialisation computes (15
/// GB by 16 threads in 0.84 s).
constexpr double host_fill = 0.9e-9;

struct Group {
  MemorySpace space;
  int arrays;
};

std::array<Group, 2> groups(const HimenoCase& run) {
  return {Group{run.p, arrays_of_p}, Group{run.coefficients, arrays_of_coefficients}};
}

bool any_staged(const HimenoCase& run) {
  return staged(run.p, run.access) || staged(run.coefficients, run.access);
}

/// The operations of the phases on the arrays of both groups and on the
/// staging buffer, if one is needed.
template <class Of>
TimeByCause over_groups(const HimenoCase& run, Of of) {
  TimeByCause time;
  for (const Group& group : groups(run)) time += of(group, group.arrays * run.array_bytes());
  return time;
}

}  // namespace

double HimenoCase::array_bytes() const {
  return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
         static_cast<double>(row_pitch(extents[2])) * sizeof(float);
}

std::string oversubscription(const HimenoCase& run, const MachineRates& rates) {
  if (run.access.executor == Executor::Host || !rates.device_bytes) return {};
  double bytes = 0.0;
  for (const Group& group : groups(run))
    if (home(group.space) != Home::Host) bytes += group.arrays * run.array_bytes();
  const bool pages_move = run.p == MemorySpace::Managed || run.coefficients == MemorySpace::Managed;
  if (!pages_move || bytes <= *rates.device_bytes) return {};
  return fmt::format("{} of arrays for {} of GPU memory", bytes_text(bytes),
                     bytes_text(*rates.device_bytes));
}

Prediction predict(const HimenoCase& run, const MachineRates& rates) {
  const int staging_arrays = any_staged(run) ? 1 : 0;
  const Group staging{staging_space(run.access), staging_arrays};
  const auto allocate = [&](const Group& g, double bytes) {
    return allocation(g.space, g.arrays, bytes, rates);
  };
  const auto free = [&](const Group& g, double bytes) {
    return release(g.space, g.arrays, bytes, run.access, rates);
  };
  const double staging_bytes = staging_arrays * run.array_bytes();
  Prediction out;
  out.sweeps = predict_sweeps(run, rates);
  out.phases = {
      {"allocate", allocate(staging, staging_bytes) + over_groups(run, allocate)},
      {"initialise", over_groups(run,
                                 [&](const Group& g, double bytes) {
                                   return initialisation(g.space, g.arrays, bytes, run.access,
                                                         host_fill / run.host_threads, rates);
                                 })},
      {"upload",
       over_groups(run, [&](const Group& g,
                            double bytes) { return upload(g.space, bytes, run.access, rates); })},
      {"sweeps", out.sweeps.sum()},
      {"halo", {Cause::Messages, halo_seconds(run, rates)}},
      {"reduce", {Cause::Launch, reduce_seconds}},
      {"download", download(run.p, run.array_bytes(), run.access, rates)},
      {"free", free(staging, staging_bytes) + over_groups(run, free)}};
  if (run.ranks)
    out.notes.push_back(
        note_on(run.ranks->path, messages_of(*run.ranks, rates), run.ranks->on_several_nodes()));
  if (const std::string reason = oversubscription(run, rates); !reason.empty())
    out.notes.push_back("oversubscribed: " + reason);
  return out;
}

std::string placement_name(MemorySpace p, MemorySpace coefficients) {
  if (p == coefficients) return std::string(name(p));
  return fmt::format("p={},coefficients={}", name(p), name(coefficients));
}

}  // namespace memstencil::model
