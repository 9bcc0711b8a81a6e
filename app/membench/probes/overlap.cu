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

/// Arrays of the copies at both ends, two inside the GPU's memory, and words to compute on, one a
/// thread that can be resident.
struct Arrays {
  explicit Arrays(std::size_t of_each)
      : bytes(of_each),
        host(MemorySpace::HostPinned, of_each, Executor::Host),
        device(MemorySpace::Device, of_each, Executor::Device),
        from(MemorySpace::Device, of_each, Executor::Device),
        to(MemorySpace::Device, of_each, Executor::Device),
        words(static_cast<std::size_t>(multiprocessors() *
                                       attribute(cudaDevAttrMaxThreadsPerMultiProcessor) /
                                       work_block * work_block)) {}

  std::size_t bytes;
  Array host, device, from, to;
  DeviceArray<std::uint32_t> words;
  /// Of the copy alone, and of the kernel alone for each work: the seconds of this direction.
  double copy_alone = 0;
  std::map<std::string, int> passes;
};

/// x after so many steps: a step is x -> a x + c; so are two, and so on: by the bits of the number.
std::uint32_t after_steps(std::uint64_t steps) {
  std::uint32_t c = work_step(0), a = work_step(1) - c, x = ~std::uint32_t{0};
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) x = a * x + c;
    c = a * c + c;
    a *= a;
  }
  return x;
}

/// Copy and work, each in a stream of its own, started at once; either may be missing.
class Both {
public:
  Both(Arrays& arrays, const std::string& direction, const std::string& work, int passes)
      : arrays_(arrays), up_(direction == "HtoD"), work_(work), passes_(passes) {
    source().write();
    arrays_.from.write();
    arrays_.words.spoil();  // ~0 in all
  }

  double seconds(bool copies, bool works) {
    const Stream one, other;
    copied_ = copied_ || copies;
    if (works) done_ += static_cast<std::uint64_t>(passes_);
    return seconds_of([&] {
      if (copies) start_transfer({&target(), &source()}, one.get());
      if (!works) return;
      if (work_ == "arithmetic")
        launch(
            multiply_on,
            {static_cast<unsigned>(arrays_.words.size() / work_block), work_block, 0, other.get()},
            arrays_.words.data(), passes_);
      for (int pass = 0; work_ == "memory" && pass < passes_; ++pass)
        start_transfer({&arrays_.to, &arrays_.from, Mover::Kernel}, other.get());
    });
  }

  void check(const std::string& title) {
    if (copied_) target().verify_copied(source(), title);
    if (work_ == "memory" && done_ > 0) arrays_.to.verify_copied(arrays_.from, title + ", work");
    if (work_ != "arithmetic") return;
    const std::uint32_t right = after_steps(done_ * work_steps);
    verify_all(title + ", work", arrays_.words.all(), [&](std::size_t) { return right; });
  }

private:
  Array& source() { return up_ ? arrays_.host : arrays_.device; }
  Array& target() { return up_ ? arrays_.device : arrays_.host; }

  Arrays& arrays_;
  bool up_, copied_ = false;
  std::string work_;
  int passes_;
  std::uint64_t done_ = 0;
};

/// So many that the work takes about as long as the copy.
int passes_for(Arrays& arrays, const std::string& direction, const std::string& work) {
  const int few = work == "arithmetic" ? 64 : 8;
  Both trial(arrays, direction, work, few);
  trial.seconds(false, true);
  const double of_pass = trial.seconds(false, true) / few;
  return static_cast<int>(std::clamp(std::round(arrays.copy_alone / of_pass), 1.0, 1e6));
}

void measure(State& state, Arrays& arrays) {
  const std::string direction = state.text("direction"), work = state.text("work");
  const bool copies = !state.is("part", "kernel alone"), works = !state.is("part", "copy alone");
  if (!works && work != "arithmetic") state.leave_out();  // it stands with the first work
  if (!works || arrays.copy_alone == 0) {
    Both copy(arrays, direction, "none", 0);
    arrays.copy_alone = copy.seconds(true, false);
    arrays.passes.clear();
  }
  if (works && !arrays.passes.contains(work))
    arrays.passes[work] = passes_for(arrays, direction, work);
  Both both(arrays, direction, works ? work : "none", works ? arrays.passes[work] : 0);
  const double seconds = state.sample("seconds", [&] { return both.seconds(copies, works); });
  if (!works) arrays.copy_alone = seconds;
  both.check(state.title());
}

Point start(const Setup&) {
  const auto arrays = std::make_shared<std::unique_ptr<Arrays>>();
  return [arrays](State& state) {
    const std::size_t bytes = state.bytes() / 16 * 16;
    if (!*arrays || (*arrays)->bytes != bytes) {
      arrays->reset();
      require_memory(MemorySpace::HostPinned, bytes);
      require_memory(MemorySpace::Device, 3 * bytes);
      *arrays = std::make_unique<Arrays>(bytes);
    }
    measure(state, **arrays);
  };
}

#endif

std::vector<Axis> axes(bool) {
  return {sizes("bytes", {256. * mib}), names("direction", {"HtoD", "DtoH"}),
          names("work", {"arithmetic", "memory"}),
          names("part", {"copy alone", "kernel alone", "both"})};
}

/// The part of the shorter one that the other hides.
void derive(std::vector<Row>& rows) {
  std::vector<Row> more;
  for (const Group& alike : groups(rows, {"bytes", "direction"})) {
    std::map<std::string, std::map<std::string, double>> seconds;  // of a work's part
    double copy = 0;                                               // it stands with the first work
    for (const Row* row : alike.rows) {
      seconds[row->text("work")][row->text("part")] = row->number("seconds");
      if (row->is("part", "copy alone")) copy = row->number("seconds");
    }
    for (auto& [work, of_part] : seconds) {
      const double kernel = of_part["kernel alone"], both = of_part["both"];
      if (copy == 0 || kernel == 0 || both == 0) continue;
      more.push_back(alike.like);
      more.back().set("work", Value(work));
      more.back().set("copy_seconds", copy);
      more.back().set("kernel_seconds", kernel);
      more.back().set("both_seconds", both);
      more.back().set("hidden", (copy + kernel - both) / std::min(copy, kernel));
    }
  }
  rows.insert(rows.end(), more.begin(), more.end());
}

}  // namespace

extern const Probe overlap_probe{
    .name = "overlap",
    .summary = "a copy over the link beside a kernel",
    .source = "[ufrgs-thesis], chapter 1",
    .counted = "seconds of each alone and of both",
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = derive,
    .notes =
        {"copies by the copy engine, between pinned and device memory; the kernel is as long as "
         "the copy, about: 'arithmetic' in registers, 'memory' copies inside device memory",
         "hidden: 1: both take what the longer one takes, 0: they go one after the other"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 40}};

}  // namespace memstencil::membench
