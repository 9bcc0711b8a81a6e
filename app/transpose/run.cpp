// One run from allocation to release: the phases of the benchmark, timed.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/limit.hpp"
#include "app/transpose/result.hpp"
#include "app/transpose/transposer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace memstencil::transpose {

namespace {

constexpr double giga = 1e-9;

std::vector<double> gbs_of(double bytes, const std::vector<double>& seconds) {
  std::vector<double> rates;
  rates.reserve(seconds.size());
  for (const double each : seconds) rates.push_back(bytes / each * giga);
  return rates;
}

Mean mean_of(double bytes, const Timing& timing) {
  const Statistics s = statistics(timing.seconds, timing.measured);
  return {.seconds = s.mean,
          .ci95 = {s.confidence_low, s.confidence_high},
          .relative_half_width = s.relative_half_width,
          .gbs = bytes / s.mean * giga};
}

bool is_copy(const TimedVariant& variant) { return variant.name == name(Variant::Copy); }

/// A run on an execution space, of elements of this type.
template <class Exec, class T>
class Run {
public:
  Run(const Exec& exec, const Plan& plan, const Communicator& communicator, const GpuPaths& gpu)
      : exec_(exec),
        plan_(plan),
        communicator_(communicator),
        gpu_(gpu),
        meter_(plan.executor(), communicator) {}

  Repeat operator()() {
    transposer_.emplace(exec_, plan_, communicator_, gpu_, phases_);
    Repeat run;
    matrices().look(pages_, pages_.before);
    for (const Variant variant : plan_.variants) run.variants.push_back(measure(variant, &phases_));
    run.residency = residency_of_ranks(pages_, plan_.executor(), communicator_);
    download();
    if (std::none_of(run.variants.begin(), run.variants.end(), is_copy))
      run.variants.push_back(measure(Variant::Copy, nullptr));
    run.limit = limit(run);
    for (TimedVariant& each : run.variants) compare_with_limits(run, each);
    phases_.time("free", [&] {
      gpu_.connect({});
      transposer_.reset();
    });
    take_phases(run);
    run.pause = longest_pause(watch_, {}, communicator_);
    return run;
  }

private:
  Matrices<T>& matrices() { return transposer_->matrices(); }

  /// Timed, then verified. The parts of its time are added to the phases if these are given.
  TimedVariant measure(Variant variant, Phases* phases) {
    collectively(communicator_, [&] { warm_up<T>(exec_, variant, plan_.options.tile); });
    meter_.start();
    Timing timing = transposer_->time(variant, plan_.options.iterations);
    communicator_.maximum(timing.seconds);
    std::optional<Energy> energy = meter_.stop();
    pages_.after = {};  // of the last variant; the checks may move pages
    matrices().look(pages_, pages_.after);
    if (energy) energy->divide(static_cast<double>(timing.seconds.size()), 0);
    if (phases != nullptr)
      for (const auto& [part, seconds] : timing.parts.by_name()) phases->add(part, seconds);
    timing.parts.take_slowest(timing.parts.total(), communicator_);
    const double bytes = communicator_.sum(transposer_->bytes(variant));
    last_ = verify(exec_, variant, plan_.part(), matrices(), communicator_, [&](const auto& spoil) {
      transposer_->time(variant, 2, [&](std::int64_t done) {
        if (done == 1) spoil(), transposer_->tiles().spoil();
      });
    });
    TimedVariant out;
    out.name = name(variant);
    if (has_tiles(variant) && plan_.executor() == Executor::Device) out.tile = plan_.options.tile;
    out.gbs = spread_of(gbs_of(bytes, timing.seconds));
    out.bytes = bytes;
    out.iteration_seconds = spread_of(timing.seconds);
    out.mean = mean_of(bytes, timing);
    out.seconds = kept_samples(timing.seconds);
    out.energy = std::move(energy);
    if (plan_.ranks > 1) out.split = timing.parts.by_name();
    return out;
  }

  /// The last result, brought to the host; if it was copied, the host looks at all of it again.
  void download() {
    collectively(communicator_, [&] {
      const T* host = matrices().download(bytes_of<T>(last_.block), phases_);
      if (host != matrices().b())
        compare(Kokkos::DefaultHostExecutionSpace(), last_, host, "what was downloaded");
    });
    // Pages that the host has read may have moved to it: this brings them back to the executor
    // before the next measurement.
    transposer_->time(Variant::Copy, 1);
  }

  static const TimedVariant& copy(const Repeat& run) {
    return *std::find_if(run.variants.begin(), run.variants.end(), is_copy);
  }

  /// The copy; over a link the copy engine's transfer.
  Limit limit(const Repeat& run) {
    if (reached_over_link(plan_.placement.space, plan_.executor()))
      return measure_link(
          matrices().a(), bytes_of<T>(plan_.part().a()), [&] { exec_.fence("transpose: limit"); },
          communicator_);
    return {"copy", gbs_of(copy(run).bytes, copy(run).seconds)};
  }

  /// A transpose goes over a link both ways at a time, so that half of its bytes are held against
  /// the link's one direction.
  static void compare_with_limits(const Repeat& run, TimedVariant& each) {
    const double directions = run.limit.kind == "link" ? 2 : 1;
    each.of_copy = each.gbs.median / copy(run).gbs.median;
    each.fraction = each.gbs.median / (directions * run.limit.gbs);
  }

  /// Those of the slowest rank, and the means of this one.
  void take_phases(Repeat& run) {
    const double iterations =
        static_cast<double>(plan_.options.iterations) * static_cast<double>(plan_.variants.size());
    double timed = 0;
    for (const char* each : {"transpose", "pack", "exchange"}) {
      run.seconds_of_rank.emplace_back(each, phases_.seconds(each) / iterations);
      timed += phases_.seconds(each);
    }
    phases_.take_slowest(timed, communicator_);
    run.phases = phases_.by_name();
  }

  Exec exec_;
  const Plan& plan_;
  const Communicator& communicator_;
  const GpuPaths& gpu_;
  EnergyMeter meter_;
  Phases phases_{
      {"allocate", "initialise", "upload", "pack", "exchange", "transpose", "download", "free"}};
  PageMoves pages_;
  PauseWatch watch_;
  std::optional<Transposer<Exec, T>> transposer_;
  Expected last_{};
};

}  // namespace

Repeat run_once(const Plan& plan, const Communicator& communicator, const GpuPaths& gpu) {
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    return plan.options.type == ElementType::Float
               ? Run<Exec, float>(exec, plan, communicator, gpu)()
               : Run<Exec, double>(exec, plan, communicator, gpu)();
  });
}

}  // namespace memstencil::transpose
