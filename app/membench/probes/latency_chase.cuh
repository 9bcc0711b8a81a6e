// Probe latency: chains of links, the paths that a load takes to them, and the timed walk of one
// thread of the GPU.
#pragma once

#include "app/membench/core/gpu.cuh"
#include "kernels/portable.hpp"

#include <cstdint>

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
  const std::uint32_t* next = nullptr;  ///< `slots` indices, readable by whoever links; at least 1
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

#ifdef MEMSTENCIL_CUDA
__constant__ std::uint32_t constant_links[chase_constant_bytes / sizeof(std::uint32_t)];

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

/// Writes the links as the path wants them: global ones are addresses, so that a step is a load and
/// nothing else, those of texels are indices.
template <class Path>
__global__ void link_slots(Path path, Chain chain, std::uint64_t base) {
  using Link = typename Path::Link;
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= chain.slots) return;
  const std::uint64_t place = base + chain_place(chain, slot);
  *reinterpret_cast<Link*>(place) = path.link(chase_next(chain, slot, false));
  if (chain.apart > 0)
    *reinterpret_cast<Link*>(place + chain.apart) = path.link(chase_next(chain, slot, true));
}

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

/// Linear memory as texels of 32 bits.
cudaTextureObject_t texels(const void* base, std::size_t bytes) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(base);
  resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description{};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &description, nullptr), "texture of a chain");
  return texture;
}

/// Links a chain in memory; in shared and local memory the chase itself does.
void link_on_gpu(ChasePath path, const Chain& chain, void* base) {
  constexpr unsigned link_threads = 256;
  const Grid grid{(chain.slots + link_threads - 1) / link_threads, link_threads};
  const auto address = reinterpret_cast<std::uint64_t>(base);
  if (path == ChasePath::Constant) return set_constants(chain);
  if (path == ChasePath::Shared || path == ChasePath::Local) return;
  if (path == ChasePath::Texture)
    launch(link_slots<TexturePath>, grid, {0}, chain, address);
  else
    launch(link_slots<GlobalPath>, grid, {address}, chain, address);
  wait_for_gpu("linking a chain");
}

ChaseTime chase_on_gpu(ChasePath path, const Chain& chain, const void* base, std::uint64_t start,
                       ChaseSteps steps) {
  const DeviceArray<ChaseTime> time(1);
  const auto address = reinterpret_cast<std::uint64_t>(base);
  const std::size_t bytes = chain.slots * chain.slot_bytes;
  const auto walk = [&](auto kernel, auto along, std::size_t shared = 0) {
    launch(kernel, {1, 1, shared}, along, start, steps, time.data());
  };
  switch (path) {
    case ChasePath::Global:
      walk(chase_links<GlobalPath>, GlobalPath{address});
      break;
    case ChasePath::GlobalPastL1:
      walk(chase_links<PastL1Path>, PastL1Path{{address}});
      break;
    case ChasePath::Texture: {
      const cudaTextureObject_t texture = texels(base, bytes);
      walk(chase_links<TexturePath>, TexturePath{texture});
      wait_for_gpu("chase of texels");
      check(cudaDestroyTextureObject(texture), "end of a chain's texture");
      break;
    }
    case ChasePath::Constant:
      walk(chase_links<ConstantPath>, ConstantPath{});
      break;
    case ChasePath::Shared:
      walk(chase_shared, chain, bytes);
      break;
    case ChasePath::Local:
      if (chain.slots <= chase_local_words[0])
        walk(chase_local<chase_local_words[0]>, chain);
      else
        walk(chase_local<chase_local_words[1]>, chain);
      break;
    case ChasePath::Cpu:
      break;
  }
  return time.all().front();
}
#else
void link_on_gpu(ChasePath, const Chain&, void*) {}
ChaseTime chase_on_gpu(ChasePath, const Chain&, const void*, std::uint64_t, ChaseSteps) {
  return {};
}
#endif

}  // namespace

}  // namespace memstencil::membench
