// The model of transpose: its phases and each of its iterations, predicted
// from the rates of a machine.
#include "app/model/transpose_model.hpp"

#include <algorithm>
#include <map>

namespace memstencil::model {

namespace {

constexpr double unbounded = 1e15;
/// The bound of a variant on a GPU (docs/lab/transpose.md: an H100 and an H200 of 132
/// multiprocessors). That of naive-16 is taken from naive: it was not yet measured.
struct Bounds {
  double of_copy;         ///< part of the copy bandwidth, of floats
  double of_double_copy;  ///< of doubles
  double elements;        ///< a second, through shared memory
};
const std::map<std::string, Bounds> bounds_of{
    {"copy", {1.0, 1.0, unbounded}},       {"naive", {0.13, 0.19, unbounded}},
    {"tiled", {0.95, 0.95, 212e9}},        {"padded", {0.93, 0.95, 417e9}},
    {"diagonal", {0.90, 0.93, 386e9}},     {"diagonal-conflicts", {0.95, 0.95, 212e9}},
    {"naive-16", {0.13, 0.19, unbounded}}, {"portable", {0.96, 0.96, unbounded}},
    {"tuned", {0.96, 0.96, unbounded}},    {"vendor", {0.95, 0.93, unbounded}}};
constexpr Bounds any_bounds{0.9, 0.9, unbounded};
constexpr double bounds_multiprocessors = 132;
constexpr double of_any_host_copy = 0.9;
/// Scattered elements cross a link each in a transfer of its own, at this part of the speed of full
/// ones (0.073 of the copy, 4.5 times whose bytes they move).
constexpr double scattered_of_link = 0.36;
constexpr double device_launch = 5e-6;
constexpr double host_launch = 5e-6;
/// Seconds a byte and thread that the host takes to hash what it fills the matrices with.
constexpr double host_fill = 0.9e-9;

double near_seconds(const TransposeCase& run, const TransposeVariant& variant,
                    const MachineRates& rates) {
  if (run.access.executor == Executor::Host)
    return variant.memory_bytes /
           (rates[Rate::HostCopy] * (variant.name == "copy" ? 1.0 : of_any_host_copy));
  const auto found = bounds_of.find(variant.name);
  const Bounds& bounds = found == bounds_of.end() ? any_bounds : found->second;
  const double of_copy = run.element_bytes > 4.0 ? bounds.of_double_copy : bounds.of_copy;
  const double elements = run.a_bytes / run.element_bytes;
  return std::max(variant.memory_bytes / (rates[Rate::DeviceCopy] * of_copy),
                  elements / (bounds.elements * *rates.multiprocessors / bounds_multiprocessors));
}

/// The iterations of all variants, while pages move.
Steps iterations(const TransposeCase& run, const MachineRates& rates) {
  const AccessPath how = access_path(run.space, run.access, *rates.translation);
  const double bytes = run.a_bytes + run.b_bytes;
  const bool on_device = run.access.executor == Executor::Device;
  double far = how == AccessPath::Counters ? bytes : 0.0;
  bool first = true;
  Steps out;
  for (const TransposeVariant& variant : run.variants)
    for (std::int64_t left = run.iterations; left > 0;) {
      const std::int64_t alike = !first && far == 0.0 ? left : 1;
      const double behind = how == AccessPath::Link ? 1.0 : far / bytes;
      TimeByCause time(near_memory(run.access.executor),
                       (1.0 - behind) * near_seconds(run, variant, rates));
      time[Cause::Link] = behind * variant.link_bytes /
                          (rates[Rate::LinkBothWays] *
                           (variant.name.starts_with("naive") ? scattered_of_link : 1.0));
      time[Cause::Launch] = on_device ? device_launch : host_launch;
      if (how == AccessPath::Faults && first)
        time[Cause::Migration] =
            bytes / rates[on_device ? Rate::FaultsToDevice : Rate::FaultsToHost];
      far = std::max(0.0, far - time.total() * rates[Rate::CounterMigration]);
      out.add(time, alike);
      left -= alike;
      first = false;
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
    TimeByCause time = act(run.space, arrays, bytes);
    if (pass_through) time += act(staging_space(run.access), 1, largest);
    return time;
  };
  const auto allocate = [&](MemorySpace space, int count, double size) {
    return allocation(space, count, size, rates);
  };
  const auto free = [&](MemorySpace space, int count, double size) {
    return release(space, count, size, run.access, rates);
  };
  Prediction out;
  out.sweeps = iterations(run, rates);
  out.phases = {{"allocate", with_staging(allocate)},
                {"initialise", initialisation(run.space, arrays, bytes, run.access,
                                              host_fill / run.host_threads, rates)},
                {"upload", upload(run.space, bytes, run.access, rates)},
                {"pack", {}},
                {"exchange", {}},
                {"transpose", out.sweeps.sum()},
                {"download", download(run.space, largest, run.access, rates)},
                {"free", with_staging(free)}};
  return out;
}

}  // namespace memstencil::model
