// The warp probe: sums over the threads of a warp and of a block, four ways (article 004, SHFL).
#include "app/common/failure.hpp"
#include "app/common/statistics.hpp"
#include "app/membench/compute/warp_expected.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/device_array.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/core/sm_cycles.hpp"
#include "kernels/probes/warp_sum.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <vector>

namespace memstencil::membench {

namespace {

using probes::SumMethod;
using probes::SumScope;

/// Sums that are timed, one after the other.
constexpr int sums = 1024;
/// Blocks of probes::sum_block threads that fill an SM.
constexpr int blocks_of_full_sm = 8;

constexpr Sampling usual{.warmups = 1, .repeats = 10, .limit = 30, .half_width = 0.05};

std::string name(SumMethod method) {
  switch (method) {
    case SumMethod::Shuffle:
      return "shuffle";
    case SumMethod::Shared:
      return "shared memory";
    case SumMethod::Hardware:
      return "hardware";
    case SumMethod::Cub:
      break;
  }
  return "CUB";
}

std::string name(SumScope scope) { return scope == SumScope::Warp ? "warp" : "block"; }

template <class T>
std::string type_name() {
  return std::is_same_v<T, int> ? "int32" : "fp32";
}

/// How many groups an SM has to sum over at a time.
struct Load {
  const char* name;
  int blocks, threads;  ///< of an SM, of a block
};

Load alone(SumScope scope) { return {"alone", 1, scope == SumScope::Warp ? 32 : probes::sum_block}; }
constexpr Load full{"full", blocks_of_full_sm, probes::sum_block};

/// One way to sum values of one type, with the device memory for it.
template <class T>
class Way {
public:
  Way(SumScope scope, SumMethod method)
      : scope_(scope),
        method_(method),
        results_(warps(full)),  // as many as there are with groups of a warp
        times_(warps(full)) {}

  std::string title() const {
    return fmt::format("{} sum of {} by {}", name(scope_), type_name<T>(), name(method_));
  }
  Record parameters(const Load& load) const {
    return {
        {"scope", name(scope_)}, {"type", type_name<T>()}, {"method", name(method_)}, {"load", load.name}};
  }

  /// Cycles of a sum: those in which the SM's groups were busy over each one's number of sums.
  /// @throws Failure(Verification) where a group's last sum is wrong
  double cycles(const Load& load) {
    results_.spoil();
    probes::SumJob<T> job;
    job.method = method_;
    job.scope = scope_;
    job.sums = sums;
    job.blocks = multiprocessors_ * load.blocks;
    job.threads = load.threads;
    job.results = results_.data();
    job.times = times_.data();
    probes::run_sums(job);
    verify(load);
    return sm_cycles(times_.first(warps(load)), load.blocks * load.threads / 32).median / sums;
  }

  int groups_of_sm(const Load& load) const { return load.blocks * load.threads / group(load); }

private:
  int group(const Load& load) const { return scope_ == SumScope::Warp ? 32 : load.threads; }
  std::size_t warps(const Load& load) const {
    return static_cast<std::size_t>(multiprocessors_ * load.blocks * load.threads / 32);
  }

  void verify(const Load& load) const {
    const T right = expected_sum(group(load), probes::sums_before + sums - 1, probes::sum_carry<T>);
    for (const T sum : results_.first(static_cast<std::size_t>(multiprocessors_ * groups_of_sm(load))))
      if (!right_sum(sum, right))
        throw Failure(ExitCode::Verification, fmt::format("{}: {} where {} is right", title(), sum, right));
  }

  int multiprocessors_ = gpu_facts().multiprocessors;
  SumScope scope_;
  SumMethod method_;
  DeviceArray<T> results_;
  DeviceArray<probes::WarpTimes> times_;
};

/// Adds both measurements of the way; gives the median cycles of a sum alone.
template <class T>
double measure_way(Way<T>& way, SumScope scope, const Sampling& sampling, Collector& collector) {
  const Load one = alone(scope);
  const Samples cycles = sample(sampling, [&] { return way.cycles(one); });
  collector.add(way.title() + ", alone", way.parameters(one), "cycles", cycles);
  collector.add(way.title() + ", full SM", way.parameters(full), "1/clock",
                sample(sampling, [&] { return way.groups_of_sm(full) / way.cycles(full); }));
  return statistics(cycles.values).median;
}

/// All ways to sum the type over the scope; how many times the shuffle's cycles the others take.
template <class T>
Record measure_all(SumScope scope, const Settings& settings, Collector& collector) {
  Record ratios = Record::object();
  double shuffle = 0;
  for (const SumMethod method : probes::all_sum_methods) {
    if (method == SumMethod::Hardware && !std::is_same_v<T, int>) continue;
    Way<T> way(scope, method);
    settings.progress(way.title());
    const double cycles = measure_way(way, scope, settings.sampling(usual, usual.repeats), collector);
    if (method == SumMethod::Shuffle)
      shuffle = cycles;
    else
      ratios[name(method) + " over shuffle"] = cycles / shuffle;
  }
  return ratios;
}

}  // namespace

ProbeResult run_warp(const Settings& settings) {
  Collector collector;
  ProbeResult result;
  for (int n = settings.experiment_count(1, 1); n > 0; --n)
    for (const SumScope scope : {SumScope::Warp, SumScope::Block}) {
      result.derived[name(scope) + ", int32"] = measure_all<int>(scope, settings, collector);
      result.derived[name(scope) + ", fp32"] = measure_all<float>(scope, settings, collector);
    }
  result.measurements = collector.measurements();
  result.notes = {
      fmt::format(
          "each sum needs the one before, by one multiply-add that is counted in; a block has {} threads",
          probes::sum_block),
      "alone: one warp or block on each SM; full: 64 warps on each; 1/clock: sums a clock and SM",
      "hardware: __reduce_add_sync (REDUX), integers only; CUB's sums of integers use it, too"};
  return result;
}

}  // namespace memstencil::membench
