// The model of transpose: its phases and each of its iterations, from the rates of a machine.
#include "app/compare/predict/applications.hpp"

#include <algorithm>
#include <map>

namespace memstencil::compare::model {

namespace {

constexpr double unbounded = 1e15;
/// The bound of a variant on a GPU (docs/lab/transpose.md: an H100 and an H200 of 132
/// multiprocessors).
struct Bounds {
  double of_copy;         ///< part of the copy bandwidth, of floats
  double of_double_copy;  ///< of doubles
  double elements;        ///< a second, through shared memory
};
const std::map<std::string, Bounds> bounds_of{
    {"copy", {1.0, 1.0, unbounded}},       {"naive", {0.13, 0.19, unbounded}},
    {"tiled", {0.95, 0.95, 212e9}},        {"padded", {0.93, 0.95, 417e9}},
    {"diagonal", {0.90, 0.93, 386e9}},     {"diagonal-conflicts", {0.95, 0.95, 212e9}},
    {"portable", {0.96, 0.96, unbounded}}, {"tuned", {0.96, 0.96, unbounded}},
    {"vendor", {0.95, 0.93, unbounded}}};
constexpr Bounds any_bounds{0.9, 0.9, unbounded};
constexpr double bounds_multiprocessors = 132;
/// Scattered elements cross a link each in a transfer of its own, at this part of the speed of full
/// ones (0.073 of the copy, 4.5 times whose bytes they move).
constexpr double scattered_of_link = 0.36;
constexpr double launch = 5e-6;

double near_seconds(const TransposeCase& run, const TransposeVariant& variant,
                    const MachineRates& rates) {
  // Only naive variants were found to be bound by tiles of 16 x 16 as by 32 x 32.
  const auto found = bounds_of.find(variant.name.starts_with("naive") ? "naive" : variant.name);
  const Bounds& bounds = found == bounds_of.end() ? any_bounds : found->second;
  const double of_copy = run.element_bytes > 4 ? bounds.of_double_copy : bounds.of_copy;
  const double elements = run.a_bytes / run.element_bytes;
  return std::max(
      variant.memory_bytes / (rates[Rate::DeviceCopy] * of_copy),
      elements / (bounds.elements * rates.gpu_multiprocessors() / bounds_multiprocessors));
}

/// Seconds of an iteration where this fraction of the matrices is read over the link.
TimeByCause local_time(const TransposeCase& run, const TransposeVariant& variant, double far,
                       const MachineRates& rates) {
  TimeByCause time(Cause::Launch, launch);
  if (far < 1) time[Cause::DeviceMemory] = (1 - far) * near_seconds(run, variant, rates);
  if (far > 0)
    time[Cause::Link] =
        far * variant.link_bytes /
        (rates[Rate::LinkBothWays] * (variant.name.starts_with("naive") ? scattered_of_link : 1.0));
  return time;
}

/// The iterations of all variants, while pages move.
Steps iterations(const TransposeCase& run, const MachineRates& rates) {
  const double bytes = run.a_bytes + run.b_bytes;
  Pages pages(run, bytes, rates);
  Steps steps;
  for (const TransposeVariant& variant : run.variants)
    for (std::int64_t left = run.iterations; left > 0;) {
      TimeByCause time = local_time(run, variant, pages.far(), rates);
      if (pages.fault()) time[Cause::Migration] = bytes / rates[Rate::FaultsToDevice];
      const std::int64_t alike = pages.move(time.total(), 1, left);
      steps.add(time, alike);
      left -= alike;
    }
  return steps;
}

}  // namespace

Prediction predict(const TransposeCase& run, const MachineRates& rates) {
  const Arrays arrays{2, run.a_bytes + run.b_bytes, std::max(run.a_bytes, run.b_bytes)};
  return whole_run(arrays, run, rates, "transpose", [&] { return iterations(run, rates); });
}

}  // namespace memstencil::compare::model
