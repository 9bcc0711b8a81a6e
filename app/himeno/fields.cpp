// The arrays of one rank: allocated in a memory space, touched first by an executor, brought to
// where the sweeps read them; and the memory limit, measured on them.
#include "app/himeno/fields.hpp"

#include "app/base/runtime/execution.hpp"
#include "app/himeno/problem.hpp"
#include "kernels/copy_stream.hpp"
#include "kernels/regions.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil::himeno {

Fields::Fields(const Grid& grid, jacobi::Layout layout, const Placement& coefficients,
               const Placement& p)
    : grid_(grid),
      layout_(layout),
      placement_(coefficients),
      placement_of_p_(p),
      staging_(coefficients, staged_floats(grid, layout) * sizeof(float)) {
  if (p.space != coefficients.space) staging_of_p_.emplace(p, bytes());
  if (packed())
    allocate(jacobi::A0, jacobi::coefficient_count);
  else
    for (std::size_t id = 0; id < jacobi::array_count; ++id)
      if (id != jacobi::P) allocate(id, 1);
  allocate(jacobi::P, 1);
  allocate(jacobi::array_count, 1);
  arrays_ = {this->coefficients(), (fields_.end() - 2)->first(), fields_.back().first()};
}

void Fields::allocate(std::size_t id, std::size_t arrays) {
  using Values = Field<float, 1>;
  const Placement& its =
      id == jacobi::P || id == jacobi::array_count ? placement_of_p_ : placement_;
  const Values::Extents floats{arrays * grid_.elements() +
                               (jacobi::array_count + 1) * Array::stagger};
  fields_.push_back({id, arrays, Values(its.space, floats, its.pages)});
  advise(fields_.back().field.buffer(), its.advice, its.executor);
}

std::array<const Buffer*, 2> Fields::memory_of_p() const {
  return {&(fields_.end() - 2)->field.buffer(), &fields_.back().field.buffer()};
}

jacobi::Coefficients Fields::coefficients() const {
  if (packed()) return jacobi::packed_coefficients(fields_.front().first());
  jacobi::Coefficients out{};
  for (std::size_t n = 0; n < jacobi::coefficient_count; ++n) out.arrays[n] = fields_[n].first();
  return out;
}

void Fields::initialise(const jacobi::Filling& filling, Phases& phases) {
  for (const Array& array : fields_) initialise(array, filling, phases);
}

void Fields::initialise(const Array& array, const jacobi::Filling& filling, Phases& phases) {
  const auto id = array.is_p() ? jacobi::P : static_cast<jacobi::ArrayId>(array.id);
  const Staging& through = array.is_p() ? staging_of_p() : staging_;
  const Buffer& buffer = array.field.buffer();
  phases.time("upload", [&] { through.prepare(buffer); });
  const bool staged = through.touched(array.first()) != array.first();
  const std::int64_t planes = staged ? staged_planes(grid_, array.arrays) : grid_.extents[0];
  for (std::int64_t i = 0; i < grid_.extents[0]; i += planes) {
    Grid slab = grid_;
    slab.extents[0] = std::min(planes, grid_.extents[0] - i);
    jacobi::Filling its = filling;
    its.origin[0] += i;
    float* const target = array.first() + array.arrays * grid_.row(i, 0);
    phases.time("initialise", [&] {
      with_execution_space(placement_.first_touch, [&](const auto& exec) {
        auto* const data = static_cast<float*>(through.touched(target));
        if (array.arrays == 1)
          jacobi::initialise(exec, slab, its, id, data);
        else
          jacobi::initialise_packed(exec, slab, its, data);
      });
    });
    const std::size_t bytes_of_slab = array.arrays * slab.elements() * sizeof(float);
    phases.time("upload", [&] { through.upload(buffer, target, bytes_of_slab); });
  }
}

void Fields::pre_touch(Phases& phases) const {
  phases.time("pre-touch", [&] {
    with_execution_space(placement_.executor, [&](const auto& exec) {
      for (const Array& array : fields_)
        if (touch_makes_pages(placement(array).space))
          read_in_regions(exec, array.field.data(), static_cast<std::int64_t>(array.field.size()));
      exec.fence("himeno: pre-touch");
    });
  });
}

const float* Fields::download(Phases& phases) {
  const auto its = std::find_if(fields_.begin(), fields_.end(),
                                [&](const Array& array) { return array.first() == arrays_.p; });
  return staging_of_p().download(its->field.buffer(), arrays_.p, grid_.elements(), phases);
}

std::optional<StagingRecord> Fields::staging() const {
  // One at most: it is that of the arrays in device memory.
  const Staging& used = staging_.buffer() ? staging_ : staging_of_p();
  if (!used.buffer()) return {};
  std::size_t copied = &used == &staging_of_p() ? bytes() : 0;  // p comes back
  for (const Array& array : fields_)
    if (used.stages_first_touch() && &used == (array.is_p() ? &staging_of_p() : &staging_))
      copied += array.arrays * bytes();
  return StagingRecord{.memspace = std::string(name(used.buffer()->space())),
                       .bytes = static_cast<double>(used.buffer()->bytes()),
                       .copied_bytes = static_cast<double>(copied)};
}

std::string Fields::add_places(PagePlaces& places, int gpu_node) const {
  constexpr std::size_t asked_pages = 4096;
  for (const Array& array : fields_) {
    if (!touch_makes_pages(placement(array).space)) continue;
    const Residency its = residency(array.field.buffer(), asked_pages * array.arrays);
    if (!its.known) return its.reason;
    places.add(its, gpu_node);
  }
  return {};
}

const float* Fields::behind_link() const {
  const auto far = [](const Placement& its) { return reached_over_link(its.space, its.executor); };
  if (far(placement_)) return fields_.front().first();
  return far(placement_of_p_) ? arrays_.p : nullptr;
}

std::vector<Stream<float>> Fields::read_streams() const {
  const auto count = static_cast<std::int64_t>(grid_.elements());
  std::vector<Stream<float>> out;
  for (const Array& array : fields_)
    if (!array.is_p())
      out.push_back({array.first(), static_cast<std::int64_t>(array.arrays) * count});
  out.push_back({arrays_.p, count});
  return out;
}

float* Fields::twelfth(std::size_t n) const {
  return packed() ? fields_.front().first() + n * grid_.elements() : fields_[n].first();
}

template <class Exec>
Limit measure_limit(const Exec& exec, const Fields& fields, const Communicator& communicator) {
  const auto count = static_cast<std::int64_t>(fields.grid().elements());
  const double array_bytes = static_cast<double>(count) * sizeof(float);
  const auto fence = [&] { exec.fence("himeno: limit"); };
  if constexpr (executor_of<Exec> == Executor::Host) {
    const auto read = [&] {
      volatile double sum = read_stream(exec, fields.read_streams());
      (void)sum;
    };
    return measure({"read stream", array_bytes * static_cast<double>(jacobi::array_count), read},
                   fence, communicator);
  } else {
    if (const float* const far = fields.behind_link(); far != nullptr) {
      const Buffer target(MemorySpace::Device,
                          std::min(fields.grid().elements() * sizeof(float), link_bytes));
      return measure(link_ceiling(target, far), fence, communicator);
    }
    // Five pairs of coefficient arrays, so that no cache holds what the next copy reads.
    std::array<CopiedArray, 5> pairs{};
    for (std::size_t n = 0; n < pairs.size(); ++n)
      pairs[n] = {fields.twelfth(2 * n), fields.twelfth(2 * n + 1)};
    const double bytes = 2.0 * pairs.size() * array_bytes;
    const auto together = [&] { copy_stream(exec, pairs, count); };
    const auto each_alone = [&] {
      for (const CopiedArray& pair : pairs) copy_stream(exec, std::array{pair}, count);
    };
    // Short arrays are copied faster by one kernel, by up to a half; long ones alone, by 2 %.
    const Limit one = measure({"copy", bytes, together}, fence, communicator);
    const Limit five = measure({"copy", bytes, each_alone}, fence, communicator);
    return one.bytes_per_second > five.bytes_per_second ? one : five;
  }
}

#define MEMSTENCIL_INSTANTIATE(Exec) \
  template Limit measure_limit(const Exec&, const Fields&, const Communicator&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
