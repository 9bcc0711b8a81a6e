// The arrays of one rank: allocated in a memory space, touched first by an executor, brought to
// where the sweeps read them; and the memory limit, measured on them.
#pragma once

#include "app/base/runtime/phases.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/page_places.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/staging.hpp"
#include "kernels/jacobi/initialise.hpp"
#include "kernels/read_stream.hpp"
#include "memory_spaces/field.hpp"

#include <array>
#include <optional>
#include <vector>

namespace memstencil::himeno {

class Fields {
public:
  /// Allocates all arrays, or both p and one array of packed coefficients, and gives the driver its
  /// advice; touches nothing. Both p may have a placement of their own, with the same executors.
  Fields(const Grid& grid, jacobi::Layout layout, const Placement& coefficients,
         const Placement& p);

  /// Fills the arrays (phase "initialise") by the executor of the first touch, and brings them to
  /// the sweeps' executor (phase "upload"): by copy into device memory, by prefetch where that is
  /// asked (before the first touch, where it touches first).
  void initialise(const jacobi::Filling& filling, Phases& phases);

  /// The sweeps' executor reads all pages that came from the first touch (phase "pre-touch"), so
  /// that they move to it where they do ([tsukuba-thesis-2024], 5.3.1). Waits for it.
  void pre_touch(Phases& phases) const;

  /// The solver changes the places of p and p_next in it.
  jacobi::Arrays& arrays() { return arrays_; }
  const jacobi::Arrays& arrays() const { return arrays_; }
  const Grid& grid() const { return grid_; }
  /// In which both p lie.
  std::array<const Buffer*, 2> memory_of_p() const;

  /// p on the host, in rows of grid.pitch floats (phase "download"): Staging::download().
  const float* download(Phases& phases);

  /// Adds the places of this rank's pages in memory whose pages come from the first touch, of up to
  /// 4096 an array. Moves none. Gives the reason where the system does not tell.
  std::string add_places(PagePlaces& places, int gpu_node) const;

  /// The buffer through which arrays pass, and the bytes that do; nothing where there is none.
  std::optional<StagingRecord> staging() const;

  /// All that a sweep reads.
  std::vector<Stream<float>> read_streams() const;
  /// Array `n` of the twelve coefficients, or as large a part of them where they are packed.
  float* twelfth(std::size_t n) const;
  /// An array that the executor reaches over the link, or null where it reaches none so.
  const float* behind_link() const;

private:
  /// An allocation.
  struct Array {
    std::size_t id;      ///< ArrayId, or array_count for the second p; of packed ones the first
    std::size_t arrays;  ///< that it holds: 12 where it holds all coefficients
    Field<float, 1> field;

    /// Each array starts 256 bytes further into its pages than the one before: arrays that start
    /// alike fall on the same cache sets, fourteen of them on eight ways.
    static constexpr std::size_t stagger = 256 / sizeof(float);
    float* first() const { return field.data() + id * stagger; }
    bool is_p() const { return id == jacobi::P || id == jacobi::array_count; }
  };

  void allocate(std::size_t id, std::size_t arrays);
  jacobi::Coefficients coefficients() const;
  void initialise(const Array& array, const jacobi::Filling& filling, Phases& phases);
  const Placement& placement(const Array& array) const {
    return array.is_p() ? placement_of_p_ : placement_;
  }
  Staging& staging_of_p() { return staging_of_p_ ? *staging_of_p_ : staging_; }
  const Staging& staging_of_p() const { return staging_of_p_ ? *staging_of_p_ : staging_; }
  std::size_t bytes() const { return grid_.elements() * sizeof(float); }
  bool packed() const { return layout_ == jacobi::Layout::Packed; }

  Grid grid_;
  jacobi::Layout layout_;
  Placement placement_, placement_of_p_;
  std::vector<Array> fields_;  ///< the coefficients come first
  jacobi::Arrays arrays_;
  Staging staging_;
  std::optional<Staging> staging_of_p_;  ///< where p is in another space than the coefficients
};

/// The bandwidth that the execution space gets from these arrays' memory: on the host a vectorised
/// read of all arrays by all threads; on a GPU with arrays in host memory the copy engine's
/// transfer over the link; on a GPU otherwise a copy (read + written) between the arrays.
/// Overwrites the coefficients: call it last. Collective.
template <class Exec>
Limit measure_limit(const Exec& exec, const Fields& fields, const Communicator& communicator);

}  // namespace memstencil::himeno
