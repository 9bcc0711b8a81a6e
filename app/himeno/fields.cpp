// The arrays of one rank: allocated in a memory space, touched first by an executor, brought to
// where the sweeps read them; and the memory limit, measured on them.
#include "app/himeno/fields.hpp"

#include "app/common/runtime/execution.hpp"
#include "kernels/copy_stream.hpp"
#include "kernels/jacobi/read_stream.hpp"
#include "kernels/regions.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil::himeno {

Fields::Fields(const jacobi::Grid& grid, const Placement& coefficients, const Placement& p)
    : grid_(grid), placement_(coefficients), placement_of_p_(p), staging_(coefficients, bytes()) {
  if (p.space != coefficients.space) staging_of_p_.emplace(p, bytes());
  const Array::Extents extents{grid.floats() + (jacobi::array_count + 1) * stagger};
  for (std::size_t n = 0; n < jacobi::array_count + 1; ++n) {
    const Placement& its = placement(n);
    fields_.emplace_back(its.space, extents, its.pages);
    advise(fields_.back().buffer(), its.advice, its.executor);
  }
  const auto at = [&](jacobi::ArrayId id) -> const float* { return array(id); };
  using namespace jacobi;
  arrays_ = {{at(A0), at(A1), at(A2), at(A3), at(B0), at(B1), at(B2), at(C0), at(C1), at(C2),
              at(WRK1), at(BND)},
             array(P),
             array(array_count)};
}

void Fields::initialise(const jacobi::Filling& filling, Phases& phases) {
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    float* const target = array(n);
    const auto id = n == jacobi::array_count ? jacobi::P : static_cast<jacobi::ArrayId>(n);
    phases.time("upload", [&] { staging(n).prepare(fields_[n].buffer()); });
    phases.time("initialise", [&] {
      with_execution_space(placement_.first_touch, [&](const auto& exec) {
        jacobi::initialise(exec, grid_, filling, id,
                           static_cast<float*>(staging(n).touched(target)));
      });
    });
    phases.time("upload", [&] { staging(n).upload(fields_[n].buffer(), target, bytes()); });
  }
}

void Fields::pre_touch(Phases& phases) const {
  phases.time("pre-touch", [&] {
    with_execution_space(placement_.executor, [&](const auto& exec) {
      for (std::size_t n = 0; n < fields_.size(); ++n)
        if (touch_makes_pages(placement(n).space))
          read_in_regions(exec, fields_[n].data(), static_cast<std::int64_t>(fields_[n].size()));
      exec.fence("himeno: pre-touch");
    });
  });
}

const float* Fields::download() {
  return static_cast<const float*>(staging(jacobi::P).download(arrays_.p, bytes()));
}

std::string Fields::add_places(PagePlaces& places, int gpu_node) const {
  constexpr std::size_t asked_pages = 4096;
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    if (!touch_makes_pages(placement(n).space)) continue;
    const Residency its = residency(fields_[n].buffer(), asked_pages);
    if (!its.known) return its.reason;
    places.add(its, gpu_node);
  }
  return {};
}

const float* Fields::behind_link() const {
  const auto far = [](const Placement& its) { return reached_over_link(its.space, its.executor); };
  if (far(placement_)) return array(0);
  return far(placement_of_p_) ? arrays_.p : nullptr;
}

template <class Exec>
Limit measure_limit(const Exec& exec, const Fields& fields, const Communicator& communicator) {
  const auto count = static_cast<std::int64_t>(fields.grid().floats());
  const double array_bytes = static_cast<double>(count) * sizeof(float);
  const auto fence = [&] { exec.fence("himeno: limit"); };
  if constexpr (executor_of<Exec> == Executor::Host) {
    const auto read = [&] {
      std::vector<jacobi::Stream> streams;
      for (const float* data : jacobi::array_list(fields.arrays().coefficients, fields.arrays().p))
        streams.push_back({data, count});
      volatile double sum = jacobi::read_stream(exec, streams);
      (void)sum;
    };
    return measure({"read stream", array_bytes * static_cast<double>(jacobi::array_count), read},
                   fence, communicator);
  } else {
    if (const float* const far = fields.behind_link(); far != nullptr) {
      const Buffer target(MemorySpace::Device,
                          std::min(fields.grid().floats() * sizeof(float), link_bytes));
      return measure(link_ceiling(target, far), fence, communicator);
    }
    // Five pairs of coefficient arrays, so that no cache holds what the next copy reads.
    constexpr std::size_t pairs = 5;
    const auto copy_pairs = [&] {
      for (std::size_t n = 0; n < pairs; ++n)
        copy_stream(exec, fields.array(2 * n), fields.array(2 * n + 1), count);
    };
    return measure({"copy", 2.0 * pairs * array_bytes, copy_pairs}, fence, communicator);
  }
}

#define MEMSTENCIL_INSTANTIATE(Exec) \
  template Limit measure_limit(const Exec&, const Fields&, const Communicator&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
