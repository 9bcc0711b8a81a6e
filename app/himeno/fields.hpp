// The arrays of one rank: allocated in a memory space, touched first by an executor, brought to where
// the sweeps read them.
#pragma once

#include "app/common/phases.hpp"
#include "app/himeno/kernels.hpp"
#include "app/placement/placement.hpp"
#include "app/placement/staging.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "memory_spaces/field.hpp"

#include <optional>
#include <vector>

namespace memstencil::himeno {

class Fields {
public:
  /// Allocates all arrays and gives the driver its advice; touches nothing. Both p may have a placement
  /// of their own, with the same executors.
  Fields(const jacobi::Grid& grid, const Placement& coefficients, const Placement& p);

  /// Fills the arrays (phase "initialise") by the executor of the first touch, and brings them to the
  /// sweeps' executor (phase "upload"): by copy into device memory, by prefetch where that is asked (before
  /// the first touch, where it touches first).
  void initialise(const jacobi::Filling& filling, Phases& phases);

  /// p made readable for host code: device memory is copied into a host buffer, other memory is read
  /// where it lies.
  void download();
  /// p after download(); rows of grid.pitch floats.
  const float* host_p() const { return host_p_; }

  jacobi::Coefficients coefficients() const;
  jacobi::Arrays arrays() const;  ///< with the present p
  float* p() const { return field(p_index_); }
  float* p_next() const { return field(p_next_index_); }
  void swap() { std::swap(p_index_, p_next_index_); }
  /// For the copy that measures the limit, after the results have been taken: array n of the
  /// coefficients, writable.
  float* scratch(std::size_t n) const { return field(n); }
  /// An array that the executor reaches over the link, or null where it reaches none so.
  const float* behind_link() const;

private:
  using Array = Field<float, 1>;
  /// Array n by ArrayId, then the second p. Each starts 256 bytes further into its pages than the one
  /// before: arrays that start alike fall on the same cache sets, fourteen of them on eight ways.
  float* field(std::size_t n) const { return fields_[n].data() + n * stagger; }
  static constexpr std::size_t stagger = 256 / sizeof(float);

  static bool is_p(std::size_t n) { return n == jacobi::P || n == jacobi::array_count; }
  const Placement& placement(std::size_t n) const { return is_p(n) ? placement_of_p_ : placement_; }
  Staging& staging(std::size_t n) { return is_p(n) && staging_of_p_ ? *staging_of_p_ : staging_; }

  jacobi::Grid grid_;
  Placement placement_, placement_of_p_;
  std::vector<Array> fields_;
  Staging staging_;
  std::optional<Staging> staging_of_p_;  ///< where p is in another space than the coefficients
  const float* host_p_ = nullptr;
  std::size_t p_index_ = jacobi::P;
  std::size_t p_next_index_ = jacobi::array_count;
};

}  // namespace memstencil::himeno
