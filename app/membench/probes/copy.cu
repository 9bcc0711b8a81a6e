// Probe copy: what shifted and spread accesses cost a copy in device memory ([ufrgs-thesis], 4.2):
// one thread an element, blocks of 16 x 16.
#include "app/membench/core/transfer.cuh"
#include "kernels/portable.hpp"

#include <algorithm>
#include <cstdint>

namespace memstencil::membench {

namespace {

/// A row-major matrix of floats.
struct MatrixExtents {
  std::int64_t rows = 0, columns = 0;  ///< columns: a multiple of copy_block
};

/// Threads of a block in each direction ([ufrgs-thesis], section 4.2.2); a thread copies one
/// element.
constexpr unsigned copy_block = 16;

/// The element that a thread copies. Coalesced: offset 0, stride 1.
struct CopyPattern {
  std::int64_t offset = 0;  ///< all accesses are shifted by so many elements
  std::int64_t stride = 1;  ///< neighbouring threads are so many elements apart
};

/// Element of the matrix, shift included, that thread (x, y) of the grid copies in one of `stride`
/// passes over a row: pass p takes columns p, p + stride, p + 2 * stride, ... The thesis leaves
/// open what becomes of the elements between; here every element is copied once.
MEMSTENCIL_FUNCTION std::int64_t copied_element(const MatrixExtents& matrix,
                                                const CopyPattern& pattern, std::int64_t x,
                                                std::int64_t y, std::int64_t pass) {
  return pattern.offset + y * matrix.columns + x * pattern.stride + pass;
}

/// Offsets and strides go from 1 to here.
constexpr std::int64_t most_steps = 32;

#ifdef MEMSTENCIL_CUDA
/// Of a matrix that L2 holds: passes over it inside the kernel, several of them under way.
constexpr int passes_in_l2 = 64, in_flight = 4;

struct CopyWork {
  float* to;
  const float* from;
  MatrixExtents matrix;
  CopyPattern pattern;
};

/// Grid: x along a row, y over the rows, z the passes over a row, so that they follow one another.
__global__ void __launch_bounds__(copy_block* copy_block) copy_elements(CopyWork work) {
  const std::int64_t x = std::int64_t{blockIdx.x} * copy_block + threadIdx.x;
  const std::int64_t y = std::int64_t{blockIdx.y} * copy_block + threadIdx.y;
  const std::int64_t pass = blockIdx.z;
  if (y >= work.matrix.rows || x * work.pattern.stride + pass >= work.matrix.columns) return;
  const std::int64_t n = copied_element(work.matrix, work.pattern, x, y, pass);
  work.to[n] = work.from[n];
}

/// The same `passes` times: in each a block goes on to the rows below. A thread that copied one
/// element again and again lost most of its loads and stores to the assembler (15.8 TB/s "in L2").
/// The loads are coherent in L2, so that L1 serves none.
__global__ void __launch_bounds__(copy_block* copy_block) copy_in_l2(CopyWork work, int passes) {
  const std::int64_t x = std::int64_t{blockIdx.x} * copy_block + threadIdx.x;
  std::int64_t y = std::int64_t{blockIdx.y} * copy_block + threadIdx.y;
  const std::int64_t pass = blockIdx.z;
  if (x * work.pattern.stride + pass >= work.matrix.columns) return;
#pragma unroll 1
  for (int k = 0; k < passes; k += in_flight) {
    float word[in_flight];
    std::int64_t n[in_flight];
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      n[i] = copied_element(work.matrix, work.pattern, x, y, pass);
      y += copy_block;
      if (y >= work.matrix.rows) y -= work.matrix.rows;
      asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];"
                   : "=f"(word[i])
                   : "l"(work.from + n[i])
                   : "memory");
    }
#pragma unroll
    for (int i = 0; i < in_flight; ++i) work.to[n[i]] = word[i];
  }
}

void copy_matrix(const CopyWork& work, bool in_l2) {
  const auto blocks = [](std::int64_t elements) {
    return static_cast<unsigned>((elements + copy_block - 1) / copy_block);
  };
  const std::int64_t stride = work.pattern.stride;
  const Grid grid{{blocks((work.matrix.columns + stride - 1) / stride), blocks(work.matrix.rows),
                   static_cast<unsigned>(stride)},
                  {copy_block, copy_block}};
  in_l2 ? launch(copy_in_l2, grid, work, passes_in_l2) : launch(copy_elements, grid, work);
}

/// Two square matrices in device memory, each with room for the largest offset.
struct Matrices {
  explicit Matrices(std::int64_t side)
      : extents{side, side},
        from(MemorySpace::Device, bytes(side), Executor::Device),
        to(MemorySpace::Device, bytes(side), Executor::Device) {
    from.write();
  }
  static std::size_t bytes(std::int64_t side) {
    return sizeof(float) * static_cast<std::size_t>(side * side + most_steps);
  }
  std::size_t floats() const { return static_cast<std::size_t>(extents.rows * extents.columns); }
  /// With the one that is written, too, in each half of the L2.
  bool in_l2() const { return 2 * bytes(extents.rows) <= gpu_facts().l2_bytes / 4; }

  MatrixExtents extents;
  Array from, to;
};

/// Runs a copy once and looks at every element, those beside the matrix included.
void check_copy(State& state, Matrices& m, std::int64_t offset, bool by_element,
                const std::function<void()>& copy) {
  fill(m.to.data(), 0xFF, m.to.buffer().bytes());
  copy();
  wait_for_gpu("copy of a matrix");
  const std::size_t wrong =
      probes::device_pattern().wrong(m.to.data(), m.to.count(), 1, m.from.seed());
  // By elements nothing is written before and after the matrix: so many pairs of floats have to be
  // without the pattern.
  const auto beside =
      static_cast<std::size_t>(by_element ? (offset + 1) / 2 + (most_steps - offset + 1) / 2 : 0);
  verify(wrong == beside, state.title() + ": " + std::to_string(wrong) +
                              " pairs of floats differ from the source, expected are the " +
                              std::to_string(beside) + " that are beside the matrix");
}

void measure(State& state, Matrices& m) {
  const std::int64_t step = state.integer("step");
  const std::string access = state.text("access");
  const bool steps = access == "offset" || access == "stride", in_l2 = m.in_l2();
  if (steps != (step > 0)) state.leave_out();
  const bool by_element = steps || access == "coalesced";
  if (in_l2 && !by_element) state.leave_out();
  const CopyPattern pattern{access == "offset" ? step : 0, access == "stride" ? step : 1};
  const CopyWork work{reinterpret_cast<float*>(m.to.data()),
                      reinterpret_cast<const float*>(m.from.data()), m.extents, pattern};
  const auto copy = [&] {
    if (by_element)
      copy_matrix(work, in_l2);
    else
      start_transfer({&m.to, &m.from, access == "16-byte" ? Mover::Kernel : Mover::CopyEngine},
                     nullptr);
  };
  check_copy(state, m, pattern.offset, by_element, copy);
  const double bytes =
      2.0 * sizeof(float) * static_cast<double>(m.floats()) * (in_l2 ? passes_in_l2 : 1);
  // [ufrgs-thesis] divides the time of many iterations; so do we where one is short, that its start
  // does not count.
  const int times = static_cast<int>(std::clamp(5e8 / bytes, 1.0, 20.0));
  state.sample("gbs", [&] {
    return 1e-9 * times * bytes / seconds_of([&] {
             for (int n = 0; n < times; ++n) copy();
           });
  });
}

Point start(const Setup&) {
  const auto matrices = std::make_shared<std::unique_ptr<Matrices>>();
  return [matrices](State& state) {
    constexpr int block = copy_block;
    const std::int64_t side = std::max(state.integer("side") / block, 1) * block;
    if (!*matrices || (*matrices)->extents.rows != side) {
      matrices->reset();
      require_memory(MemorySpace::Device, 2 * Matrices::bytes(side));
      *matrices = std::make_unique<Matrices>(side);
    }
    std::size_t fetched = 0;
    check(cudaDeviceGetLimit(&fetched, cudaLimitMaxL2FetchGranularity), "cudaDeviceGetLimit");
    state.note("L2 fetches at least " + std::to_string(fetched) +
               " bytes from memory, as far as "
               "the driver follows that hint");
    if ((*matrices)->in_l2())
      state.note("side " + std::to_string(side) +
                 ": both matrices lie in a quarter of the L2, and "
                 "are copied 64 times in a launch, past L1");
    measure(state, **matrices);
  };
}

#endif

/// [ufrgs-thesis], 4.2.2: 2048, which neither fits into a half of the L2 of a Hopper nor exceeds
/// it.
std::vector<Axis> axes(bool paper) {
  std::vector<double> steps;
  for (int n = 0; n <= most_steps; ++n) steps.push_back(n);
  return {range("side", paper ? std::vector<double>{2048} : std::vector<double>{1024, 16384}, 16,
                65536),
          names("access", {"cudaMemcpy", "16-byte", "coalesced", "offset", "stride"}),
          numbers("step", steps)};
}

/// Memory is moved in sectors of so many bytes (CUDA C++ Programming
/// Guide, device memory accesses).
constexpr int sector_bytes = 32;
/// Those of the 128 bytes that a warp asks for, where it gets nothing else with them.
constexpr int sectors_asked = 4;

/// Sectors of the access of one warp in the middle of a matrix.
struct WarpSectors {
  int touched = 0;  ///< move between multiprocessor and L2, for the read and again for the write
  /// Of these, not touched by the warp before, which runs at about the same time: move between L2
  /// and memory, where the matrix is larger than L2.
  int fresh = 0;
  /// Of the fresh, those that a pass leaves written in part: the rest of such a sector has to be
  /// read before it can go back to memory.
  int partial = 0;
};

/// Rows so long that no warp that is looked at meets an end; a whole number
/// of sectors, as real ones are.
constexpr MatrixExtents endless{2, std::int64_t{1} << 20};
constexpr std::int64_t floats_of_sector = sector_bytes / sizeof(float);

/// Number of the sector -> how many of its floats are accessed.
using Touched = std::map<std::int64_t, int>;

/// Adds the access of warp `n` of a pair of rows: half of its threads are in each.
void add_access(Touched& touched, const CopyPattern& pattern, int n) {
  constexpr std::int64_t width = copy_block;
  for (std::int64_t thread = 0; thread < 32; ++thread)
    ++touched[copied_element(endless, pattern, n * width + thread % width, thread / width, 0) /
              floats_of_sector];
}

Touched accesses(const CopyPattern& pattern, int first, int last) {
  Touched touched;
  for (int n = first; n <= last; ++n) add_access(touched, pattern, n);
  return touched;
}

WarpSectors count_sectors(const CopyPattern& pattern) {
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

/// Bandwidths of the bytes that the sectors have, and not of those asked for.
void derive(std::vector<Row>& rows) {
  for (Row& row : rows) {
    if (!row.is("access", "offset") && !row.is("access", "stride")) continue;
    const auto step = static_cast<std::int64_t>(row.number("step"));
    const WarpSectors sectors = count_sectors(
        row.is("access", "offset") ? CopyPattern{.offset = step} : CopyPattern{.stride = step});
    const double gbs = row.number("gbs");
    row.set("sectors", sectors.touched);
    row.set("l2_gbs", gbs * sectors.touched / sectors_asked);
    if (row.number("side") < 8192) continue;
    row.set("memory_sectors", sectors.fresh);
    row.set("memory_gbs", gbs * sectors.fresh / sectors_asked);
    row.set("memory_with_refills_gbs",
            gbs * (2 * sectors.fresh + sectors.partial) / (2 * sectors_asked));
  }
}

}  // namespace

extern const Probe copy_probe{
    .name = "copy",
    .summary = "coalesced, offset and strided copies in device memory",
    .source = "[ufrgs-thesis], 4.2",
    .counted = "bytes asked for, read + written; bytes really moved by 32-byte sectors",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = derive,
    .notes = {"gbs counts the bytes asked for, read and written; an access is 4 bytes a thread in "
              "blocks of 16 x 16, as in the thesis, but 16 bytes in '16-byte'",
              "sectors: 32-byte sectors that a warp's access of 128 bytes touches (4 at best); "
              "l2_gbs and memory_gbs count them instead of the bytes asked for, "
              "memory_with_refills_gbs also the reading of sectors that are written in part",
              "the thesis counts 1024^3 bytes as a GB: its figures times 1.074 compare with these"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 100}};

}  // namespace memstencil::membench
