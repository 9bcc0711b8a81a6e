// One run from allocation to release: the phases of the benchmark, timed.
#include "app/transpose/run.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/clock.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/phases.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/repeats.hpp"
#include "app/transpose/transposer.hpp"
#include "app/transpose/verify.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace memstencil::transpose {

namespace {

Phases named_phases() {
  return Phases(
      {"allocate", "initialise", "upload", "pack", "exchange", "transpose", "download", "free"});
}

/// The arrays of a run.
template <class T>
struct Memory {
  Matrices<T> matrices;
  Tiles<T> tiles;
  std::vector<T*> b_of_ranks;  ///< empty where messages carry tiles

  explicit Memory(const Plan& plan)
      : matrices(plan.placement, plan.part(), plan.operation == Operation::InPlace),
        tiles(plan.space_of_messages(), plan.packed_parts(), plan.cut_unit) {}

  /// Tells the GPUs' exchange, which must outlive this, of what it reaches. Collective.
  void connect(const Plan& plan, GpuExchange& gpu) {
    if (!plan.stores_into_others()) return tiles.enroll(gpu);
    enrolled_ = gpu.enroll(matrices.memory_of_b());
    for (int rank = 0; rank < plan.ranks; ++rank)
      b_of_ranks.push_back(rank == plan.rank ? matrices.b()
                                             : static_cast<T*>(gpu.reach(rank, enrolled_)));
  }

private:
  std::shared_ptr<void> enrolled_;
};

constexpr std::int64_t most_samples_alone = 10;
/// Iterations run without a fence between them; with --confidence one follows so many.
constexpr std::int64_t iterations_between_looks = 20;

/// One shape in the memory of a run.
template <class Exec, class T>
class ShapeRun {
public:
  ShapeRun(const Exec& exec, const Plan& plan, const Shape& shape, Memory<T>& memory,
           const Communicator& communicator, EnergyMeter& meter, const ShowProgress& show,
           GpuExchange* gpu)
      : exec_(exec),
        plan_(plan),
        rule_(iterations_of(plan.options)),
        part_(plan.part(shape)),
        matrices_(memory.matrices),
        tiles_(memory.tiles),
        transposer_(exec, part_, plan.operation, memory.matrices, memory.tiles, communicator, gpu,
                    memory.b_of_ranks),
        communicator_(communicator),
        meter_(meter),
        show_(show) {}

  ShapeResult operator()(Phases& phases) {
    collectively(communicator_, [&] { matrices_.initialise(part_, plan_.operation, phases); });
    if (part_.ranks > 1) transposer_.connect();
    ShapeResult result{part_.shape, {}};
    for (const Variant variant : plan_.variants)
      result.variants.push_back(measure(variant, phases));
    download(phases);
    // Pages that the host has read may have moved to it: what is measured from here on finds them
    // with the executor again.
    transposer_.once(Variant::Copy);
    Phases aside = named_phases();
    const auto copy = std::find(plan_.variants.begin(), plan_.variants.end(), Variant::Copy);
    if (copy == plan_.variants.end()) result.variants.push_back(measure(Variant::Copy, aside));
    return result;
  }

  /// The parts of an iteration of the first variant that sends messages;
  /// nothing where there is none.
  std::optional<Alone> alone() const {
    const auto sends = [](Variant variant) { return variant != Variant::Copy; };
    const auto variant = std::find_if(plan_.variants.begin(), plan_.variants.end(), sends);
    if (part_.ranks == 1 || variant == plan_.variants.end()) return {};
    const double bytes = communicator_.maximum(transposer_.bytes_out());
    const auto samples = std::clamp<std::int64_t>(plan_.options.iterations, 1, most_samples_alone);
    const auto seconds = [&](const std::function<void()>& pass) {
      std::vector<double> out;
      for (std::int64_t n = 0; n < samples; ++n) {
        communicator_.barrier();
        out.push_back(host_seconds([&] {
          pass();
          Kokkos::fence("transpose: parts");
        }));
      }
      communicator_.maximum(out);
      return out;
    };
    const auto exchange = seconds([&] { transposer_.exchange_alone(); });
    return Alone{.message_bytes = bytes,
                 .pack = statistics(seconds([&] { transposer_.pack_alone(); })).median,
                 .exchange = statistics(exchange).median,
                 .transpose = statistics(seconds([&] { transposer_.turn_alone(*variant); })).median,
                 .shortest_exchange = *std::min_element(exchange.begin(), exchange.end())};
  }

private:
  /// Timed, then verified. The parts of its time are added to the phases.
  VariantResult measure(Variant variant, Phases& phases) {
    collectively(communicator_, [&] { warm_up<T>(exec_, variant, plan_.operation); });
    meter_.start();
    Timing timing = timed(variant, rule_.fewest);
    std::string stopped = reason_to_stop(rule_, timing.seconds);
    while (stopped.empty()) {
      const auto done = static_cast<std::int64_t>(timing.seconds.size());
      timing.append(timed(variant, std::min(iterations_between_looks, rule_.most - done), done));
      stopped = reason_to_stop(rule_, timing.seconds);
    }
    Energy energy = meter_.stop();
    for (const auto& [part, seconds] : timing.parts.by_name()) phases.add(part, seconds);
    timing.parts.take_slowest(timing.parts.total(), communicator_);
    const double bytes = communicator_.sum(transposer_.bytes(variant));
    last_ = verify(exec_, variant, plan_.operation, part_, matrices_, communicator_, [&] {
      tiles_.spoil();
      transposer_.once(variant);
    });
    return {variant,
            bytes,
            timing.seconds,
            timing.parts.seconds("pack"),
            timing.parts.seconds("exchange"),
            timing.parts.seconds("transpose"),
            stopped,
            std::move(energy)};
  }

  /// Iterations after the first `before`, each as long as on its slowest rank: so all ranks find
  /// the same reason to stop. Collective.
  Timing timed(Variant variant, std::int64_t iterations, std::int64_t before = 0) const {
    Progress progress;
    if (show_)
      progress = [this, before,
                  what = fmt::format("{}, {}", name(variant), size_name(part_.shape))](
                     std::int64_t done, std::int64_t) { show_(what, before + done); };
    Timing timing = transposer_.time(variant, iterations, progress);
    communicator_.maximum(timing.seconds);
    return timing;
  }

  /// The last result, brought to the host; where it was copied, the host looks at all of it again.
  void download(Phases& phases) {
    collectively(communicator_, [&] {
      const T* host = matrices_.download(last_.data, bytes_of<T>(last_.block), phases);
      if (host != last_.data)
        compare(Kokkos::DefaultHostExecutionSpace(), last_, host, "what was downloaded");
    });
  }

  Exec exec_;
  const Plan& plan_;
  StoppingRule rule_;
  Distribution part_;
  Matrices<T>& matrices_;
  const Tiles<T>& tiles_;
  Transposer<Exec, T> transposer_;
  const Communicator& communicator_;
  EnergyMeter& meter_;
  const ShowProgress& show_;
  Expected<T> last_{};
};

template <class Exec, class T>
Limit measure_link(const Exec& exec, const Plan& plan, const Matrices<T>& matrices,
                   const Communicator& communicator) {
  const auto target = collectively(communicator, [&] {
    const std::size_t bytes = std::clamp<std::size_t>(bytes_of<T>(plan.part().a()), 1, link_bytes);
    return std::make_unique<Buffer>(MemorySpace::Device, bytes);
  });
  return measure(
      link_ceiling(*target, matrices.a()), [&] { exec.fence("transpose: limit"); }, communicator);
}

template <class T, class Exec>
RunResult run_typed(const Exec& exec, const Plan& plan, const Communicator& communicator,
                    const ShowProgress& show, GpuExchange* gpu) {
  RunResult result{.phases = named_phases(), .shapes = {}};
  Phases& phases = result.phases;
  auto memory = collectively(communicator, [&] {
    return phases.time("allocate", [&] { return std::make_unique<Memory<T>>(plan); });
  });
  if (gpu != nullptr) memory->connect(plan, *gpu);
  result.enrolled = memory->tiles.enrolled();
  EnergyMeter meter(plan.executor(), communicator);
  for (const Shape& shape : plan.shapes) {
    ShapeRun run(exec, plan, shape, *memory, communicator, meter, show, gpu);
    result.shapes.push_back(run(phases));
    if (&shape == &plan.shapes.back()) result.alone = run.alone();
  }
  if (reached_over_link(plan.placement.space, plan.executor()))
    result.link = measure_link(exec, plan, memory->matrices, communicator);
  phases.time("free", [&] { memory.reset(); });
  result.processors = processors(plan.placement, communicator);
  std::size_t iterations = 0;
  for (const ShapeResult& shape : result.shapes)
    for (std::size_t n = 0; n < plan.variants.size(); ++n)
      iterations += shape.variants.at(n).seconds.size();
  for (const char* each : {"transpose", "pack", "exchange"})
    result.own_seconds.emplace_back(each, phases.seconds(each) / static_cast<double>(iterations));
  phases.take_slowest(
      phases.seconds("pack") + phases.seconds("exchange") + phases.seconds("transpose"),
      communicator);
  return result;
}

}  // namespace

std::vector<double> VariantResult::rates() const {
  std::vector<double> out;
  for (const double each : seconds) out.push_back(bytes / each);
  return out;
}

const VariantResult& ShapeResult::copy() const {
  return *std::find_if(variants.begin(), variants.end(), [](const VariantResult& variant) {
    return variant.variant == Variant::Copy;
  });
}

RunResult run_once(const Plan& plan, const Communicator& communicator, const ShowProgress& show,
                   GpuExchange* gpu) {
  return with_execution_space(plan.executor(), [&](const auto& exec) {
    return plan.options.type == ElementType::Float
               ? run_typed<float>(exec, plan, communicator, show, gpu)
               : run_typed<double>(exec, plan, communicator, show, gpu);
  });
}

std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator,
                                   ProgressLine line, GpuExchange* gpu) {
  return repeated(plan.options.repeat, line, [&](const RunProgress& progress) {
    const auto show = [&](const std::string& what, std::int64_t done) {
      progress([&] {
        return fmt::format("{}: iteration {} of {}", what, done, plan.options.iterations);
      });
    };
    return run_once(plan, communicator, show, gpu);
  });
}

}  // namespace memstencil::transpose
