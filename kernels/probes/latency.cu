// Pointer chases: the links are written in parallel, then one thread follows
// them between two clock reads.
#include "kernels/probes/latency.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/sm_clock.cuh"

#include <cuda_runtime.h>

#include <vector>

namespace memstencil::probes {

namespace {

__constant__ std::uint32_t constant_links[chase_constant_bytes / sizeof(std::uint32_t)];

/// Global links are addresses, so that a step is a load and nothing else.
__global__ void link_addresses(Chain chain, std::uint64_t base) {
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= chain.slots) return;
  auto* const link = reinterpret_cast<std::uint64_t*>(base + chase_place(slot, chain.slot_bytes));
  *link = base + chase_place(chain.next[slot], chain.slot_bytes);
}

/// Texture links are indices of 32-bit texels.
__global__ void link_texels(Chain chain, std::uint64_t base) {
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (slot >= chain.slots) return;
  auto* const link = reinterpret_cast<std::uint32_t*>(base + chase_place(slot, chain.slot_bytes));
  *link =
      static_cast<std::uint32_t>(chase_place(chain.next[slot], chain.slot_bytes) / sizeof *link);
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
    *reinterpret_cast<std::uint32_t*>(memory + chase_place(slot, chain.slot_bytes)) =
        base + static_cast<std::uint32_t>(chase_place(chain.next[slot], chain.slot_bytes));
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
    links.at(chase_place(slot, chain.slot_bytes) / sizeof(std::uint32_t)) =
        static_cast<std::uint32_t>(chase_place(chain.next[slot], chain.slot_bytes));
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

}  // namespace

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
      break;
  }
  check(cudaGetLastError(), "linking a chain");
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
  }
  check(cudaGetLastError(), "chase");
}

}  // namespace memstencil::probes
