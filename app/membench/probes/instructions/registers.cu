// Probe registers: one kernel with many values alive at once, compiled for fewer and fewer
// registers ([kepler-article], the registers of Kepler): cost and gain of fewer registers.
#include "app/membench/core/gpu.cuh"

#include <algorithm>
#include <array>

namespace memstencil::membench {

namespace {

/// The most registers that a thread may have. The assembler takes nothing below 24 (its ABI's lower
/// bound), and a thread has room for 255.
constexpr int register_limits[]{24, 32, 40, 48, 63, 64, 80, 96, 128, 160, 192, 224, 255};

#ifdef MEMSTENCIL_CUDA
/// The number of values that a thread keeps alive through its loop. An FP64 value takes two
/// registers: 48 and 112 take as many as 96 and 224 in FP32.
template <class T>
constexpr auto live_values = std::array{32, 96, 224};
template <>
constexpr auto live_values<double> = std::array{48, 112};
constexpr int registers_block = 256;

/// T is float or double. Thread t of each block starts with the values x[i] = t / 2 + i, i < live.
/// In round r it reads v = input[r * registers_block + t], and each x[i] becomes x[i] * factor + v
/// in one rounding. Its result is x[0] + x[1] + ..., added in this order.
template <class T>
struct RegistersJob {
  int rounds;
  T factor;
  const T* input;  ///< rounds * registers_block
  T* results;      ///< one a thread
};

template <class T, int Live, int Limit>
__global__ void __launch_bounds__(registers_block) __maxnreg__(Limit)
    registers(const __grid_constant__ RegistersJob<T> job) {
  T x[Live];
#pragma unroll
  for (int i = 0; i < Live; ++i) x[i] = T(0.5) * static_cast<T>(threadIdx.x) + static_cast<T>(i);
#pragma unroll 1
  for (int r = 0; r < job.rounds; ++r) {
    const T value = job.input[r * registers_block + threadIdx.x];
#pragma unroll
    for (int i = 0; i < Live; ++i) x[i] = std::fma(x[i], job.factor, value);
  }
  T sum = x[0];
#pragma unroll
  for (int i = 1; i < Live; ++i) sum += x[i];
  job.results[blockIdx.x * registers_block + threadIdx.x] = sum;
}

template <class T>
void measure_kernel(State& state) {
  constexpr auto& lives = live_values<T>;
  constexpr int limits = std::size(register_limits);
  // Registers that a thread updates one after the other, the same for any number of live values: so
  // many multiply-adds in FP32, half as many in FP64. A common multiple of their registers.
  constexpr int work = 10752;
  // A number that most counts of resident blocks divide: no half-empty last wave.
  const int blocks = 24 * multiprocessors(), live = state.integer("live");
  const auto row = static_cast<int>(std::find(lives.begin(), lives.end(), live) - lives.begin());
  if (row == static_cast<int>(lives.size())) state.leave_out();
  const auto kernel = pick<static_cast<int>(lives.size()) * limits>(
      row * limits + state.index("limit"), [](auto number) {
        constexpr int n = decltype(number)::value;
        return &registers<T, live_values<T>[n / limits], register_limits[n % limits]>;
      });
  const int rounds = work / (live * static_cast<int>(sizeof(T) / sizeof(float)));
  std::vector<T> input(static_cast<std::size_t>(rounds * registers_block)), expected;
  for (std::size_t n = 0; n < input.size(); ++n) input[n] = static_cast<T>(n % 17);
  constexpr T factor = T(0.5);
  for (std::size_t t = 0; t < registers_block; ++t) {  // with the kernel's roundings
    std::vector<T> x;
    for (int i = 0; i < live; ++i) x.push_back(T(0.5) * static_cast<T>(t) + static_cast<T>(i));
    for (std::size_t n = t; n < input.size(); n += registers_block)
      for (T& value : x) value = std::fma(value, factor, input[n]);
    T sum = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum += x[i];
    expected.push_back(sum);
  }
  const DeviceArray<T> on_gpu(input);
  DeviceArray<T> results(blocks * registers_block);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  const int resident = resident_blocks(reinterpret_cast<const void*>(kernel), registers_block);
  state.add("registers", attributes.numRegs);
  state.add("resident_warps", resident * registers_block / 32);
  // Nothing else is local.
  state.add("spilled_bytes", static_cast<double>(attributes.localSizeBytes));
  state.sample("seconds", [&] {
    results.spoil();
    const double seconds = seconds_of([&] {
      launch(kernel, {blocks, registers_block}, {rounds, factor, on_gpu.data(), results.data()});
    });
    verify_all(state.title(), results.all(),
               [&](std::size_t n) { return expected[n % expected.size()]; });
    return seconds;
  });
}

void measure_registers(State& state) {
  state.is("type", "fp32") ? measure_kernel<float>(state) : measure_kernel<double>(state);
}
#endif

void add_slowdown(std::vector<Row>& rows, std::vector<Row>&) {
  for (const Group& group : groups(rows, {"type", "live"})) {
    const double fastest = std::ranges::min(group.numbers("seconds"));
    for (Row* row : group.rows) row->set("slowdown", row->number("seconds") / fastest);
  }
}

}  // namespace

extern const Probe registers_probe{
    .name = "registers",
    .summary = "one kernel at 24 to 255 registers a thread: time, occupancy, spilling",
    .source = "[kepler-article]",
    .counted = "seconds; spilled bytes as the compiler tells",
    .axes = always({names("type", {"fp32", "fp64"}), numbers("live", {32, 48, 96, 112, 224}),
                    numbers("limit", {std::begin(register_limits), std::end(register_limits)})}),
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_registers>),
    .derive = add_slowdown,
    .notes = {
        "every kernel does the same 10752 multiply-adds a thread (in FP64 half as many) and "
        "has the same results to the bit; what the assembler lets it have is all that differs",
        "an FP64 value takes two registers: 48 and 112 of them as many as 96 and 224 in FP32"}};

}  // namespace memstencil::membench
