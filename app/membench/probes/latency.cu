// Probe latency: dependent loads of one thread of the GPU or of the CPU over footprints from L1 to
// beyond all caches ([ufrgs-thesis], table 3.1). The links are written first, by whoever touches
// the memory first; then one thread follows them between two clock reads.
#include "app/membench/core/chase_order.hpp"
#include "app/membench/core/machine.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/core/gpu.cuh"
#endif

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>

namespace memstencil::membench {

namespace {

/// The way that a load takes. Global, L2 and Texture chase in any memory that the GPU reaches,
/// Constant, Shared and Local in memory of their own.
enum class ChasePath { Global, GlobalPastL1, Texture, Constant, Shared, Local, Cpu };

/// The unit in which caches fetch; a slot of a chain has at least one.
constexpr std::uint64_t chase_line = 128;
/// Loads in one turn of the timed loop.
constexpr std::uint32_t chase_unroll = 32;
/// All there is for constants.
constexpr std::size_t chase_constant_bytes = 65536;
/// The shared memory that a block has without an opt-in.
constexpr std::size_t chase_shared_bytes = 49152;
/// Words of a thread's local memory, of the small and of the large kernel. The words of the 32
/// threads of a warp lie side by side, so that each word of one thread is in a line of its own:
/// such a chain covers chase_line bytes a word.
constexpr std::uint32_t chase_local_words[]{512, 4096};

/// Byte at which slot `slot` of a chain has its link: in the first line of the slot, or, where a
/// slot has many lines (a page), in one that changes from slot to slot; otherwise all links would
/// fall into the same cache sets. `slot_bytes` is a multiple of chase_line.
MEMSTENCIL_FUNCTION std::uint64_t chase_place(std::uint64_t slot, std::uint64_t slot_bytes) {
  const std::uint64_t lines = slot_bytes / chase_line;
  return slot * slot_bytes + (slot * 0x9E3779B97F4A7C15U >> 32) % lines * chase_line;
}

/// A chain of `slots` slots: slot s leads to slot next[s].
struct Chain {
  const std::uint32_t* next = nullptr;  ///< `slots` indices, readable by whoever links
  std::uint32_t slots = 0;
  std::uint64_t slot_bytes = chase_line;
  std::uint64_t apart = 0;  ///< not 0: a slot has a second link so many bytes behind its first one
};

/// The first link of a slot; that of a pair stands at its slot's beginning.
MEMSTENCIL_FUNCTION std::uint64_t chain_place(const Chain& chain, std::uint64_t slot) {
  return chain.apart > 0 ? slot * chain.slot_bytes : chase_place(slot, chain.slot_bytes);
}

/// What the first link of a slot, or its second one, says: the byte that comes next.
MEMSTENCIL_FUNCTION std::uint64_t chase_next(const Chain& chain, std::uint64_t slot, bool second) {
  if (chain.apart > 0 && !second) return chain_place(chain, slot) + chain.apart;
  return chain_place(chain, chain.next[slot]);
}

/// The steps of one launch. A launch finds L1 empty, so a chain that L1 could hold is walked once,
/// untimed, before the clock starts.
struct ChaseSteps {
  std::uint32_t untimed;
  std::uint32_t timed;  ///< a multiple of chase_unroll
};

/// The result of a timed chase.
struct ChaseTime {
  std::uint64_t cycles;       ///< of the timed steps, by the multiprocessor's clock
  std::uint64_t nanoseconds;  ///< of the timed steps, by the GPU's timer
  std::uint64_t end;          ///< byte, from the chain's first, at which it stopped
};

constexpr std::size_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;
/// Of a GPU's memory.
constexpr std::size_t gpu_page_bytes = 2 * mib;
/// Of chains of pairs, whose two links may be far apart.
constexpr std::size_t pair_slot_bytes = 1024;
/// Steps of a sample: milliseconds in memory, and many ticks of the GPU's timer in L1.
constexpr std::uint32_t steps_of_sample = 8192;
/// No L1 holds more: such a chain is walked once in every launch before the clock starts. A launch
/// finds L1 empty, and the misses of 512 lines would add half to what 8192 hits take.
constexpr std::size_t most_of_l1 = 512 * kib;
constexpr std::uint64_t seed = 3;

const std::vector<std::string> paths{"global", "global past L1", "texture", "constant",
                                     "shared", "local",          "cpu"};

#ifdef MEMSTENCIL_CUDA
__constant__ std::uint32_t constant_links[chase_constant_bytes / sizeof(std::uint32_t)];

/// Global links are addresses, so that a step is a load and nothing else.
__global__ void link_addresses(Chain chain, std::uint64_t base) {
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= chain.slots) return;
  const std::uint64_t place = base + chain_place(chain, slot);
  *reinterpret_cast<std::uint64_t*>(place) = base + chase_next(chain, slot, false);
  if (chain.apart > 0)
    *reinterpret_cast<std::uint64_t*>(place + chain.apart) = base + chase_next(chain, slot, true);
}

/// Texture links are indices of 32-bit texels.
__global__ void link_texels(Chain chain, std::uint64_t base) {
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= chain.slots) return;
  auto* const link = reinterpret_cast<std::uint32_t*>(base + chain_place(chain, slot));
  *link = static_cast<std::uint32_t>(chain_place(chain, chain.next[slot]) / sizeof *link);
}

// A path tells how a byte of the chain becomes what a link holds and back, and what a step is.

struct GlobalPath {
  std::uint64_t base;
  using Link = std::uint64_t;
  __device__ Link link(std::uint64_t byte) const { return base + byte; }
  __device__ std::uint64_t byte(Link link) const { return link - base; }
  __device__ void step(Link& link) const {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(link)::"memory");
  }
};

struct PastL1Path : GlobalPath {
  __device__ void step(Link& link) const {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(link)::"memory");
  }
};

struct TexturePath {
  cudaTextureObject_t texture;
  using Link = std::uint32_t;
  __device__ Link link(std::uint64_t byte) const { return static_cast<Link>(byte / sizeof(Link)); }
  __device__ std::uint64_t byte(Link link) const { return std::uint64_t{link} * sizeof(Link); }
  __device__ void step(Link& link) const {
    link = tex1Dfetch<std::uint32_t>(texture, static_cast<int>(link));
  }
};

struct ConstantPath {
  using Link = std::uint32_t;
  /// The thread's index (it is 0) is added so that the compiler takes the threads' path to
  /// constants and not the one for values that are the same in all threads.
  __device__ Link link(std::uint64_t byte) const { return static_cast<Link>(byte) + threadIdx.x; }
  __device__ std::uint64_t byte(Link link) const { return link; }
  __device__ void step(Link& link) const {
    link = *reinterpret_cast<const Link*>(reinterpret_cast<const char*>(constant_links) + link);
  }
};

struct SharedPath {
  std::uint32_t base;
  using Link = std::uint32_t;
  __device__ Link link(std::uint64_t byte) const { return base + static_cast<Link>(byte); }
  __device__ std::uint64_t byte(Link link) const { return link - base; }
  __device__ void step(Link& link) const {
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(link)::"memory");
  }
};

/// A byte of the chain stands for the line that the word of this one thread covers.
struct LocalPath {
  std::uint32_t base;
  using Link = std::uint32_t;
  static constexpr std::uint64_t bytes_a_byte = chase_line / sizeof(Link);
  __device__ Link link(std::uint64_t byte) const {
    return base + static_cast<Link>(byte / bytes_a_byte);
  }
  __device__ std::uint64_t byte(Link link) const { return (link - base) * bytes_a_byte; }
  __device__ void step(Link& link) const {
    asm volatile("ld.local.u32 %0, [%0];" : "+r"(link)::"memory");
  }
};

/// The GPU's timer. It ticks coarsely, up to a microsecond apart.
__device__ __forceinline__ std::uint64_t global_nanoseconds() {
  std::uint64_t nanoseconds = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
  return nanoseconds;
}

/// The untimed steps, then the timed ones. Either clock is read when the load before it was
/// issued, not when it has come; where nothing goes before the timed loads one of `steps` is
/// missing, which is a ten-thousandth.
template <class Path>
__device__ void timed_chase(const Path& path, std::uint64_t start, ChaseSteps steps,
                            ChaseTime* time) {
  auto link = path.link(start);
#pragma unroll 1
  for (std::uint32_t n = 0; n < steps.untimed; ++n) path.step(link);
  const std::uint64_t begin_ns = global_nanoseconds();
  const std::int64_t begin = sm_clock();
  std::uint32_t left = steps.timed;
#pragma unroll 1
  do {
#pragma unroll
    for (std::uint32_t k = 0; k < chase_unroll; ++k) path.step(link);
    left -= chase_unroll;
  } while (left > 0);
  const std::int64_t end = sm_clock();
  const std::uint64_t end_ns = global_nanoseconds();
  *time = {static_cast<std::uint64_t>(end - begin), end_ns - begin_ns, path.byte(link)};
}

template <class Path>
__global__ void chase_links(Path path, std::uint64_t start, ChaseSteps steps, ChaseTime* time) {
  timed_chase(path, start, steps, time);
}

__global__ void chase_shared(Chain chain, std::uint64_t start, ChaseSteps steps, ChaseTime* time) {
  extern __shared__ __align__(16) unsigned char memory[];
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  for (std::uint32_t slot = 0; slot < chain.slots; ++slot)
    *reinterpret_cast<std::uint32_t*>(memory + chain_place(chain, slot)) =
        base + static_cast<std::uint32_t>(chain_place(chain, chain.next[slot]));
  timed_chase(SharedPath{base}, start, steps, time);
}

template <std::uint32_t Words>
__global__ void chase_local(Chain chain, std::uint64_t start, ChaseSteps steps, ChaseTime* time) {
  std::uint32_t links[Words];
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_local(links));
  for (std::uint32_t slot = 0; slot < chain.slots; ++slot)
    links[slot] = base + chain.next[slot] * static_cast<std::uint32_t>(sizeof(std::uint32_t));
  timed_chase(LocalPath{base}, start, steps, time);
}

void set_constants(const Chain& chain) {
  std::vector<std::uint32_t> links(chase_constant_bytes / sizeof(std::uint32_t));
  for (std::uint32_t slot = 0; slot < chain.slots; ++slot)
    links.at(chain_place(chain, slot) / sizeof(std::uint32_t)) =
        static_cast<std::uint32_t>(chain_place(chain, chain.next[slot]));
  check(cudaMemcpyToSymbol(constant_links, links.data(), chase_constant_bytes), "constant chain");
}

/// Linear memory as texels of 32 bits, for as long as the object lives.
class Texels {
public:
  Texels(const void* base, std::size_t bytes) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void*>(base);
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&texture_, &resource, &description, nullptr),
          "texture of a chain");
  }
  ~Texels() {
    cudaDeviceSynchronize();  // the chase may still read through it
    cudaDestroyTextureObject(texture_);
  }
  Texels(const Texels&) = delete;
  Texels& operator=(const Texels&) = delete;
  cudaTextureObject_t object() const { return texture_; }

private:
  cudaTextureObject_t texture_ = 0;
};

void link_chain(ChasePath path, const Chain& chain, void* base) {
  constexpr unsigned threads = 256;
  const unsigned blocks = (chain.slots + threads - 1) / threads;
  const auto address = reinterpret_cast<std::uint64_t>(base);
  switch (path) {
    case ChasePath::Global:
    case ChasePath::GlobalPastL1:
      link_addresses<<<blocks, threads>>>(chain, address);
      break;
    case ChasePath::Texture:
      link_texels<<<blocks, threads>>>(chain, address);
      break;
    case ChasePath::Constant:
      set_constants(chain);
      break;
    case ChasePath::Shared:
    case ChasePath::Local:
    case ChasePath::Cpu:
      break;
  }
  check_kernel("linking a chain");
}

void chase(ChasePath path, const Chain& chain, const void* base, std::uint64_t start,
           ChaseSteps steps, ChaseTime* time) {
  const auto address = reinterpret_cast<std::uint64_t>(base);
  const std::size_t bytes = chain.slots * chain.slot_bytes;
  switch (path) {
    case ChasePath::Global:
      chase_links<<<1, 1>>>(GlobalPath{address}, start, steps, time);
      break;
    case ChasePath::GlobalPastL1:
      chase_links<<<1, 1>>>(PastL1Path{{address}}, start, steps, time);
      break;
    case ChasePath::Texture: {
      const Texels texels(base, bytes);
      chase_links<<<1, 1>>>(TexturePath{texels.object()}, start, steps, time);
      break;
    }
    case ChasePath::Constant:
      chase_links<<<1, 1>>>(ConstantPath{}, start, steps, time);
      break;
    case ChasePath::Shared:
      chase_shared<<<1, 1, bytes>>>(chain, start, steps, time);
      break;
    case ChasePath::Local:
      if (chain.slots <= chase_local_words[0])
        chase_local<chase_local_words[0]><<<1, 1>>>(chain, start, steps, time);
      else
        chase_local<chase_local_words[1]><<<1, 1>>>(chain, start, steps, time);
      break;
    case ChasePath::Cpu:
      break;
  }
  check(cudaGetLastError(), "chase");
}

ChaseTime take_on_gpu(ChasePath path, const Chain& chain, const void* base, std::uint64_t start,
                      ChaseSteps steps) {
  const DeviceArray<ChaseTime> time(1);
  chase(path, chain, base, start, steps, time.data());
  return time.all().front();
}
#else
void link_chain(ChasePath, const Chain&, void*) {}
ChaseTime take_on_gpu(ChasePath, const Chain&, const void*, std::uint64_t, ChaseSteps) {
  return {};
}
#endif

void link_by_host(const Chain& chain, void* memory) {
  auto* const base = static_cast<char*>(memory);
  for (std::uint64_t slot = 0; slot < chain.slots; ++slot) {
    char* const place = base + chain_place(chain, slot);
    *reinterpret_cast<void**>(place) = base + chase_next(chain, slot, false);
    if (chain.apart > 0)
      *reinterpret_cast<void**>(place + chain.apart) = base + chase_next(chain, slot, true);
  }
}

ChaseTime take_on_host(const void* memory, std::uint64_t start, ChaseSteps steps) {
  const auto* const base = static_cast<const char*>(memory);
  const void* link = base + start;
  const auto step = [&link] {
    link = *static_cast<void* const*>(link);
    asm volatile("" : "+r"(link));
  };
  for (std::uint32_t n = 0; n < steps.untimed; ++n) step();
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t n = 0; n < steps.timed; n += chase_unroll)
    for (std::uint32_t k = 0; k < chase_unroll; ++k) step();
  const auto took = std::chrono::steady_clock::now() - begin;
  return {0, static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count()),
          static_cast<std::uint64_t>(static_cast<const char*>(link) - base)};
}

/// A chain of one footprint, linked in memory, and a thread that walks it on and on. It never
/// starts again: the lines that it has just left would be in the caches.
class Walk {
public:
  Walk(ChasePath path, const Chain& like, std::optional<MemorySpace> space, std::size_t footprint,
       bool touched_by_host)
      : path_(path),
        next_(random_cycle(static_cast<std::uint32_t>(footprint / like.slot_bytes), seed)),
        next_on_gpu_(path == ChasePath::Cpu && touched_by_host ? MemorySpace::SystemAllocated
                                                               : scratch_space(Executor::Device),
                     next_.size() * sizeof(std::uint32_t)),
        chain_(like) {
    chain_.slots = static_cast<std::uint32_t>(next_.size());
    if (space) memory_.emplace(*space, footprint);
    copy_links();
    if (next_.size() * chase_line <= most_of_l1)
      again_ = static_cast<std::uint32_t>(next_.size()) * links_a_slot();
    chain_.next = touched_by_host || path == ChasePath::Constant ? next_.data() : on_gpu();
    if (touched_by_host && space)
      link_by_host(chain_, base());
    else
      link_chain(path == ChasePath::Cpu ? ChasePath::Global : path, chain_, base());
    chain_.next = on_gpu();
  }

  /// Once through the footprint, so that it is in the caches as far as they hold it; in one that is
  /// larger than L2 as many lines as L2 holds, and a quarter more; near its size three times: at
  /// 27 MiB of 50 the latency still rose after one.
  void warm_up() {
    const std::size_t l2 = std::max(gpu_facts().l2_bytes, 64 * mib);
    const std::size_t footprint = next_.size() * chain_.slot_bytes;
    std::size_t links = std::min(next_.size(), l2 / chase_line * 5 / 4) * links_a_slot();
    if (footprint > l2 / 4 && footprint < 2 * l2) links *= 3;
    take(static_cast<std::uint32_t>((links + chase_unroll - 1) / chase_unroll) * chase_unroll);
  }

  ChaseTime take(std::uint32_t steps) {
    const ChaseSteps both{.untimed = again_, .timed = steps};
    const ChaseTime time = path_ == ChasePath::Cpu
                               ? take_on_host(base(), place_, both)
                               : take_on_gpu(path_, chain_, base(), place_, both);
    place_ = time.end;
    taken_ += again_ + steps;
    return time;
  }

  /// @throws Failure(Verification) where the thread is not where its steps lead
  void check(const std::string& title) const {
    const std::uint32_t slot = follow(next_, 0, taken_ / links_a_slot());
    const std::uint64_t second = taken_ % links_a_slot() * chain_.apart;
    const std::uint64_t expected = chain_place(chain_, slot) + second;
    verify(place_ == expected, title + ": the chase is at byte " + std::to_string(place_) +
                                   ", and its chain leads to " + std::to_string(expected));
  }

private:
  std::uint32_t links_a_slot() const { return chain_.apart > 0 ? 2 : 1; }
  void* base() const { return memory_ ? memory_->data() : nullptr; }
  const std::uint32_t* on_gpu() const { return static_cast<std::uint32_t*>(next_on_gpu_.data()); }
  void copy_links() { copy(next_on_gpu_.data(), next_.data(), next_.size() * sizeof next_[0]); }

  ChasePath path_;
  std::vector<std::uint32_t> next_;
  Buffer next_on_gpu_;
  Chain chain_;
  std::optional<Buffer> memory_;
  std::uint32_t again_ = 0;  ///< untimed steps before those of a sample
  std::uint64_t place_ = 0, taken_ = 0;
};

bool power_of_two(std::size_t n) { return (n & (n - 1)) == 0; }

/// The footprints of a path in its own memory, or in the GPU's by another path than loads.
bool measured_there(ChasePath path, std::size_t bytes, bool pages) {
  switch (path) {
    case ChasePath::GlobalPastL1:
      if (pages)
        return bytes >= 2 * gpu_page_bytes && bytes % gpu_page_bytes == 0 &&
               bytes <= available_bytes(MemorySpace::Device) / 2;
      return power_of_two(bytes) && bytes >= 64 * kib && bytes <= 32 * mib;
    case ChasePath::Texture:
      return power_of_two(bytes) && bytes >= kib && bytes <= 512 * mib;
    case ChasePath::Constant:
      return power_of_two(bytes) && bytes <= chase_constant_bytes;
    case ChasePath::Shared:
      return bytes >= kib && bytes <= chase_shared_bytes &&
             (power_of_two(bytes) || bytes == chase_shared_bytes);
    case ChasePath::Local:
      return power_of_two(bytes) && bytes >= kib &&
             (bytes <= chase_local_words[0] * chase_line ||
              bytes == chase_local_words[1] * chase_line);
    default:
      return false;
  }
}

/// Everything there is to chase, and nothing else.
void leave_out_what_is_not_there(State& state, ChasePath path, bool pairs, bool pages) {
  const std::size_t bytes = state.bytes("footprint");
  const bool own = state.is("memory", "own"), by_host = state.is("touched", "host");
  const bool loads = path == ChasePath::Global || path == ChasePath::Cpu;
  const bool chip =
      path == ChasePath::Constant || path == ChasePath::Shared || path == ChasePath::Local;
  if (own != chip || (own && (by_host || pairs || pages))) state.leave_out();
  if (!loads && !own && (!state.is("memory", "device") || pairs)) state.leave_out();
  if (!loads && !measured_there(path, bytes, pages)) state.leave_out();
  if (state.is("memory", "device") && by_host && path != ChasePath::Cpu) state.leave_out();
  if (pairs && (bytes < 8 * mib || (bytes != 8 * mib && bytes != 512 * mib))) state.leave_out();
  if (path == ChasePath::Global && pages) state.leave_out();
  const bool whole_curve = path == ChasePath::Global && state.is("memory", "device");
  if (loads && (bytes > (whole_curve ? gib : 512 * mib) || (!whole_curve && !power_of_two(bytes))))
    state.leave_out();
  if (loads && !whole_curve && bytes < (pages ? mib : 4 * kib)) state.leave_out();
}

/// Without a GPU all spaces are the same host memory; its honest name is system.
MemorySpace space_of(State& state, ChasePath path) {
  const MemorySpace space = *memory_space_from_name(state.text("memory"));
  const bool by_host = state.is("touched", "host");
  const Executor executor = path == ChasePath::Cpu ? Executor::Host : Executor::Device;
  if (gpu_count() == 0 &&
      (space != MemorySpace::SystemAllocated || !by_host || executor == Executor::Device))
    state.leave_out();
  if (space == MemorySpace::HostPinned && !by_host) state.leave_out();  // pinning touches it
  for (const Executor needed : {executor, by_host ? Executor::Host : Executor::Device})
    if (const Support s = support(space, needed); !s.served)
      state.leave_out("a chase of the " + std::string(name(executor)) + " in " +
                      state.text("memory") + " memory: " + s.reason);
  require_memory(space, state.bytes("footprint"));
  return space;
}

void measure(State& state) {
  const auto path = static_cast<ChasePath>(
      std::find(paths.begin(), paths.end(), state.text("path")) - paths.begin());
  const bool pages = state.is("chain", "one a page");
  const bool pairs = state.text("chain").starts_with("pairs");
  leave_out_what_is_not_there(state, path, pairs, pages);
  if (gpu_count() == 0 && path != ChasePath::Cpu) state.leave_out();
  Chain chain;
  if (pairs) {
    chain.slot_bytes = pair_slot_bytes;
    chain.apart = std::stoul(state.text("chain").substr(6));
  }
  if (pages)
    chain.slot_bytes =
        path == ChasePath::Cpu ? static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : gpu_page_bytes;
  const std::size_t footprint = state.bytes("footprint");
#ifdef MEMSTENCIL_CUDA
  // The driver gives every thread that can be resident as much as the one thread asks for.
  if (path == ChasePath::Local && footprint > chase_local_words[0] * chase_line &&
      std::size_t{2} * chase_local_words[1] * sizeof(std::uint32_t) * resident_threads() >
          available_bytes(MemorySpace::Device))
    state.leave_out("a chase in local memory beyond L1: the GPU has not the memory for it");
#endif
  std::optional<MemorySpace> space;
  if (!state.is("memory", "own")) space = space_of(state, path);
  Walk walk(path, chain, space, footprint, state.is("touched", "host"));
  walk.warm_up();
  const bool on_gpu = path != ChasePath::Cpu;
  state.sample(on_gpu ? std::vector<std::string>{"cycles", "ns"} : std::vector<std::string>{"ns"},
               [&] {
                 const ChaseTime time = walk.take(steps_of_sample);
                 const double ns = static_cast<double>(time.nanoseconds) / steps_of_sample;
                 if (!on_gpu) return std::vector{ns};
                 return std::vector{static_cast<double>(time.cycles) / steps_of_sample, ns};
               });
  walk.check(state.title());
}

Point start(const Setup&) { return measure; }

/// One point an octave below 32 KiB, where L1 is flat; four above, two from 1 GiB on, in pages.
std::vector<Axis> axes(bool) {
  std::vector<Value> footprints;
  for (double bytes = 256; bytes < 32 * kib; bytes *= 2) footprints.emplace_back(bytes);
  for (double octave = 32 * kib; octave <= 16.0 * gib; octave *= 2)
    for (const int quarter : {0, 1, 2, 3}) {
      const double unit = octave < 64 * mib ? chase_line : gpu_page_bytes;
      if ((octave >= gib && quarter % 2 == 1) || (octave == 16.0 * gib && quarter > 0)) continue;
      footprints.emplace_back(std::floor(octave * std::exp2(quarter / 4.0) / unit) * unit);
      if (octave == 32 * kib && quarter == 2) footprints.emplace_back(1.0 * chase_shared_bytes);
    }
  return {
      {.name = "path", .unit = "", .values = names(paths)},
      {.name = "memory",
       .unit = "",
       .values = names({"own", "device", "host-pinned", "managed", "system"})},
      {.name = "touched", .unit = "", .values = names({"device", "host"})},
      {.name = "chain",
       .unit = "",
       .values = names({"random line", "one a page", "pairs 16", "pairs 32", "pairs 64",
                        "pairs 128", "pairs 256", "pairs 512"})},
      {.name = "footprint", .unit = "B", .values = footprints, .least = 256, .most = 16.0 * gib}};
}

/// "L1", "L2", ... in their order, and "memory" for what goes on to the end of a large curve.
std::string level_name(const std::string& path, std::size_t number, std::size_t count,
                       std::size_t last) {
  if (number + 1 == count && last >= 256 * mib) return "memory";
  return "L" + std::to_string(number + (path == "global past L1" ? 2 : 1));
}

/// Levels and what they hold, from the curves of random lines; the bytes that are fetched together,
/// from the pairs; and what a load from page to page takes beyond one within a page, which is
/// translation: its lines are few and lie in L2.
void derive(std::vector<Row>& rows) {
  using Curve = std::array<std::string, 3>;
  std::map<Curve, std::map<std::size_t, double>> curves, ns;
  std::map<std::pair<Curve, double>, std::map<double, double>> pairs;
  const auto unit = [](const Row& row) { return row.has("cycles") ? "cycles" : "ns"; };
  const auto key = [](const Row& row) {
    return Curve{row.text("path"), row.text("memory"), row.text("touched")};
  };
  for (const Row& row : rows) {
    const double footprint = row.number("footprint"), latency = row.number(unit(row));
    if (row.is("chain", "random line")) {
      curves[key(row)][static_cast<std::size_t>(footprint)] = latency;
      ns[key(row)][static_cast<std::size_t>(footprint)] = row.number("ns");
    }
    if (row.text("chain").starts_with("pairs"))
      pairs[{key(row), footprint}][std::stod(row.text("chain").substr(6))] = latency;
  }
  const auto row_of = [](const Curve& c) {
    return Row{{{"path", c[0]}, {"memory", c[1]}, {"touched", c[2]}}, {}};
  };
  double l2_cycles = 0;
  std::vector<Row> more;
  for (const auto& [curve, points] : curves) {
    const std::vector<Level> levels = levels_of(points);
    for (std::size_t n = 0; n < levels.size(); ++n) {
      Row row = row_of(curve);
      std::vector<double> own;
      for (const auto& [footprint, value] : ns[curve])
        if (footprint >= levels[n].first && footprint <= levels[n].last) own.push_back(value);
      row.set("level", level_name(curve[0], n, levels.size(), levels[n].last));
      row.set("from_bytes", static_cast<double>(levels[n].first));
      row.set("to_bytes", static_cast<double>(levels[n].last));
      row.set("holds_bytes", static_cast<double>(levels[n].holds));
      if (curve[0] != "cpu") row.set("cycles", levels[n].latency);
      row.set("ns", median(own));
      more.push_back(row);
    }
    if (curve[0] == "global past L1" && !points.empty()) l2_cycles = points.begin()->second;
  }
  for (const auto& [of, distances] : pairs) {
    Row row = row_of(of.first);
    row.set("footprint", of.second);
    row.set("fetched_bytes", fetched_bytes(distances));
    more.push_back(row);
  }
  for (Row& row : rows)
    if (row.is("path", "global past L1") && row.is("chain", "one a page") && l2_cycles > 0)
      row.set("translation_cycles", row.number("cycles") - l2_cycles);
  rows.insert(rows.end(), more.begin(), more.end());
}

}  // namespace

extern const Probe latency_probe{
    .name = "latency",
    .summary = "the time of one dependent load of GPU and CPU, from L1 to the other's memory",
    .source = "[ufrgs-thesis], table 3.1",
    .counted = "dependent loads of one thread",
    .needs = Needs::Host,
    .axes = axes,
    .start = start,
    .derive = derive,
    .notes =
        {"touched: who wrote the links, and so touched the memory first: where pages lie that "
         "move to their first toucher; a load may move them again",
         "cycles by clock64 and ns by globaltimer (cpu: by the host's clock), of one load of a "
         "chain that goes through all lines of its footprint in random order",
         "levels are plateaus of the curve; holds_bytes: the largest footprint still nearer to "
         "the level than to the next; fetched_bytes: the distance of two links from which on "
         "the second one is a miss of its own",
         "a chain of up to 512 KiB is walked once in every launch before the clock starts: a "
         "launch finds L1 empty"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 100}};

}  // namespace memstencil::membench
