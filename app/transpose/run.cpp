// One run from allocation to release: the phases of the benchmark, timed.
#include "app/transpose/run.hpp"

#include "app/benchmark/repeats.hpp"
#include "app/common/ranks/collectively.hpp"
#include "app/common/runtime/execution.hpp"
#include "app/common/runtime/profiled_phases.hpp"
#include "app/transpose/transposer.hpp"
#include "app/transpose/verify.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace memstencil::transpose {

namespace {

Phases named_phases() {
  return profiled_phases(
      {"allocate", "initialise", "upload", "pack", "exchange", "transpose", "download", "free"});
}

/// What a run holds in memory.
template <class T>
struct Memory {
  Matrices<T> matrices;
  Tiles<T> tiles;

  Memory(const Plan& plan, const Communicator& communicator)
      : matrices(plan.placement, plan.part(), plan.operation == Operation::InPlace),
        tiles(message_space(plan.executor(), plan.direct), plan.part(), communicator) {}
};

/// One shape in the memory of a run.
template <class Exec, class T>
class ShapeRun {
public:
  ShapeRun(const Exec& exec, const Plan& plan, const Shape& shape, Memory<T>& memory,
           const Communicator& communicator, EnergyMeter& meter, const ShowProgress& show)
      : exec_(exec),
        plan_(plan),
        part_(plan.part(shape)),
        matrices_(memory.matrices),
        transposer_(exec, part_, plan.operation, memory.matrices, memory.tiles, communicator),
        communicator_(communicator),
        meter_(meter),
        show_(show) {}

  ShapeResult operator()(Phases& phases) {
    collectively(communicator_, [&] { matrices_.initialise(part_, phases); });
    ShapeResult result{part_.shape, {}};
    for (const Variant variant : plan_.variants) result.variants.push_back(measure(variant, phases));
    download(phases);
    Phases aside = named_phases();
    const auto copy = std::find(plan_.variants.begin(), plan_.variants.end(), Variant::Copy);
    if (copy == plan_.variants.end()) result.variants.push_back(measure(Variant::Copy, aside));
    return result;
  }

private:
  /// Timed, then verified. The parts of its time are added to the phases.
  VariantResult measure(Variant variant, Phases& phases) {
    collectively(communicator_, [&] { warm_up<T>(exec_, variant, plan_.operation); });
    meter_.start();
    Timing timing = transposer_.time(variant, plan_.options.iterations, progress_of(variant));
    Energy energy = meter_.stop();
    for (const char* each : {"pack", "exchange", "transpose"}) phases.add(each, timing.parts.seconds(each));
    communicator_.maximum(timing.seconds);
    timing.parts.take_slowest(timing.parts.total(), communicator_);
    std::array<double, 1> bytes{transposer_.bytes(variant)};
    communicator_.sum(bytes);
    last_ = verify(exec_, variant, plan_.operation, part_, matrices_, communicator_,
                   [&] { transposer_.once(variant); });
    return {variant,
            bytes[0],
            timing.seconds,
            timing.parts.seconds("pack"),
            timing.parts.seconds("exchange"),
            timing.parts.seconds("transpose"),
            std::move(energy)};
  }

  Progress progress_of(Variant variant) const {
    if (!show_) return {};
    return [this, what = fmt::format("{}, {}", name(variant), size_name(part_.shape))](
               std::int64_t done, std::int64_t) { show_(what, done); };
  }

  /// The last result, brought to the host; where it had to be moved, the host looks at all of it again.
  void download(Phases& phases) {
    collectively(communicator_, [&] {
      const T* host =
          phases.time("download", [&] { return matrices_.download(last_.data, bytes_of<T>(last_.block)); });
      if (host != last_.data)
        compare(Kokkos::DefaultHostExecutionSpace(), last_, host, "what was downloaded");
    });
  }

  Exec exec_;
  const Plan& plan_;
  Distribution part_;
  Matrices<T>& matrices_;
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
                    const ShowProgress& show) {
  RunResult result{.phases = named_phases(), .shapes = {}, .own_seconds = {}, .link = {}};
  Phases& phases = result.phases;
  auto memory = collectively(communicator, [&] {
    return phases.time("allocate", [&] { return std::make_unique<Memory<T>>(plan, communicator); });
  });
  EnergyMeter meter(plan.executor(), communicator);
  for (const Shape& shape : plan.shapes)
    result.shapes.push_back(ShapeRun(exec, plan, shape, *memory, communicator, meter, show)(phases));
  if (reached_over_link(plan.placement.space, plan.executor()))
    result.link = measure_link(exec, plan, memory->matrices, communicator);
  phases.time("free", [&] { memory.reset(); });
  const auto iterations =
      plan.options.iterations * static_cast<std::int64_t>(plan.variants.size() * plan.shapes.size());
  for (const char* each : {"transpose", "pack", "exchange"})
    result.own_seconds.emplace_back(each, phases.seconds(each) / static_cast<double>(iterations));
  phases.take_slowest(phases.seconds("pack") + phases.seconds("exchange") + phases.seconds("transpose"),
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
  return *std::find_if(variants.begin(), variants.end(),
                       [](const VariantResult& variant) { return variant.variant == Variant::Copy; });
}

RunResult run_once(const Plan& plan, const Communicator& communicator, const ShowProgress& show) {
  return with_execution_space(plan.executor(), [&](const auto& exec) {
    return plan.options.type == ElementType::Float ? run_typed<float>(exec, plan, communicator, show)
                                                   : run_typed<double>(exec, plan, communicator, show);
  });
}

std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator, ProgressLine line) {
  return repeated(plan.options.repeat, line, [&](const RunProgress& progress) {
    return run_once(plan, communicator, [&](const std::string& what, std::int64_t done) {
      progress([&] { return fmt::format("{}: iteration {} of {}", what, done, plan.options.iterations); });
    });
  });
}

}  // namespace memstencil::transpose
