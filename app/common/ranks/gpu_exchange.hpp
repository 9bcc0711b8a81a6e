// Messages straight from GPU to GPU, without MPI. One contract, two backends: NCCL, and none.
#pragma once

#include "app/common/ranks/communicator.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace memstencil {

/// Between all ranks of the run, each with a GPU of its own.
class GpuExchange {
public:
  virtual ~GpuExchange() = default;
  /// All messages at once, from and into memory of the GPU. They are submitted in `stream`
  /// (a cudaStream_t; null is that of Kokkos' default instance), so after the kernels
  /// before and before those after them, and this returns at once. No peer stands there
  /// twice: messages meet by their order, their tags are not looked at. One that is empty
  /// in one direction goes in the other alone.
  /// @throws Failure(Other) with the library's words
  virtual void exchange(std::span<const Message> messages, void* stream = nullptr) = 0;
  /// Returns when all that was submitted to Kokkos' default instance is done. @throws as look()
  virtual void wait() = 0;
  /// Returns at once.
  /// @param anew a wait for something else begins
  /// @throws Failure(Other) where a message failed: those who wait would do so for ever
  virtual void look(bool anew = false) = 0;
  /// Tells the library of memory of the GPU that messages leave from and arrive in, as long as the
  /// result lives: it may then do without copies of its own. Null where it knows no such thing.
  virtual std::shared_ptr<void> enroll(void* /*data*/, std::size_t /*bytes*/) { return nullptr; }
};

/// "NCCL 2.28.3", as it was found on this machine. Only where nothing refuses it.
std::string gpu_exchange_library();
/// The reason why this process has no such library; empty if it has one.
std::string refuse_gpu_exchange();

/// The GPU must have been selected, by no other rank. Collective.
/// @throws CollectiveFailure(Machine)
std::unique_ptr<GpuExchange> make_gpu_exchange(const Communicator& communicator);

}  // namespace memstencil
