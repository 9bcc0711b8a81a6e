// The copy probe: what shifted and spread accesses cost a copy in device memory (thesis 002, 4.2).
#include "kernels/probes/copy.hpp"

#include "app/common/failure.hpp"
#include "app/common/statistics.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/memory_check.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/hierarchy/sectors.hpp"
#include "kernels/probes/event_timer.hpp"
#include "kernels/probes/link.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace memstencil::membench {

namespace {

/// Thesis 002, 4.1: at least 20 iterations, and until the 95 % interval is within 5 %.
constexpr int paper_repeats = 20;
constexpr Sampling usual{.warmups = 2, .repeats = paper_repeats, .limit = 100, .half_width = 0.05};
/// Thesis 002, 4.2.2. Two such matrices fit into the L2 of a Hopper, so there is a larger one beside it.
constexpr std::int64_t paper_side = 2048;
constexpr std::int64_t large_side = 16384;
/// Offsets and strides go from 1 to here.
constexpr std::int64_t most_steps = 32;
constexpr std::uint64_t seed = 2;

/// Two square matrices in device memory, each with room for the largest offset.
class Matrices {
public:
  explicit Matrices(std::int64_t side)
      : extents{side, side}, from_(MemorySpace::Device, bytes(side)), to_(MemorySpace::Device, bytes(side)) {
    probes::device_pattern().write(from(), doubles(), 1, seed);
  }
  static std::size_t bytes(std::int64_t side) {
    return sizeof(float) * static_cast<std::size_t>(side * side + most_steps);
  }
  double* from() const { return static_cast<double*>(from_.data()); }
  double* to() const { return static_cast<double*>(to_.data()); }
  std::size_t floats() const { return static_cast<std::size_t>(extents.rows * extents.columns); }

  /// Runs a copy once and looks at every element, those beside the matrix included.
  /// @throws Failure(Verification)
  void verify(const std::string& name, std::int64_t offset, const std::function<double()>& copy) const {
    fill(to_.data(), 0xFF, to_.bytes());
    copy();
    const std::size_t wrong = probes::device_pattern().wrong(to(), doubles(), 1, seed);
    // Nothing is written before and after the matrix: so many pairs of floats have to be without the pattern.
    const auto beside = static_cast<std::size_t>((offset + 1) / 2 + (most_steps - offset + 1) / 2);
    if (wrong != beside)
      throw Failure(ExitCode::Verification,
                    fmt::format("{}: {} pairs of floats differ from the source, expected are the {} that are "
                                "beside the matrix",
                                name, wrong, beside));
  }

  const probes::MatrixExtents extents;

private:
  std::size_t doubles() const { return from_.bytes() / sizeof(double); }

  Buffer from_, to_;
};

/// One kind of copy of a matrix.
struct Copier {
  std::string pattern;         ///< value of the measurement's parameter, as is `step`
  probes::CopyPattern access;  ///< for the kernel that copies elements
  std::int64_t step = 0;
  std::function<double(int times)> seconds;  ///< of so many copies, one after the other
};

std::vector<Copier> copiers(const Matrices& m) {
  const auto elements = [&m](const std::string& pattern, const probes::CopyPattern& access,
                             std::int64_t step) {
    return Copier{pattern, access, step, [&m, access](int times) {
                    auto* const to = reinterpret_cast<float*>(m.to());
                    const auto* const from = reinterpret_cast<const float*>(m.from());
                    return probes::seconds_of([&] {
                      for (int n = 0; n < times; ++n) probes::copy_matrix(to, from, m.extents, access);
                    });
                  }};
  };
  const auto transfer = [&m](const std::string& pattern, probes::Mover mover) {
    return Copier{pattern, {}, 0, [&m, mover](int times) {
                    return probes::transfer_seconds({m.to(), m.from(), m.floats() / 2}, mover, times);
                  }};
  };
  std::vector<Copier> all{transfer("cudaMemcpy", probes::Mover::CopyEngine),
                          transfer("coalesced, 16-byte", probes::Mover::Kernel),
                          elements("coalesced", {}, 0)};
  for (std::int64_t n = 1; n <= most_steps; ++n) all.push_back(elements("offset", {.offset = n}, n));
  for (std::int64_t n = 1; n <= most_steps; ++n) all.push_back(elements("stride", {.stride = n}, n));
  return all;
}

std::string title(const Copier& copier, std::int64_t side) {
  const std::string step = copier.step > 0 ? fmt::format(" {}", copier.step) : "";
  return fmt::format("{}{}, {} x {}", copier.pattern, step, side, side);
}

/// The thesis divides the time of many iterations; so do we where one is short, that its start does not
/// count.
int back_to_back(double bytes) { return static_cast<int>(std::clamp(5e8 / bytes, 1.0, 20.0)); }

void measure_side(std::int64_t side, const Settings& settings, Collector& collector) {
  require_memory(MemorySpace::Device, 2 * Matrices::bytes(side));
  const Matrices matrices(side);
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(matrices.floats());
  const int times = back_to_back(bytes);
  for (const Copier& copier : copiers(matrices)) {
    const std::string name = title(copier, side);
    settings.progress(name);
    matrices.verify(name, copier.access.offset, [&] { return copier.seconds(1); });
    collector.add(
        name, {{"pattern", copier.pattern}, {"step", copier.step}, {"rows", side}, {"columns", side}}, "GB/s",
        sample(settings.sampling(usual, paper_repeats),
               [&] { return times * bytes / copier.seconds(times) * 1e-9; }));
  }
}

std::vector<std::int64_t> sides(const Settings& settings) {
  if (!settings.bytes) return settings.paper ? std::vector{paper_side} : std::vector{paper_side, large_side};
  const auto side =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(*settings.bytes) / sizeof(float)));
  constexpr std::int64_t block = probes::copy_block;
  return {std::max(side / block, std::int64_t{1}) * block};
}

bool larger_than_l2(std::int64_t side) { return Matrices::bytes(side) > gpu_facts().l2_bytes; }

/// A row of the table of a pattern. Bandwidths are those of the bytes that the sectors have, not of those
/// asked for.
void add_row(Record& table, const Measurement& m) {
  const std::int64_t step = m.parameters["step"];
  const WarpSectors sectors =
      count_sectors(m.parameters["pattern"] == "offset" ? probes::CopyPattern{.offset = step}
                                                        : probes::CopyPattern{.stride = step});
  const double gbs = statistics(m.samples.values).median;
  table["step"].push_back(step);
  table["gbs"].push_back(gbs);
  table["sectors"].push_back(sectors.touched);
  table["l2_gbs"].push_back(gbs * sectors.touched / sectors_asked);
  if (!larger_than_l2(m.parameters["rows"])) return;
  table["memory_sectors"].push_back(sectors.fresh);
  table["memory_gbs"].push_back(gbs * sectors.fresh / sectors_asked);
  table["memory_gbs_with_refills"].push_back(gbs * (2 * sectors.fresh + sectors.partial) /
                                             (2 * sectors_asked));
}

ProbeResult result_of(const std::vector<Measurement>& measurements) {
  ProbeResult result;
  result.measurements = measurements;
  Record rates = Record::object(), of_memcpy = Record::object();
  for (const Measurement& m : measurements) {
    const std::int64_t side = m.parameters["rows"];
    const std::string size = fmt::format("{} x {}", side, side);
    const std::string pattern = m.parameters["pattern"];
    if (m.parameters["step"] > 0)
      add_row(result.tables[fmt::format("{}, {}", pattern, size)], m);
    else
      rates[size][pattern] = statistics(m.samples.values).median;
  }
  for (const auto& [size, gbs] : rates.items())
    for (const char* pattern : {"coalesced", "coalesced, 16-byte"})
      of_memcpy[size][pattern] = gbs[pattern].get<double>() / gbs["cudaMemcpy"].get<double>();
  result.derived["gbs"] = rates;
  result.derived["of_memcpy"] = of_memcpy;
  result.derived["l2_fetch_bytes"] = probes::l2_fetch_bytes();
  result.notes = {
      "GB/s count the bytes asked for, read and written; an access is 4 bytes a thread in blocks of 16 x 16, "
      "as in the thesis, but 16 bytes in 'coalesced, 16-byte'",
      "sectors: 32-byte sectors that a warp's access of 128 bytes touches (4 at best); l2_gbs and memory_gbs "
      "count them instead of the bytes asked for, memory_gbs_with_refills also the reading of sectors that "
      "are written in part"};
  return result;
}

}  // namespace

ProbeResult run_copy(const Settings& settings) {
  Collector collector;
  for (const std::int64_t side : sides(settings))
    for (int n = settings.experiment_count(1, 1); n > 0; --n) measure_side(side, settings, collector);
  return result_of(collector.measurements());
}

}  // namespace memstencil::membench
