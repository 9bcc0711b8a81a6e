// Probe copy: the cost of shifted and spread accesses in a copy in device memory
// ([ufrgs-thesis], 4.2): one thread an element, blocks of 16 x 16; and streams of arrays that hold
// given values, in plain memory and in memory that the GPU compresses.
#include "app/membench/probes/caches/copy_contents.cuh"

namespace memstencil::membench {

namespace {

/// Offsets and strides go from 1 to here.
constexpr int most_steps = 32;

/// Threads of a block in each direction ([ufrgs-thesis], section 4.2.2); a thread copies one
/// element. Sides are multiples of it.
constexpr unsigned copy_block = 16;
std::int64_t side_of(const Row& row) {
  return static_cast<std::int64_t>(row.bytes("side") / copy_block * copy_block);
}

double counted_bytes(const Row& row) {
  const std::int64_t side = side_of(row);
  const double elements = static_cast<double>(side) * static_cast<double>(side);
  const bool one_way = row.is("access", "read") || row.is("access", "write");
  return (one_way ? 1.0 : 2.0) * sizeof(float) * elements;
}

#ifdef MEMSTENCIL_CUDA
std::size_t matrix_bytes(std::int64_t side) {
  return sizeof(float) * static_cast<std::size_t>(side * side + most_steps);
}

/// A square row-major matrix of floats. Coalesced: offset 0, stride 1.
struct CopyWork {
  float* to;
  const float* from;
  std::int64_t side;    ///< a multiple of copy_block
  std::int64_t offset;  ///< elements by which all accesses are shifted
  std::int64_t stride;  ///< elements from one thread to its neighbour

  /// This thread's column: pass p over a row takes columns p, p + stride, p + 2 * stride, ... The
  /// thesis leaves the elements between open; here every element is copied once.
  __device__ std::int64_t column() const {
    return (std::int64_t{blockIdx.x} * copy_block + threadIdx.x) * stride + blockIdx.z;
  }
};

/// Grid: x along a row, y over the rows, z the passes over a row, so that they follow one another.
__global__ void __launch_bounds__(copy_block* copy_block) copy_elements(CopyWork work) {
  const std::int64_t y = std::int64_t{blockIdx.y} * copy_block + threadIdx.y;
  if (y >= work.side || work.column() >= work.side) return;
  const std::int64_t n = work.offset + y * work.side + work.column();
  work.to[n] = work.from[n];
}

/// Two square matrices in device memory, each with room for the largest offset.
struct Matrices {
  explicit Matrices(std::int64_t of_side) : side(of_side) { from.write(); }
  std::int64_t side;
  Array from{MemorySpace::Device, matrix_bytes(side)}, to{MemorySpace::Device, matrix_bytes(side)};

  void copy(std::int64_t offset, std::int64_t stride) const {
    const CopyWork work{reinterpret_cast<float*>(to.data()),
                        reinterpret_cast<const float*>(from.data()), side, offset, stride};
    const auto rows = static_cast<unsigned>(side / copy_block);
    const auto columns =
        static_cast<unsigned>(((side + stride - 1) / stride + copy_block - 1) / copy_block);
    const Grid grid{{columns, rows, static_cast<unsigned>(stride)}, {copy_block, copy_block}};
    launch(copy_elements, grid, work);
  }
};

/// Runs a copy once and looks at every element, also outside the matrix: by elements nothing is
/// written before and after the matrix, and these pairs of floats have to be without the pattern.
void check_copy(State& state, Matrices& m, std::int64_t offset, bool by_element,
                const std::function<void()>& copy) {
  fill(m.to.data(), 0xFF, m.to.bytes());
  copy();
  wait_for_gpu("copy of a matrix");
  const std::size_t wrong =
      probes::device_pattern().wrong(m.to.data(), m.to.count(), 1, m.from.seed());
  const auto beside =
      static_cast<std::size_t>(by_element ? (offset + 1) / 2 + (most_steps - offset + 1) / 2 : 0);
  verify(wrong == beside, state.title() + ": " + std::to_string(wrong) +
                              " pairs of floats differ from the source, expected are the " +
                              std::to_string(beside) + " that are beside the matrix");
}

/// The arrays of one of the two kinds of points, which share them.
using CopyArrays = std::variant<Matrices, Contents>;

/// [ufrgs-thesis] divides the time of many iterations; so do we if one is short, that its start
/// does not count.
void measure_rate(State& state, const std::function<void()>& access) {
  const int times = static_cast<int>(std::clamp(5e8 / counted_bytes(state), 1.0, 20.0));
  state.rate(times, [&] {
    return seconds_of([&] {
      for (int n = 0; n < times; ++n) access();
    });
  });
}

void measure_stream(State& state, Shared<CopyArrays>& shared) {
  const MemoryKind kind(MemorySpace::Device, state.is("allocation", "default")
                                                 ? Allocation::Default
                                                 : Allocation::Compressible);
  if (const Support there = support(kind, Executor::Device); !there.served)
    state.leave_out("allocation compressible: " + there.reason);
  const std::string content = state.text("content"), &file = state.setup.content;
  if (content == "file" && file.empty()) state.leave_out("--content FILE names the file");
  const std::string key = state.text("side") + state.text("allocation") + content;
  auto& arrays = std::get<Contents>(shared.of(key, [&] {
    const auto bytes = static_cast<std::size_t>(side_of(state) * side_of(state)) * sizeof(float);
    require_memory(kind, 2 * bytes);
    return std::make_unique<CopyArrays>(std::in_place_type<Contents>, kind, bytes,
                                        content_words(content, file));
  }));
  const ContentAccess access = state.is("access", "read")    ? ContentAccess::Read
                               : state.is("access", "write") ? ContentAccess::Write
                                                             : ContentAccess::Copy;
  arrays.check(state.title(), access);
  measure_rate(state, [&] { arrays.run(access); });
}

void measure_copy(State& state, Shared<CopyArrays>& shared) {
  if (is_stream(state)) return measure_stream(state, shared);
  auto& matrices = std::get<Matrices>(shared.of(state.text("side"), [&] {
    const std::int64_t side = side_of(state);
    require_memory(MemorySpace::Device, 2 * matrix_bytes(side));
    return std::make_unique<CopyArrays>(std::in_place_type<Matrices>, side);
  }));
  const std::int64_t step = state.integer("step");
  const std::string access = state.text("access");
  const bool steps = access == "offset" || access == "stride";
  const bool by_element = steps || access == "coalesced";
  if (steps != (step > 0)) state.leave_out();
  const std::int64_t offset = access == "offset" ? step : 0, stride = access == "stride" ? step : 1;
  const auto copy = [&] {
    if (by_element)
      matrices.copy(offset, stride);
    else
      start_transfer(
          {&matrices.to, &matrices.from, access == "16-byte" ? Mover::Kernel : Mover::CopyEngine},
          nullptr);
  };
  check_copy(state, matrices, offset, by_element, copy);
  measure_rate(state, copy);
}
#endif

/// Bandwidths of the bytes that the sectors of 32 bytes have, and not of those asked for: 4 sectors
/// an access of a warp, which is two runs of 16 floats (docs/probes/caches.md has the table).
void add_sectors(std::vector<Row>& rows, std::vector<Row>&) {
  constexpr int asked = 4, floats_of_sector = 8;
  for (Row& row : rows) {
    const bool offset = row.is("access", "offset");
    if (!offset && !row.is("access", "stride")) continue;
    const int step = static_cast<int>(row.number("step"));
    const int apart = std::min(asked * step, 32);  // with a stride; beyond 8 a sector a float
    const int touched = !offset ? apart : step % floats_of_sector == 0 ? asked : asked + 2;
    const int fresh = offset ? asked : apart, partial = !offset && step > 1 ? apart : 0;
    const double gbs = row.number("gbs");
    row.set("sectors", touched);
    row.set("l2_gbs", gbs * touched / asked);
    if (row.number("side") < 8192) continue;
    row.set("memory_sectors", fresh);
    row.set("memory_gbs", gbs * fresh / asked);
    row.set("memory_with_refills_gbs", gbs * (2 * fresh + partial) / (2 * asked));
  }
}

}  // namespace

extern const Probe copy_probe{
    .name = "copy",
    .summary = "coalesced, offset and strided copies in device memory",
    .source = "[ufrgs-thesis], 4.2",
    .counted = "bytes asked for, read + written; bytes really moved by 32-byte sectors",
    .axes = [](bool paper) -> std::vector<Axis> {
      // [ufrgs-thesis], 4.2.2: 2048, which neither fits into a half of the L2 of a Hopper nor
      // exceeds it.
      return {numbers("side", {paper ? 2048. : 16384.}, 16, 65536),
              names("access", {"cudaMemcpy", "16-byte", "coalesced", "offset", "stride", "read",
                               "write", "copy"}),
              numbers("step", counted_up(0, most_steps)),
              names("allocation", {"default", "compressible"}),
              names("content", {"random", "constant", "row", "few", "ramp"}, {"file"})};
    },
    // The others copy random numbers in plain memory.
    .is_there =
        [](const Row& point, const std::vector<Axis>&) {
          return is_stream(point)
                     ? point.number("step") == 0
                     : point.is("allocation", "default") && point.is("content", "random");
        },
    .counted_bytes = counted_bytes,
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Shared<CopyArrays>, measure_copy>),
    .derive = add_sectors,
    .notes =
        {"gbs counts the bytes asked for, read and written; an access is 4 bytes a thread in "
         "blocks of 16 x 16, as in the thesis, but 16 bytes in '16-byte'",
         "sectors: 32-byte sectors that a warp's access of 128 bytes touches (4 at best); "
         "l2_gbs and memory_gbs count them instead of the bytes asked for, "
         "memory_with_refills_gbs also the reading of sectors that are written in part",
         "read, write and copy: 16 bytes a thread, of arrays that hold 1/6 (constant), a value "
         "a row of 4096 bytes (row), 0, 1/6, 1/2 or 1 at random (few), 0 to 1 in steps of "
         "1/1023 (ramp), 24 random bits in a float (random), or the bytes of --content FILE",
         "the thesis counts 1024^3 bytes as a GB: its figures times 1.074 compare with these"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 100}};

}  // namespace memstencil::membench
