// One run from allocation to release: the phases of the benchmark, timed.
#include "app/transpose/run.hpp"

#include "app/common/agree.hpp"
#include "app/common/profiled_phases.hpp"
#include "app/transpose/kernels.hpp"
#include "app/transpose/verify.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

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

  Memory(const Setup& setup, const Communicator& communicator)
      : matrices(setup, distribution(setup, setup.shapes.back(), communicator)),
        tiles(setup, distribution(setup, setup.shapes.back(), communicator), communicator) {}
};

template <class T>
Variant<T> variant_named(const std::string& name, const Setup& setup, const Distribution& part) {
  const Job<T> job{.rows = part.shape.rows,
                   .columns = part.shape.columns,
                   .a_pitch = part.a().pitch,
                   .b_pitch = part.b().pitch,
                   .operation = setup.operation};
  for (Variant<T>& variant : kernels<T>(setup.placement.executor).variants(job))
    if (variant.name == name) return variant;
  throw std::logic_error("no variant is named " + name);
}

/// One shape in the memory of a run.
template <class T>
class ShapeRun {
public:
  ShapeRun(const Setup& setup, const Shape& shape, Memory<T>& memory, const Communicator& communicator,
           const ShowProgress& show)
      : setup_(setup),
        part_(distribution(setup, shape, communicator)),
        matrices_(memory.matrices),
        transposer_(setup, part_, memory.matrices, memory.tiles, communicator),
        communicator_(communicator),
        show_(show) {}

  /// Timed, then verified. The parts of its time are added to the phases.
  VariantResult measure(const std::string& name, Phases& phases) {
    const auto variant = variant_named<T>(name, setup_, part_);
    agree(communicator_, [&] { warm_up(variant, setup_); });
    const std::string what = fmt::format("{}, {}", name, size_name(part_.shape));
    Timing timing =
        transposer_.time(variant, setup_.options.iterations, [&](std::int64_t done) { show_(what, done); });
    for (const char* each : {"pack", "exchange", "transpose"}) phases.add(each, timing.parts.seconds(each));
    communicator_.maximum(timing.seconds);
    timing.parts.take_slowest(timing.parts.total(), communicator_);
    std::array<double, 1> bytes{transposer_.bytes(variant)};
    communicator_.sum(bytes);
    last_ = verify(variant, setup_, part_, matrices_, transposer_, communicator_);
    return {name,
            bytes[0],
            timing.seconds,
            timing.parts.seconds("pack"),
            timing.parts.seconds("exchange"),
            timing.parts.seconds("transpose")};
  }

  /// The last result, brought to the host; where it had to be moved, the host looks at all of it again.
  void download(Phases& phases) {
    agree(communicator_, [&] {
      const T* host =
          phases.time("download", [&] { return matrices_.download(last_.data, bytes_of<T>(last_.block)); });
      if (host != last_.data) compare(last_, host, Executor::Host, "what was downloaded");
    });
  }

private:
  const Setup& setup_;
  Distribution part_;
  Matrices<T>& matrices_;
  Transposer<T> transposer_;
  const Communicator& communicator_;
  const ShowProgress& show_;
  Expected<T> last_{};
};

template <class T>
ShapeResult measure_shape(const Setup& setup, const Shape& shape, Memory<T>& memory,
                          const Communicator& communicator, const ShowProgress& show, Phases& phases) {
  agree(communicator, [&] { memory.matrices.initialise(distribution(setup, shape, communicator), phases); });
  ShapeRun<T> run(setup, shape, memory, communicator, show);
  ShapeResult result{shape, {}};
  for (const std::string& name : setup.variants) result.variants.push_back(run.measure(name, phases));
  run.download(phases);
  const bool yardstick =
      std::find(setup.variants.begin(), setup.variants.end(), copy_name) == setup.variants.end();
  Phases aside = named_phases();
  if (yardstick) result.variants.push_back(run.measure(std::string(copy_name), aside));
  return result;
}

template <class T>
Limit measure_link(const Setup& setup, const Matrices<T>& matrices, const Communicator& communicator) {
  const Distribution part = distribution(setup, setup.shapes.back(), communicator);
  const auto target = agree(communicator, [&] {
    const std::size_t bytes = std::clamp<std::size_t>(bytes_of<T>(part.a()), 1, link_bytes);
    return std::make_unique<Buffer>(MemorySpace::Device, bytes);
  });
  return measure(link_ceiling(*target, matrices.a()), kernels<T>(setup.placement.executor).fence,
                 communicator);
}

template <class T>
RunResult run_typed(const Setup& setup, const Communicator& communicator, const ShowProgress& show) {
  RunResult result{.phases = named_phases(), .shapes = {}, .link = {}};
  Phases& phases = result.phases;
  auto memory = agree(communicator, [&] {
    return phases.time("allocate", [&] { return std::make_unique<Memory<T>>(setup, communicator); });
  });
  for (const Shape& shape : setup.shapes)
    result.shapes.push_back(measure_shape(setup, shape, *memory, communicator, show, phases));
  if (reached_over_link(setup.placement.space, setup.placement.executor))
    result.link = measure_link(setup, memory->matrices, communicator);
  phases.time("free", [&] { memory.reset(); });
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
                       [](const VariantResult& variant) { return variant.name == copy_name; });
}

RunResult run_once(const Setup& setup, const Communicator& communicator, const ShowProgress& show) {
  return setup.options.type == ElementType::Float ? run_typed<float>(setup, communicator, show)
                                                  : run_typed<double>(setup, communicator, show);
}

}  // namespace memstencil::transpose
