// The arrays of one rank: allocated in a memory space, touched first by an executor, brought to where
// the sweeps read them.
#include "app/himeno/fields.hpp"

#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

namespace memstencil::himeno {

Fields::Fields(const jacobi::Grid& grid, const Placement& coefficients, const Placement& p)
    : grid_(grid),
      placement_(coefficients),
      placement_of_p_(p),
      staging_(coefficients, grid.floats() * sizeof(float)) {
  if (p.space != coefficients.space) staging_of_p_.emplace(p, grid.floats() * sizeof(float));
  const Array::Extents extents{grid.floats() + (jacobi::array_count + 1) * stagger};
  for (std::size_t n = 0; n < jacobi::array_count + 1; ++n) {
    const Placement& its = placement(n);
    fields_.emplace_back(its.space, extents, its.pages);
    advise(fields_.back().buffer(), its.advice, its.executor);
  }
}

void Fields::initialise(const jacobi::Filling& filling, Phases& phases) {
  const Kernels& touch = kernels(placement_.first_touch);
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    float* const target = field(n);
    const auto array = n == jacobi::array_count ? jacobi::P : static_cast<jacobi::ArrayId>(n);
    phases.time("upload", [&] { staging(n).prepare(fields_[n].buffer()); });
    phases.time("initialise", [&] {
      touch.initialise(grid_, filling, array, static_cast<float*>(staging(n).touched(target)));
    });
    phases.time("upload",
                [&] { staging(n).upload(fields_[n].buffer(), target, grid_.floats() * sizeof(float)); });
  }
}

void Fields::download() {
  host_p_ = static_cast<const float*>(staging(p_index_).download(p(), grid_.floats() * sizeof(float)));
}

const float* Fields::behind_link() const {
  const auto far = [](const Placement& its) { return reached_over_link(its.space, its.executor); };
  if (far(placement_)) return field(0);
  return far(placement_of_p_) ? p() : nullptr;
}

jacobi::Coefficients Fields::coefficients() const {
  const auto at = [&](jacobi::ArrayId id) -> const float* { return field(id); };
  using namespace jacobi;
  return {at(A0), at(A1), at(A2), at(A3), at(B0), at(B1), at(B2), at(C0), at(C1), at(C2), at(WRK1), at(BND)};
}

jacobi::Arrays Fields::arrays() const {
  jacobi::Arrays out{};
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = n == jacobi::P ? p() : field(n);
  return out;
}

}  // namespace memstencil::himeno
