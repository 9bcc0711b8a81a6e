// Probe overlap: does work of the multiprocessors hide a copy over the link? ([ufrgs-thesis],
// chapter 1)
#include "app/membench/core/transfer.cuh"

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// Steps of a thread in one pass of arithmetic, and x after one step.
constexpr int work_steps = 256, work_block = 256;
__host__ __device__ std::uint32_t work_step(std::uint32_t x) { return x * 1664525U + 1013904223U; }

/// All passes in registers.
__global__ void multiply_on(std::uint32_t* words, int passes) {
  std::uint32_t& own = words[blockIdx.x * blockDim.x + threadIdx.x];
  std::uint32_t x = own;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll 32
    for (int n = 0; n < work_steps; ++n) {
      x = work_step(x);
      asm volatile("" : "+r"(x));  // otherwise the compiler takes steps together
    }
  }
  own = x;
}

/// ~0 after `steps` steps: a step is x -> a x + c; so are two, and so on: by the bits of the
/// number.
std::uint32_t after_steps(std::uint64_t steps) {
  std::uint32_t c = work_step(0), a = work_step(1) - c, x = ~std::uint32_t{0};
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) x = a * x + c;
    c = a * c + c;
    a *= a;
  }
  return x;
}

/// Copy in one direction and work, each in a stream of its own, started at once; either may be
/// missing. Arrays of the copy at both ends, two inside the GPU's memory, and words to compute on,
/// one a thread that can be resident.
class Both {
public:
  Both(std::size_t bytes, bool up)
      : source_(up ? MemorySpace::HostPinned : MemorySpace::Device, bytes),
        target_(up ? MemorySpace::Device : MemorySpace::HostPinned, bytes),
        from_(MemorySpace::Device, bytes),
        to_(MemorySpace::Device, bytes),
        words_(multiprocessors() * gpu_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) /
               work_block * work_block) {
    begin("none");
    copy_alone = seconds(true, 0);
  }

  /// Seconds of the copy alone, and passes of each work.
  double copy_alone = 0;
  std::map<std::string, int> passes;

  void begin(const std::string& work) {
    work_ = work;
    done_ = 0;
    source_.write();
    from_.write();
    words_.spoil();  // ~0 in all
  }

  /// With this number of passes of work; 0: without.
  double seconds(bool copies, int work_passes) {
    const Stream one, other;
    done_ += static_cast<std::uint64_t>(work_passes);
    return seconds_of([&] {
      if (copies) start_transfer({&target_, &source_}, one.get());
      if (work_ == "arithmetic" && work_passes > 0)
        launch(multiply_on,
               {static_cast<unsigned>(words_.size() / work_block), work_block, 0, other.get()},
               words_.data(), work_passes);
      for (int pass = 0; work_ == "memory" && pass < work_passes; ++pass)
        start_transfer({&to_, &from_, Mover::Kernel}, other.get());
    });
  }

  void check(const std::string& title, bool copies) const {
    if (copies) target_.verify_copied(source_, title);
    if (work_ == "memory") to_.verify_copied(from_, title + ", work");
    if (work_ != "arithmetic") return;
    const std::uint32_t right = after_steps(done_ * work_steps);
    verify_all(title + ", work", words_.all(), [&](std::size_t) { return right; });
  }

private:
  Array source_, target_, from_, to_;
  DeviceArray<std::uint32_t> words_;
  std::string work_;
  std::uint64_t done_ = 0;
};

/// Passes of work that take about as long as the copy.
int passes_for(Both& both, const std::string& work) {
  const int few = work == "arithmetic" ? 64 : 8;
  both.begin(work);
  both.seconds(false, few);
  const double of_pass = both.seconds(false, few) / few;
  return static_cast<int>(std::clamp(std::round(both.copy_alone / of_pass), 1.0, 1e6));
}

void measure_overlap(State& state, Shared<Both>& shared) {
  Both& both = shared.of(state.text("bytes") + state.text("direction"), [&] {
    const std::size_t bytes = whole_pairs(state);
    require_memory(MemorySpace::HostPinned, bytes);
    require_memory(MemorySpace::Device, 3 * bytes);
    return std::make_unique<Both>(bytes, state.is("direction", "HtoD"));
  });
  const std::string work = state.text("work");
  const bool copies = !state.is("part", "kernel alone"), works = !state.is("part", "copy alone");
  if (works && !both.passes.contains(work)) both.passes[work] = passes_for(both, work);
  const int passes = works ? both.passes[work] : 0;
  both.begin(works ? work : "none");
  const double seconds = state.sample("seconds", [&] { return both.seconds(copies, passes); });
  if (!works) both.copy_alone = seconds;
  both.check(state.title(), copies);
}
#endif

/// The part of the shorter one that the other hides.
void hidden(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& alike : groups(rows, {"bytes", "direction"})) {
    std::map<std::string, double> kernels;  // by work
    double copy = 0;                        // it stands with the first work
    for (const Row* row : alike.rows) {
      if (row->is("part", "copy alone")) copy = row->number("seconds");
      if (row->is("part", "kernel alone")) kernels[row->text("work")] = row->number("seconds");
    }
    for (const Row* row : alike.rows) {
      const std::string work = row->text("work");
      const double kernel = kernels[work], saved = copy + kernel - row->number("seconds");
      if (row->is("part", "both") && copy > 0 && kernel > 0)
        more.emplace_back(alike.like)
            .set({{"work", work}, {"hidden", saved / std::min(copy, kernel)}});
    }
  }
}

}  // namespace

extern const Probe overlap_probe{
    .name = "overlap",
    .summary = "a copy over the link beside a kernel",
    .source = "[ufrgs-thesis], chapter 1",
    .counted = "seconds of each alone and of both",
    .axes = always({sizes("bytes", {256. * mib}), names("direction", {"HtoD", "DtoH"}),
                    names("work", {"arithmetic", "memory"}),
                    names("part", {"copy alone", "kernel alone", "both"})}),
    .is_there =
        [](const Row& row, const std::vector<Axis>& axes) {  // the copy stands with the first work
          return !row.is("part", "copy alone") || *row.find("work") == axes[2].values.front();
        },
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Shared<Both>, measure_overlap>),
    .derive = hidden,
    .notes =
        {"copies by the copy engine, between pinned and device memory; the kernel is as long as "
         "the copy, about: 'arithmetic' in registers, 'memory' copies inside device memory",
         "hidden: 1: both take what the longer one takes, 0: they go one after the other"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 40}};

}  // namespace memstencil::membench
