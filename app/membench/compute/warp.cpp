// Probe warp: sums over the threads of a warp and of a block by four methods, and transforms of a
// warp's numbers by two ([kepler-article], SHFL).
#include "app/membench/compute/expected.hpp"
#include "app/membench/core/gpu.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace memstencil::membench::warp_probe {

namespace {

using probes::FftExchange;
using probes::SumMethod;
using probes::SumScope;

/// Sums, and transforms, that are timed, one after the other.
constexpr int sums = 1024;
constexpr int transforms = 1024;
/// Blocks of probes::sum_block threads that fill an SM.
constexpr int blocks_of_full_sm = 8;

constexpr Sampling usual{.warmups = 1, .repeats = 20, .limit = 40};

std::string name(SumMethod method) {
  constexpr std::array names{"shuffle", "shared memory", "hardware", "CUB"};
  return names.at(static_cast<std::size_t>(method));
}

std::string name(SumScope scope) { return scope == SumScope::Warp ? "warp" : "block"; }

/// The number of groups that an SM sums over at a time.
struct Load {
  const char* name;
  int blocks, threads;  ///< of an SM, of a block
};

Load alone(SumScope scope) {
  return {"alone", 1, scope == SumScope::Warp ? 32 : probes::sum_block};
}
constexpr Load full{"full", blocks_of_full_sm, probes::sum_block};

int warps_of_sm(const Load& load) { return load.blocks * load.threads / 32; }

/// Sums of one type over one scope by one method, with the device memory for them.
template <class T>
class SumBenchmark {
public:
  SumBenchmark(SumScope scope, SumMethod method)
      : scope_(scope),
        method_(method),
        results_(warps(full)),  // as many as there are with groups of a warp
        times_(warps(full)) {}

  /// Adds both measurements.
  void measure(Collector& collector) {
    const Load one = alone(scope_);
    collector.measure(title() + ", alone", parameters(one), "cycles",
                      [&] { return cycles_of_sum(one); });
    collector.measure(title() + ", full SM", parameters(full), "1/clock",
                      [&] { return groups_of_sm(full) / cycles_of_sum(full); });
  }

private:
  static constexpr const char* type_name = std::is_same_v<T, int> ? "int32" : "fp32";

  std::string title() const {
    return fmt::format("{} sum of {} by {}", name(scope_), type_name, name(method_));
  }
  Record parameters(const Load& load) const {
    return {{"scope", name(scope_)},
            {"type", type_name},
            {"method", name(method_)},
            {"load", load.name}};
  }
  int group(const Load& load) const { return scope_ == SumScope::Warp ? 32 : load.threads; }
  int groups_of_sm(const Load& load) const { return load.blocks * load.threads / group(load); }
  std::size_t warps(const Load& load) const {
    return static_cast<std::size_t>(multiprocessors_ * warps_of_sm(load));
  }

  /// Those in which the SM's groups were busy over each one's number of sums.
  /// @throws Failure(Verification) where a group's last sum is wrong
  double cycles_of_sum(const Load& load) {
    results_.spoil();
    constexpr T carry = probes::sum_carry<T>;
    in_cuda<probes::run_sums<T>>(probes::SumJob<T>{method_, scope_, sums,
                                                   multiprocessors_ * load.blocks, load.threads,
                                                   carry, results_.data(), times_.data()});
    const T right = expected_sum(group(load), probes::sums_before + sums - 1, carry);
    verify_all(
        title(), results_.first(static_cast<std::size_t>(multiprocessors_ * groups_of_sm(load))),
        [right](std::size_t) { return right; }, allowed_error(right));
    return sm_cycles(times_.first(warps(load)), warps_of_sm(load)).median / sums;
  }

  int multiprocessors_ = gpu_facts().multiprocessors;
  SumScope scope_;
  SumMethod method_;
  DeviceArray<T> results_;
  DeviceArray<probes::WarpTimes> times_;
};

/// The type's sums over the scope by all methods.
template <class T>
void measure_all(SumScope scope, Collector& collector) {
  for (const SumMethod method : probes::all_sum_methods)
    if (method != SumMethod::Hardware || std::is_same_v<T, int>)
      SumBenchmark<T>(scope, method).measure(collector);
}

std::vector<probes::Complex> roots_of_one() {
  std::vector<probes::Complex> roots;
  for (int n = 0; n < probes::fft_points / 2; ++n) {
    const double angle = -2 * std::numbers::pi * n / probes::fft_points;
    roots.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
  return roots;
}

/// Transforms of the numbers of a warp's lanes: what an FFT does between neighbours.
class FftBenchmark {
public:
  FftBenchmark() { roots_.set(roots_of_one()); }

  /// Adds both measurements of an exchange.
  void measure(FftExchange exchange, Collector& collector) {
    const char* const method = exchange == FftExchange::Shuffle ? "shuffle" : "shared memory";
    const auto add = [&](const Load& load, const char* name, const char* unit, const auto& once) {
      collector.measure(
          fmt::format("FFT of 32 points by {}, {}", method, name),
          {{"scope", scope}, {"type", "fp32"}, {"method", method}, {"load", load.name}}, unit,
          once);
    };
    const Load one = alone(SumScope::Warp);
    add(one, "alone", "cycles", [&] { return cycles(exchange, one); });
    add(full, "full SM", "1/clock", [&] { return warps_of_sm(full) / cycles(exchange, full); });
  }

  static constexpr const char* scope = "FFT of a warp";

private:
  std::size_t warps(const Load& load) const {
    return static_cast<std::size_t>(multiprocessors_ * warps_of_sm(load));
  }

  /// Of one transform. @throws Failure(Verification) where a lane's last number is wrong
  double cycles(FftExchange exchange, const Load& load) {
    results_.spoil();
    in_cuda<probes::run_fft>(probes::FftJob{exchange, transforms, multiprocessors_ * load.blocks,
                                            load.threads, roots_.data(), results_.data(),
                                            times_.data()});
    std::vector<double> parts;
    for (const probes::Complex& number : results_.first(32 * warps(load))) {
      parts.push_back(number.re);
      parts.push_back(number.im);
    }
    verify_all(
        "FFT of 32 points, parts of numbers", parts,
        [&](std::size_t n) {
          const auto& right = expected_[n / 2 % probes::fft_points];
          return n % 2 == 0 ? right.real() : right.imag();
        },
        fft_error);
    return sm_cycles(times_.first(warps(load)), warps_of_sm(load)).median / transforms;
  }

  int multiprocessors_ = gpu_facts().multiprocessors;
  std::vector<std::complex<double>> expected_ = expected_fft(probes::ffts_before + transforms);
  DeviceArray<probes::Complex> roots_{probes::fft_points / 2}, results_{32 * warps(full)};
  DeviceArray<probes::WarpTimes> times_{warps(full)};
};

/// How many times the shuffle's cycles the others take, and, of the FFT, how many times as many
/// shuffles make a clock: from the medians over all experiments.
Record ratios(const std::vector<Measurement>& measurements) {
  Record medians, derived = Record::object();
  for (const Measurement& m : measurements) {
    const std::string scope = m.parameters["scope"], type = m.parameters["type"],
                      load = m.parameters["load"], method = m.parameters["method"];
    const std::string kind = scope == FftBenchmark::scope ? scope : scope + ", " + type;
    medians[kind][load][method] = median(m.samples);
  }
  for (const auto& [kind, of_load] : medians.items()) {
    const double shuffle = of_load["alone"]["shuffle"];
    for (const auto& [method, cycles] : of_load["alone"].items())
      if (method != "shuffle")
        derived[kind][method + " over shuffle"] = cycles.get<double>() / shuffle;
  }
  const Record& per_clock = medians[FftBenchmark::scope]["full"];
  derived[FftBenchmark::scope]["shuffle over shared memory, full SM"] =
      per_clock["shuffle"].get<double>() / per_clock["shared memory"].get<double>();
  return derived;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  ProbeResult& result = collector.result;
  for (int n = settings.experiment_count(); n > 0; --n) {
    for (const SumScope scope : {SumScope::Warp, SumScope::Block}) {
      measure_all<int>(scope, collector);
      measure_all<float>(scope, collector);
    }
    FftBenchmark ffts;
    for (const FftExchange exchange : {FftExchange::Shuffle, FftExchange::Shared})
      ffts.measure(exchange, collector);
  }
  result.derived = ratios(result.measurements);
  result.notes = {
      "each sum needs the one before, by one multiply-add that is counted in; each transform "
      "needs the one before",
      fmt::format("alone: one warp or block (of {} threads) on each SM; full: 64 warps on each",
                  probes::sum_block),
      "1/clock: sums (transforms) a clock and SM",
      "FFT: 32 complex numbers, one a lane; five butterflies, with the lanes 16, 8, 4, 2 and 1 "
      "away",
      "hardware: __reduce_add_sync (REDUX), integers only; CUB's sums of integers use it, too"};
  return result;
}

}  // namespace

extern const Probe probe{
    .name = "warp",
    .summary = "sums and FFTs over a warp, sums over a block: shuffle, shared memory, hardware",
    .source = "[kepler-article]",
    .counted = "cycles a sum or FFT, sums or FFTs per clock",
    .refused = refuse_without_cuda,
    .run = run};

}  // namespace memstencil::membench::warp_probe
