// Probe l2: the time of an access to the near and the far half of the L2, and the bandwidth of
// streams over footprints from a part of the L2 to beyond it.
#include "app/membench/core/transfer.cuh"
#include "kernels/l2_halves.hpp"

#include <set>

namespace memstencil::membench {

namespace {

/// Bytes that one sample moves: a millisecond from memory. Also a footprint of which the L2 keeps
/// next to nothing from one pass to the next: of eight times its size a triad found a fifth.
constexpr double bytes_of_sample = 4.0 * gib;

std::size_t l2_bytes() {
  const std::size_t known = gpu_facts().l2_bytes;
  return known > 0 ? known : 50 * mib;
}
double most_of_curve() { return 8 * static_cast<double>(l2_bytes()); }
double largest_footprint() { return std::max(most_of_curve(), bytes_of_sample); }

#ifdef MEMSTENCIL_CUDA
/// The halves of the L2, and memory to time accesses in.
struct Bench {
  Bench() {
    if (halves.clear) half_of_line = halves_of_lines(halves, cycles(L2Access::AtomicAddition));
  }
  /// Cycles of an access from each multiprocessor to each line.
  std::vector<std::vector<double>> cycles(L2Access access) {
    return l2_line_cycles(access, memory.data(), scratch.data());
  }
  DeviceArray<unsigned> memory{l2_lines_bytes / sizeof(unsigned)};
  DeviceArray<unsigned> scratch{l2_halves_bytes / sizeof(unsigned)};
  const L2Halves& halves = l2_halves(scratch.data());
  std::vector<int> half_of_line = std::vector<int>(l2_lines_timed, 0);
  std::set<std::string> timed;  ///< accesses
};

/// Near and far; if there are no halves, all lines count as near, and data says "all".
void measure_access(State& state, Bench& bench, L2Access access) {
  if (state.is("data", "all") == bench.halves.clear ||
      !bench.timed.insert(state.text("operation") + state.text("data")).second)
    state.leave_out();
  state.sample("cycles", [&] {
    const auto cycles = bench.cycles(access);
    // A time of 0: no block ran on the multiprocessor, or a word that it read was not 0.
    for (std::size_t n = 0; n < cycles.size(); ++n)
      if (bench.halves.half_of[n] >= 0 && *std::ranges::min_element(cycles[n]) == 0)
        throw Failure(ExitCode::Machine, state.title() + ": multiprocessor " + std::to_string(n) +
                                             " has not timed all lines; run it while no other "
                                             "program uses the GPU");
    const NearAndFar taken = near_and_far(bench.halves, cycles, bench.half_of_line);
    return state.is("data", "far") ? taken.far : taken.near;
  });
}

__global__ void compare_triad(const StreamJob job, std::size_t elements, unsigned* wrong) {
  const std::size_t width = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; n < elements; n += width)
    if (job.a[n].x != job.b[n].x + 3 * job.c[n].x || job.a[n].y != job.b[n].y + 3 * job.c[n].y)
      atomicAdd(wrong, 1U);
}

void measure_stream(State& state, StreamOperation operation) {
  if (!state.is("data", "all")) state.leave_out();
  const auto kernel = pick<4>(static_cast<int>(operation), [](auto number) {
    return &stream_passes<static_cast<StreamOperation>(decltype(number)::value)>;
  });
  // Each multiprocessor gets one block.
  const auto members = static_cast<unsigned>(multiprocessors());
  const Grid grid{members, pass_threads,
                  take_all_shared_memory(reinterpret_cast<const void*>(kernel))};
  const std::size_t count = std::max(static_cast<int>(operation), 1);  // of arrays
  const std::size_t a_unit_each = members * count * unit_bytes;
  const std::size_t share = std::max<std::size_t>(state.bytes("footprint") / a_unit_each, 1);
  const double dealt = static_cast<double>(share * a_unit_each);
  require_memory(MemorySpace::Device, share * a_unit_each);
  std::vector<Array> arrays;
  for (std::size_t n = 0; n < count; ++n)
    arrays.emplace_back(MemorySpace::Device, share * members * unit_bytes).write();
  Array block(MemorySpace::Device, unit_bytes);
  block.write();
  const DeviceArray<std::uint64_t> sum(std::vector<std::uint64_t>{0});
  const auto elements = [](const Array& of) { return reinterpret_cast<Element*>(of.data()); };
  const StreamJob job{elements(arrays[0]), elements(count > 1 ? arrays[1] : block),
                      elements(arrays.back()), 32, sum.data()};
  const auto passes = static_cast<unsigned>(std::max(bytes_of_sample / dealt, 1.0));
  const auto run = [&](unsigned times) {
    return seconds_of([&] { launch(kernel, grid, job, static_cast<unsigned>(share), times); });
  };
  std::uint64_t launches = 0;
  state.set("dealt_bytes", dealt);
  // The passes take the time of a launch less that of a launch without a pass.
  state.rate(static_cast<int>(passes), [&] {
    ++launches;
    const double of_launch = run(0);
    return run(passes) - of_launch;
  });
  const Array& a = arrays[0];
  if (operation == StreamOperation::Read)
    verify(sum.all()[0] == launches * passes * a.sum(),
           state.title() + ": the sum of the words read is wrong");
  if (operation == StreamOperation::Write) a.verify_copied(block, state.title());
  if (operation == StreamOperation::Copy) a.verify_copied(arrays[1], state.title());
  if (operation == StreamOperation::Triad) {
    const DeviceArray<unsigned> wrong(std::vector<unsigned>{0});
    launch(compare_triad, {4096, 256}, job, a.count() / 2, wrong.data());
    verify(wrong.all()[0] == 0, state.title() + ": words are not b + 3 c");
  }
  for (std::size_t n = 1; n < count; ++n) arrays[n].verify_copied(arrays[n], state.title());
}

void measure_l2(State& state, Bench& bench) {
  const auto near = [&](int half) { return std::to_string(bench.halves.count(half)); };
  state.note(bench.halves.clear
                 ? "multiprocessors near half 0 of the L2: " + near(0) + ", near half 1: " + near(1)
                 : "the multiprocessors show no two halves of the L2");
  if (const int number = state.index("operation"); number < 3)
    measure_access(state, bench, static_cast<L2Access>(number));
  else
    measure_stream(state, static_cast<StreamOperation>(number - 3));
}
#endif

/// Two an octave, from a part of the L2 to eight times its size; and one far beyond.
std::vector<Axis> axes(bool) {
  const double most = most_of_curve();
  std::vector<double> footprints;
  for (double bytes = mib; bytes <= most; bytes *= 2)
    for (const double each : {bytes, std::floor(bytes * std::sqrt(2.0) / (256 * kib)) * 256 * kib})
      if (each <= most) footprints.push_back(each);
  if (most < largest_footprint()) footprints.push_back(largest_footprint());
  return {names("operation", {"atomic addition", "load again", "load after an atomic addition",
                              "read", "write", "copy", "triad"}),
          names("data", {"all", "near", "far"}),
          sizes("footprint", footprints, mib, largest_footprint())};
}

/// Medians of the footprints that the L2 holds in each half, and of those far beyond it.
void levels(std::vector<Row>& rows, std::vector<Row>& more) {
  const auto l2 = static_cast<double>(l2_bytes());
  for (Row& row : rows)
    if (!row.has("gbs"))
      std::erase_if(row.cells, [](const auto& c) { return c.first == "footprint"; });
  for (const Group& kind : groups(rows, {"operation", "data"})) {
    std::map<std::string, std::vector<double>> of_level;
    for (const Row* row : kind.rows) {
      const double footprint = row->number("dealt_bytes");
      const bool in_l2 = footprint >= 1.5 * mib && footprint <= l2 / 4;
      if (in_l2 || footprint >= 16 * l2)
        of_level[in_l2 ? "L2" : "memory"].push_back(row->number("gbs"));
    }
    for (const auto& [level, gbs] : of_level)
      more.emplace_back(kind.like).set({{"level", level}, {"gbs", median(gbs)}});
  }
}

}  // namespace

extern const Probe l2_probe{
    .name = "l2",
    .summary = "the halves of the L2, and streams over footprints up to beyond it",
    .source = "[gpu-benches], L2 cache and streams",
    .counted = "bytes read + written; cycles of an access by one thread",
    .axes = axes,
    .counted_bytes = [](const Row& row) { return row.number("dealt_bytes"); },
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Bench, measure_l2>),
    .derive = levels,
    .notes = {"a footprint is that of all arrays of the operation, in equal shares for all "
              "multiprocessors (dealt_bytes); loads pass by L1; an access is timed on lines of its "
              "own, near and far"},
    .sampling = {.warmups = 1, .fewest = 5, .most = 15}};

}  // namespace memstencil::membench
