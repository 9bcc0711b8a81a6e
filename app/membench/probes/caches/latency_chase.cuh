// Probe latency: chains of links, the paths of a load to them, and the timed walk of one thread.
#pragma once

#include "app/membench/core/gpu.cuh"
#include "kernels/elapsed.hpp"
#include "kernels/portable.hpp"

namespace memstencil::membench {

/// The way that a load takes. Global, GlobalPastL1 and Texture chase in any memory that the GPU
/// reaches, Constant and Shared in memory of their own.
enum class ChasePath { Global, GlobalPastL1, Texture, Constant, Shared, Cpu };

/// The unit in which caches fetch; a slot of a chain has at least one.
constexpr std::uint64_t chase_line = 128;
/// Loads in one turn of the timed loop.
constexpr std::uint32_t chase_unroll = 32;
/// All there is for constants.
constexpr std::size_t chase_constant_bytes = 65536;

/// A chain of `slots` slots: slot s leads to slot next[s].
struct Chain {
  const std::uint32_t* next = nullptr;  ///< `slots` indices (at least 1); read as slots are linked
  std::uint32_t slots = 0;
  std::uint64_t slot_bytes = chase_line;  ///< a multiple of chase_line

  /// Byte of a slot's link: in the first line of the slot; if a slot has many lines (a page), in
  /// one that changes from slot to slot: otherwise all links would fall into the same cache sets.
  MEMSTENCIL_FUNCTION std::uint64_t place(std::uint64_t slot) const {
    const std::uint64_t lines = slot_bytes / chase_line;
    return slot * slot_bytes + (slot * 0x9E3779B97F4A7C15U >> 32) % lines * chase_line;
  }
  /// The byte that a slot's link leads to.
  MEMSTENCIL_FUNCTION std::uint64_t link(std::uint64_t slot) const { return place(next[slot]); }
};

/// The steps of one launch. A launch finds L1 empty, so a chain that L1 could hold is walked once,
/// untimed, before the clock starts.
struct ChaseSteps {
  std::uint32_t untimed;
  std::uint32_t timed;  ///< a multiple of chase_unroll
};

/// Times of the timed steps, by the multiprocessor's clock and by the GPU's timer; and the byte,
/// from the chain's first, at which the chase stopped.
struct ChaseTime {
  std::uint64_t cycles, nanoseconds, end;
};

inline void link_by_host(const Chain& chain, void* memory) {
  auto* const base = static_cast<char*>(memory);
  for (std::uint64_t slot = 0; slot < chain.slots; ++slot)
    *reinterpret_cast<void**>(base + chain.place(slot)) = base + chain.link(slot);
}

inline ChaseTime chase_on_host(const void* memory, std::uint64_t start, ChaseSteps steps) {
  const auto* const base = static_cast<const char*>(memory);
  const void* link = base + start;
  const auto step = [&link] {
    link = *static_cast<void* const*>(link);
    asm volatile("" : "+r"(link));
  };
  for (std::uint32_t n = 0; n < steps.untimed; ++n) step();
  const double seconds = host_seconds([&] {
    for (std::uint32_t n = 0; n < steps.timed; n += chase_unroll)
      for (std::uint32_t k = 0; k < chase_unroll; ++k) step();
  });
  return {0, static_cast<std::uint64_t>(std::llround(1e9 * seconds)),
          static_cast<std::uint64_t>(static_cast<const char*>(link) - base)};
}

#ifdef MEMSTENCIL_CUDA
static __constant__ std::uint32_t constant_links[chase_constant_bytes / sizeof(std::uint32_t)];

/// A path converts a byte of the chain to a link and back, and makes a step. A link counts in units
/// of `Unit` bytes, from `base` on.
template <class Word, std::uint64_t Unit>
struct PathOf {
  using Link = Word;
  Link base;
  __device__ Link link(std::uint64_t byte) const { return base + static_cast<Link>(byte / Unit); }
  __device__ std::uint64_t byte(Link link) const { return std::uint64_t{link - base} * Unit; }
};

struct GlobalPath : PathOf<std::uint64_t, 1> {
  __device__ void step(Link& link) const {
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(link)::"memory");
  }
};

struct PastL1Path : PathOf<std::uint64_t, 1> {
  __device__ void step(Link& link) const {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(link)::"memory");
  }
};

struct TexturePath : PathOf<std::uint32_t, sizeof(std::uint32_t)> {
  cudaTextureObject_t texture;
  __device__ void step(Link& link) const {
    link = tex1Dfetch<std::uint32_t>(texture, static_cast<int>(link));
  }
};

struct ConstantPath : PathOf<std::uint32_t, 1> {
  /// The thread's index (it is 0) is added so that the compiler takes the threads' path to
  /// constants and not the one for values that are the same in all threads.
  __device__ Link link(std::uint64_t byte) const { return static_cast<Link>(byte) + threadIdx.x; }
  __device__ void step(Link& link) const {
    link = *reinterpret_cast<const Link*>(reinterpret_cast<const char*>(constant_links) + link);
  }
};

struct SharedPath : PathOf<std::uint32_t, 1> {
  __device__ void step(Link& link) const {
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(link)::"memory");
  }
};

/// Writes the links as the path wants them: global ones are addresses, so that a step is a load and
/// nothing else; links of texels are indices.
template <class Path>
__global__ void link_slots(Path path, Chain chain, std::uint64_t base) {
  using Link = typename Path::Link;
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= chain.slots) return;
  *reinterpret_cast<Link*>(base + chain.place(slot)) = path.link(chain.link(slot));
}

/// The GPU's timer. It ticks coarsely, up to a microsecond apart.
__device__ __forceinline__ std::uint64_t global_nanoseconds() {
  std::uint64_t nanoseconds = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
  return nanoseconds;
}

/// The untimed steps, then the timed ones. Either clock is read when the load before it was
/// issued, not when it has come; if nothing goes before the timed loads one of `steps` is
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
  const SharedPath path{{static_cast<std::uint32_t>(__cvta_generic_to_shared(memory))}};
  for (std::uint32_t slot = 0; slot < chain.slots; ++slot)
    *reinterpret_cast<std::uint32_t*>(memory + chain.place(slot)) = path.link(chain.link(slot));
  timed_chase(path, start, steps, time);
}

/// Links a chain in memory; in shared memory the chase itself does.
inline void link_on_gpu(ChasePath path, const Chain& chain, void* base) {
  constexpr unsigned link_threads = 256;
  const Grid grid{(chain.slots + link_threads - 1) / link_threads, link_threads};
  const auto address = reinterpret_cast<std::uint64_t>(base);
  if (path == ChasePath::Constant) {
    std::vector<std::uint32_t> links(chase_constant_bytes / sizeof(std::uint32_t));
    for (std::uint32_t slot = 0; slot < chain.slots; ++slot)
      links.at(chain.place(slot) / sizeof(std::uint32_t)) =
          static_cast<std::uint32_t>(chain.link(slot));
    check(cudaMemcpyToSymbol(constant_links, links.data(), chase_constant_bytes), "constants");
  } else if (path == ChasePath::Texture) {
    launch(link_slots<TexturePath>, grid, {}, chain, address);
  } else if (path != ChasePath::Shared) {
    launch(link_slots<GlobalPath>, grid, {{address}}, chain, address);
  }
  wait_for_gpu("linking a chain");
}

/// Linear memory as texels of 32 bits.
class Texels : NotCopied {
public:
  Texels(const void* base, std::size_t bytes) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void*>(base);
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&texture_, &resource, &description, nullptr), "texels");
  }
  ~Texels() { cudaDestroyTextureObject(texture_); }
  cudaTextureObject_t get() const { return texture_; }

private:
  cudaTextureObject_t texture_ = 0;
};

inline ChaseTime chase_on_gpu(ChasePath path, const Chain& chain, const void* base,
                              std::uint64_t start, ChaseSteps steps) {
  const DeviceArray<ChaseTime> time(1);
  const auto address = reinterpret_cast<std::uint64_t>(base);
  const std::size_t bytes = chain.slots * chain.slot_bytes;
  const auto walk = [&](auto kernel, auto along, std::size_t shared = 0) {
    launch(kernel, {1, 1, shared}, along, start, steps, time.data());
    return time.all().front();
  };
  switch (path) {
    case ChasePath::Global:
      return walk(chase_links<GlobalPath>, GlobalPath{{address}});
    case ChasePath::GlobalPastL1:
      return walk(chase_links<PastL1Path>, PastL1Path{{address}});
    case ChasePath::Texture: {
      const Texels texels(base, bytes);
      return walk(chase_links<TexturePath>, TexturePath{{0}, texels.get()});
    }
    case ChasePath::Constant:
      return walk(chase_links<ConstantPath>, ConstantPath{});
    default:
      return walk(chase_shared, chain, bytes);
  }
}

#else
inline void link_on_gpu(ChasePath, const Chain&, void*) {}
inline ChaseTime chase_on_gpu(ChasePath, const Chain&, const void*, std::uint64_t, ChaseSteps) {
  return {};
}
#endif

}  // namespace memstencil::membench
