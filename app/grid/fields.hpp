// The arrays of one rank of a grid code: allocated in a memory space, touched first by an executor,
// brought to where the sweeps read them; and the memory limit, measured on them.
#pragma once

#include "app/base/runtime/execution.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/phases.hpp"
#include "app/bench/staging.hpp"
#include "app/grid/plan.hpp"
#include "kernels/grid/grid.hpp"
#include "kernels/regions.hpp"
#include "kernels/streams.hpp"
#include "memory_spaces/field.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// Allocations of one or more arrays each. The last two are p and p_next.
template <class Value>
class Fields {
public:
  /// Gives the driver its advice; touches nothing.
  /// @param widths arrays of the grid's size in each allocation
  Fields(const Grid& grid, const Placement& placement, const std::vector<std::size_t>& widths)
      : grid_(grid),
        placement_(placement),
        widths_(widths),
        staging_(placement, static_cast<std::size_t>(staged_values(grid, widths)) * sizeof(Value)) {
    for (const std::size_t width : widths) {
      const bool is_p = fields_.size() + 2 >= widths.size();
      const bool last = fields_.size() + 1 == widths.size();
      fields_.emplace_back(is_p ? placement.mapped_kind() : placement.kind(),
                           std::array{width * grid.elements() + widths.size() * stagger},
                           last   ? "p_next"
                           : is_p ? "p"
                                  : "coefficients " + std::to_string(fields_.size()));
      advise(fields_.back().buffer(), placement.advice, placement.executor);
    }
  }

  const Grid& grid() const { return grid_; }
  /// The first value of an allocation.
  Value* data(std::size_t number) const { return fields_[number].data() + number * stagger; }
  Value* p() const { return data(fields_.size() - 2); }
  Value* p_next() const { return data(fields_.size() - 1); }
  /// In which both p lie.
  std::array<const Buffer*, 2> memory_of_p() const {
    return {&(fields_.end() - 2)->buffer(), &fields_.back().buffer()};
  }

  /// Fills the arrays (phase "initialise") by the executor of the first touch, and brings them to
  /// the sweeps' executor (phase "upload"): by copy into device memory, by prefetch if that
  /// is asked (before the first touch, if it touches first).
  /// @param fill (exec, allocation's number, slab, its first plane, target) writes all of the slab
  template <class Fill>
  void initialise(const Fill& fill, Phases& phases) {
    for (std::size_t number = 0; number < fields_.size(); ++number) {
      const std::size_t width = widths_[number];
      const std::int64_t planes =
          staging_.stages_first_touch() ? staged_planes(grid_, width) : grid_.extents[0];
      for (std::int64_t i = 0; i < grid_.extents[0]; i += planes) {
        Grid slab = grid_;
        slab.extents[0] = std::min(planes, grid_.extents[0] - i);
        staging_.touch(fields_[number].buffer(), data(number) + width * grid_.row(i, 0),
                       width * slab.elements() * sizeof(Value), phases,
                       [&](const auto& exec, void* where) {
                         fill(exec, number, slab, i, static_cast<Value*>(where));
                       });
      }
    }
  }

  /// The sweeps' executor reads all pages that came from the first touch (phase "pre-touch"), so
  /// that pages which can move do so ([tsukuba-thesis-2024], 5.3.1). Waits for it.
  void pre_touch(Phases& phases) const {
    phases.time("pre-touch", [&] {
      with_execution_space(placement_.executor, [&](const auto& exec) {
        for (const auto& each : fields_)
          if (touch_makes_pages(placement_.space))
            read_in_regions(exec, each.data(), static_cast<std::int64_t>(each.size()));
        exec.fence("grid: pre-touch");
      });
    });
  }

  /// One of both p on the host, in rows of grid.pitch values (phase "download"):
  /// Staging::download().
  const Value* download(const Value* p, Phases& phases) {
    return staging_.download(p, grid_.elements(), phases);
  }

  /// The buffer through which arrays pass, and the bytes that pass it; or nothing.
  std::optional<StagingRecord> staging() const {
    if (!staging_.buffer()) return {};
    std::size_t arrays = 1;  // p comes back
    if (staging_.stages_first_touch())
      for (const std::size_t width : widths_) arrays += width;
    return StagingRecord{
        .memspace = std::string(name(staging_.buffer()->space())),
        .bytes = static_cast<double>(staging_.buffer()->bytes()),
        .copied_bytes = static_cast<double>(arrays * grid_.elements() * sizeof(Value))};
  }

  /// Adds the places of this rank's pages to `places`, one of the two of `moves`.
  void look(PageMoves& moves, PageSides& places) const {
    for (std::size_t n = 0; n < fields_.size(); ++n)
      moves.look(places, fields_[n].buffer(), widths_[n]);
  }

  /// All that a sweep reads.
  std::vector<Stream<Value>> read_streams() const {
    std::vector<Stream<Value>> out;
    for (std::size_t n = 0; n + 1 < fields_.size(); ++n)
      out.push_back({data(n), static_cast<std::int64_t>(widths_[n] * grid_.elements())});
    return out;
  }
  /// Array `n`, counted over all allocations, or as large a part of packed ones.
  Value* array(std::size_t n) const {
    std::size_t number = 0;
    for (; n >= widths_[number]; ++number) n -= widths_[number];
    return data(number) + n * grid_.elements();
  }
  bool behind_link() const { return reached_over_link(placement_.space, placement_.executor); }
  bool compressible() const { return placement_.allocation == Allocation::Compressible; }

private:
  /// Each allocation starts 256 bytes further into its pages than the one before: arrays that start
  /// alike fall on the same cache sets, fourteen of them on eight ways.
  static constexpr std::size_t stagger = 256 / sizeof(Value);

  Grid grid_;
  Placement placement_;
  std::vector<std::size_t> widths_;
  std::vector<Field<Value, 1>> fields_;
  Staging staging_;
};

/// The bandwidth of a stream that reads and writes as many arrays as a sweep does, over what they
/// hold: of memory that the GPU compresses it depends on that. So call it before the sweeps.
/// p_next, which it writes, gets what p holds, as both are filled alike. Collective.
template <std::size_t reads, class Exec, class Value>
Limit measure_as_filled(const Exec& exec, const Fields<Value>& fields,
                        const Communicator& communicator) {
  const auto floats = [&](std::size_t n) { return reinterpret_cast<float*>(fields.array(n)); };
  const std::size_t bytes = fields.grid().elements() * sizeof(Value);
  const auto count = static_cast<std::int64_t>(bytes / sizeof(float));
  const auto fence = [&] { exec.fence("grid: limit"); };
  std::array<WrittenArray<reads>, 1> sum{{{floats(reads), {}}}};
  for (std::size_t n = 0; n < reads; ++n) sum[0].from[n] = floats(n);
  const Limit limit = measure(
      std::to_string(reads) + (reads > 1 ? " reads" : " read") + " : 1 write, as filled",
      (reads + 1.0) * static_cast<double>(bytes), [&] { copy_stream(exec, sum, count); }, fence,
      communicator);
  copy_stream(exec, std::array{WrittenArray<1>{floats(reads), {floats(reads - 1)}}}, count);
  fence();
  return limit;
}

/// The bandwidth that the execution space gets from these arrays' memory. On the host: of an
/// application that reads many arrays a vectorised read of them by all threads; of one that writes
/// as much as it reads a copy with its ordinary stores, so that reading the lines that they
/// allocate takes part of it as well. On a GPU with arrays in host memory the copy engine's
/// transfer over the link; on a GPU otherwise a copy (read + written) between the arrays.
/// Overwrites the arrays, unless they are behind a link: call it last. Of compressible
/// memory measure_as_filled(). Collective.
template <std::size_t reads, class Exec, class Value>
Limit measure_limit(const Exec& exec, const Fields<Value>& fields,
                    const Communicator& communicator) {
  const auto fence = [&] { exec.fence("grid: limit"); };
  const std::size_t bytes = fields.grid().elements() * sizeof(Value);
  if (fields.behind_link()) return measure_link(fields.array(0), bytes, fence, communicator);
  if (fields.compressible()) return measure_as_filled<reads>(exec, fields, communicator);
  if constexpr (executor_of<Exec> == Executor::Host && reads > 1) {
    const std::vector<Stream<Value>> streams = fields.read_streams();
    double all = 0;
    for (const Stream<Value>& each : streams) all += static_cast<double>(each.count);
    const auto read = [&] {
      volatile double sum = read_stream(exec, streams);
      (void)sum;
    };
    return measure("read stream", all * sizeof(Value), read, fence, communicator);
  } else {
    // Several arrays in one kernel: no cache holds the values that the next copy reads, and short
    // arrays, each by a kernel of its own, are copied by up to a half more slowly.
    constexpr std::size_t pairs = std::min<std::size_t>(5, (reads + 1) / 2);
    std::array<WrittenArray<1>, pairs> copied{};
    const auto floats = [&](std::size_t n) { return reinterpret_cast<float*>(fields.array(n)); };
    for (std::size_t n = 0; n < pairs; ++n) copied[n] = {floats(2 * n), {floats(2 * n + 1)}};
    const auto count = static_cast<std::int64_t>(bytes / sizeof(float));
    return measure(
        "copy", 2.0 * pairs * static_cast<double>(bytes), [&] { copy_stream(exec, copied, count); },
        fence, communicator);
  }
}

}  // namespace memstencil
