// Probe copy: what shifted and spread accesses cost a copy in device memory ([ufrgs-thesis], 4.2).
#include "app/membench/hierarchy/copy.hpp"

#include "app/membench/core/gpu.hpp"
#include "app/membench/hierarchy/word_copies.hpp"
#include "kernels/probes/link.hpp"
#include "kernels/probes/pattern.hpp"

#include <algorithm>
#include <map>

namespace memstencil::membench::copy_probe {

namespace {

/// [ufrgs-thesis], 4.1: at least 20 iterations, and until the 95 % interval is within 5 %.
constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 100};
/// [ufrgs-thesis], 4.2.2. Two such matrices fit into the L2 of a Hopper, so there is a larger one
/// beside it.
constexpr std::int64_t paper_side = 2048;
constexpr std::int64_t large_side = 16384;
/// Offsets and strides go from 1 to here.
constexpr std::int64_t most_steps = 32;
constexpr std::uint64_t seed = 2;
/// Twice that exceeds the L2 of a Hopper, and the host still verifies it byte by byte at once.
constexpr std::size_t most_bytes_of_words = std::size_t{64} << 20;

/// Two square matrices in device memory, each with room for the largest offset.
class Matrices {
public:
  explicit Matrices(std::int64_t side)
      : extents{side, side},
        from_(MemorySpace::Device, bytes(side)),
        to_(MemorySpace::Device, bytes(side)) {
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
  void check(const std::string& name, std::int64_t offset,
             const std::function<double()>& copy) const {
    fill(to_.data(), 0xFF, to_.bytes());
    copy();
    const std::size_t wrong = probes::device_pattern().wrong(to(), doubles(), 1, seed);
    // Nothing is written before and after the matrix: so many pairs of floats
    // have to be without the pattern.
    const auto beside = static_cast<std::size_t>((offset + 1) / 2 + (most_steps - offset + 1) / 2);
    verify(wrong == beside,
           "{}: {} pairs of floats differ from the source, expected are the {} "
           "that are beside the matrix",
           name, wrong, beside);
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
                    return in_cuda<probes::seconds_of>([&] {
                      for (int n = 0; n < times; ++n)
                        in_cuda<probes::copy_matrix>(to, from, m.extents, access);
                    });
                  }};
  };
  const auto transfer = [&m](const std::string& pattern, probes::Mover mover) {
    return Copier{pattern, {}, 0, [&m, mover](int times) {
                    return in_cuda<probes::transfer_seconds>(
                        probes::Transfer{m.to(), m.from(), m.floats() / 2}, mover, times);
                  }};
  };
  std::vector<Copier> all{transfer("cudaMemcpy", probes::Mover::CopyEngine),
                          transfer("coalesced, 16-byte", probes::Mover::Kernel),
                          elements("coalesced", {}, 0)};
  for (std::int64_t n = 1; n <= most_steps; ++n)
    all.push_back(elements("offset", {.offset = n}, n));
  for (std::int64_t n = 1; n <= most_steps; ++n)
    all.push_back(elements("stride", {.stride = n}, n));
  return all;
}

std::string title(const Copier& copier, std::int64_t side) {
  const std::string step = copier.step > 0 ? fmt::format(" {}", copier.step) : "";
  return fmt::format("{}{}, {} x {}", copier.pattern, step, side, side);
}

void measure_side(std::int64_t side, Collector& collector) {
  require_memory(MemorySpace::Device, 2 * Matrices::bytes(side));
  const Matrices matrices(side);
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(matrices.floats());
  const int times = back_to_back(bytes);
  for (const Copier& copier : copiers(matrices)) {
    const std::string name = title(copier, side);
    matrices.check(name, copier.access.offset, [&] { return copier.seconds(1); });
    collector.measure(
        name,
        {{"pattern", copier.pattern}, {"step", copier.step}, {"rows", side}, {"columns", side}},
        "GB/s", [&] { return times * bytes / copier.seconds(times) * 1e-9; });
  }
}

std::vector<std::int64_t> sides(const Settings& settings) {
  if (!settings.bytes)
    return settings.paper ? std::vector{paper_side} : std::vector{paper_side, large_side};
  const auto side =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(*settings.bytes) / sizeof(float)));
  constexpr std::int64_t block = probes::copy_block;
  return {std::max(side / block, std::int64_t{1}) * block};
}

bool larger_than_l2(std::int64_t side) { return Matrices::bytes(side) > gpu_facts().l2_bytes; }

/// A row of the table of a pattern. Bandwidths are those of the bytes that the sectors
/// have, not of those asked for.
void add_step(Record& table, const Measurement& m) {
  const std::int64_t step = m.parameters["step"];
  const WarpSectors sectors =
      count_sectors(m.parameters["pattern"] == "offset" ? probes::CopyPattern{.offset = step}
                                                        : probes::CopyPattern{.stride = step});
  const double gbs = median(m.samples);
  add_row(table, {{"step", step},
                  {"gbs", gbs},
                  {"sectors", sectors.touched},
                  {"l2_gbs", gbs * sectors.touched / sectors_asked}});
  if (!larger_than_l2(m.parameters["rows"])) return;
  add_row(table, {{"memory_sectors", sectors.fresh},
                  {"memory_gbs", gbs * sectors.fresh / sectors_asked},
                  {"memory_gbs_with_refills",
                   gbs * (2 * sectors.fresh + sectors.partial) / (2 * sectors_asked)}});
}

ProbeResult with_tables(ProbeResult result) {
  Record rates = Record::object(), of_memcpy = Record::object();
  for (const Measurement& m : result.measurements) {
    if (is_of_words(m)) continue;
    const std::int64_t side = m.parameters["rows"];
    const std::string size = fmt::format("{} x {}", side, side);
    const std::string pattern = m.parameters["pattern"];
    if (m.parameters["step"] > 0)
      add_step(result.tables[fmt::format("{}, {}", pattern, size)], m);
    else
      rates[size][pattern] = median(m.samples);
  }
  for (const auto& [size, gbs] : rates.items())
    for (const char* pattern : {"coalesced", "coalesced, 16-byte"})
      of_memcpy[size][pattern] = gbs[pattern].get<double>() / gbs["cudaMemcpy"].get<double>();
  result.derived["gbs"] = rates;
  result.derived["of_memcpy"] = of_memcpy;
  result.derived["l2_fetch_bytes"] = in_cuda<probes::l2_fetch_bytes>();
  result.notes = {
      "GB/s count the bytes asked for, read and written; an access is 4 bytes a thread in blocks "
      "of 16 x 16, as in the thesis, but 16 bytes in 'coalesced, 16-byte'",
      "sectors: 32-byte sectors that a warp's access of 128 bytes touches (4 at best); l2_gbs and "
      "memory_gbs count them instead of the bytes asked for, memory_gbs_with_refills also the "
      "reading of sectors that are written in part",
      "coalescing: of a warp's access the transactions of a GPU of compute capability 1.2 "
      "(segments of 32 to 128 bytes, by half-warp) and today's sectors; the bandwidth is today's",
      "the thesis counts 1024^3 bytes as a GB: its figures times 1.074 stand beside these"};
  add_word_tables(result);
  return result;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  for (const std::int64_t side : sides(settings))
    for (int n = settings.experiment_count(); n > 0; --n) {
      measure_side(side, collector);
      measure_words(std::min(Matrices::bytes(side), most_bytes_of_words), collector);
    }
  return with_tables(collector.result);
}

/// Rows so long that no warp that is looked at meets an end; a whole number
/// of sectors, as real ones are.
constexpr probes::MatrixExtents endless{2, std::int64_t{1} << 20};
constexpr std::int64_t floats_of_sector = sector_bytes / sizeof(float);

/// Number of the sector -> how many of its floats are accessed.
using Touched = std::map<std::int64_t, int>;

/// Adds the access of warp `n` of a pair of rows: half of its threads are in each.
void add_access(Touched& touched, const probes::CopyPattern& pattern, int n) {
  constexpr std::int64_t width = probes::copy_block;
  for (std::int64_t thread = 0; thread < 32; ++thread)
    ++touched[probes::copied_element(endless, pattern, n * width + thread % width, thread / width,
                                     0) /
              floats_of_sector];
}

Touched accesses(const probes::CopyPattern& pattern, int first, int last) {
  Touched touched;
  for (int n = first; n <= last; ++n) add_access(touched, pattern, n);
  return touched;
}

}  // namespace

extern const Probe probe{
    .name = "copy",
    .summary = "coalesced, offset and strided copies in device memory",
    .source = "[ufrgs-thesis], 4.2",
    .counted = "bytes asked for, read + written; bytes really moved by 32-byte sectors",
    .options = {&size_option},
    .refused = refuse_without_cuda,
    .run = run};

WarpSectors count_sectors(const probes::CopyPattern& pattern) {
  // A warp begins 16 * stride floats after the one before: its place in a sector repeats at once.
  constexpr int n = 1;
  const Touched own = accesses(pattern, n, n);
  const Touched before = accesses(pattern, n - 1, n - 1);
  const Touched around = accesses(pattern, n - 1, n + 1);
  WarpSectors count{.touched = static_cast<int>(own.size()), .fresh = 0, .partial = 0};
  for (const auto& [sector, floats] : own) {
    if (before.contains(sector)) continue;
    ++count.fresh;
    if (around.at(sector) < floats_of_sector) ++count.partial;
  }
  return count;
}

int back_to_back(double bytes) { return static_cast<int>(std::clamp(5e8 / bytes, 1.0, 20.0)); }

}  // namespace memstencil::membench::copy_probe
