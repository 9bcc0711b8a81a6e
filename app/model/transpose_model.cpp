// The model of transpose: its phases and each of its iterations, predicted from the rates of a machine.
#include "app/model/transpose_model.hpp"

#include <algorithm>
#include <map>

namespace memstencil::model {

namespace {

/// Parts of the copy bandwidth (32768 x 32768 floats, H100); a variant that is not here: 0.9.
const std::map<std::string, double> of_device_copy{{"copy", 1.0},    {"naive", 0.13},  {"tiled", 0.54},
                                                   {"padded", 0.91}, {"vendor", 0.96}, {"tuned", 0.95}};
constexpr double of_any_copy = 0.9;
constexpr double device_launch = 5e-6;
constexpr double host_launch = 5e-6;
/// Seconds a byte and thread that the host takes to hash what it fills the matrices with.
constexpr double host_fill = 0.9e-9;

double near_seconds(const TransposeCase& run, const TransposeVariant& variant, const MachineRates& rates) {
  if (run.access.executor == Executor::Host)
    return variant.memory_bytes / (rates[Rate::HostCopy] * (variant.name == "copy" ? 1.0 : of_any_copy));
  const auto found = of_device_copy.find(variant.name);
  return variant.memory_bytes /
         (rates[Rate::DeviceCopy] * (found == of_device_copy.end() ? of_any_copy : found->second));
}

/// The iterations of all variants, while pages move.
std::vector<Split> iterations(const TransposeCase& run, const MachineRates& rates) {
  const Reach how = reach(run.space, run.access, *rates.translation);
  const double bytes = run.a_bytes + run.b_bytes;
  const bool on_device = run.access.executor == Executor::Device;
  double far = how == Reach::Counters ? bytes : 0.0;
  std::vector<Split> out;
  for (const TransposeVariant& variant : run.variants)
    for (std::int64_t n = 0; n < run.iterations; ++n) {
      const double behind = how == Reach::Link ? 1.0 : far / bytes;
      Split split(near_memory(run.access.executor), (1.0 - behind) * near_seconds(run, variant, rates));
      split[Cause::Link] = behind * variant.link_bytes / rates[Rate::LinkBothWays];
      split[Cause::Launch] = on_device ? device_launch : host_launch;
      if (how == Reach::Faults && out.empty())
        split[Cause::Migration] = bytes / rates[on_device ? Rate::FaultsToDevice : Rate::FaultsToHost];
      far = std::max(0.0, far - split.total() * rates[Rate::CounterMigration]);
      out.push_back(split);
    }
  return out;
}

}  // namespace

Prediction predict(const TransposeCase& run, const MachineRates& rates) {
  const double bytes = run.a_bytes + run.b_bytes;
  const double largest = std::max(run.a_bytes, run.b_bytes);
  const int arrays = run.b_bytes > 0.0 ? 2 : 1;
  const bool pass_through = staged(run.space, run.access);
  const auto with_staging = [&](auto act) {
    Split split = act(run.space, arrays, bytes);
    if (pass_through) split += act(staging_space(run.access), 1, largest);
    return split;
  };
  const auto allocate = [&](MemorySpace space, int count, double size) {
    return allocation(space, count, size, rates);
  };
  const auto free = [&](MemorySpace space, int count, double size) {
    return release(space, count, size, run.access, rates);
  };
  Prediction out;
  out.sweeps = iterations(run, rates);
  Split transposing;
  for (const Split& each : out.sweeps) transposing += each;
  out.phases = {{"allocate", with_staging(allocate)},
                {"initialise",
                 initialisation(run.space, arrays, bytes, run.access, host_fill / run.host_threads, rates)},
                {"upload", upload(run.space, bytes, run.access, rates)},
                {"pack", {}},
                {"exchange", {}},
                {"transpose", transposing},
                {"download", download(run.space, largest, run.access, rates)},
                {"free", with_staging(free)}};
  return out;
}

}  // namespace memstencil::model
