// The exchange between GPUs by NCCL: its header at build time, its library when a run wants it.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "kernels/shared_library.hpp"

#include <nccl.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

namespace memstencil {

namespace {

const SharedLibrary& library() {
  static const SharedLibrary opened("libnccl.so.2", "NCCL");
  return opened;
}

// Since NCCL 2.19, whose header alone declares them.
using Enroll = ncclResult_t(ncclComm_t, void*, std::size_t, void**);
using Dismiss = ncclResult_t(ncclComm_t, void*);

/// A function of the library, to be called as it is. @throws as SharedLibrary::function
template <class Type>
class Function {
public:
  explicit Function(const char* name) : found_(library().function<Type>(name)) {}
  operator Type*() const { return found_; }

private:
  Type* found_;
};

struct Functions {
  Function<decltype(ncclGetVersion)> get_version{"ncclGetVersion"};
  Function<decltype(ncclGetErrorString)> error_string{"ncclGetErrorString"};
  Function<decltype(ncclGetUniqueId)> get_unique_id{"ncclGetUniqueId"};
  Function<decltype(ncclCommInitRank)> init_rank{"ncclCommInitRank"};
  Function<decltype(ncclCommGetAsyncError)> get_async_error{"ncclCommGetAsyncError"};
  Function<decltype(ncclCommDestroy)> destroy{"ncclCommDestroy"};
  Function<decltype(ncclCommAbort)> abort{"ncclCommAbort"};
  Function<decltype(ncclGroupStart)> group_start{"ncclGroupStart"};
  Function<decltype(ncclGroupEnd)> group_end{"ncclGroupEnd"};
  Function<decltype(ncclSend)> send{"ncclSend"};
  Function<decltype(ncclRecv)> receive{"ncclRecv"};
  Enroll* enroll = library().find<Enroll>("ncclCommRegister");  ///< null in an older library
  Dismiss* dismiss = library().find<Dismiss>("ncclCommDeregister");
};

const Functions& nccl() {
  static const Functions found;
  return found;
}

void check(ncclResult_t result, const char* step, ExitCode code = ExitCode::Other) {
  if (result != ncclSuccess)
    throw Failure(code, std::string("NCCL ") + step + ": " + nccl().error_string(result));
}

class NcclExchange final : public GpuExchange {
public:
  NcclExchange(const ncclUniqueId& id, const Communicator& ranks) {
    check(nccl().init_rank(&comm_, ranks.size(), id, ranks.rank()), "cannot start",
          ExitCode::Machine);
  }
  ~NcclExchange() override {
    if (comm_ == nullptr) return;
    // Destroying waits for the other ranks, who may never come where this one leaves by an error.
    if (std::uncaught_exceptions() > 0)
      nccl().abort(comm_);
    else
      nccl().destroy(comm_);
  }
  NcclExchange& operator=(NcclExchange&&) = delete;  // nor any copy

  void exchange(std::span<const Message> messages, void* of_queue) override {
    auto* const stream = static_cast<cudaStream_t>(of_queue);
    check(nccl().group_start(), "exchange");
    for (const Message& m : messages) {
      if (m.send_bytes > 0)
        check(nccl().send(m.send, m.send_bytes, ncclInt8, m.peer, comm_, stream), "send");
      if (m.receive_bytes > 0)
        check(nccl().receive(m.receive, m.receive_bytes, ncclInt8, m.peer, comm_, stream),
              "receive");
    }
    check(nccl().group_end(), "exchange");
  }

  void look() override {
    ncclResult_t error = ncclSuccess;
    check(nccl().get_async_error(comm_, &error), "exchange");
    if (error == ncclSuccess) return;
    // Its kernels would wait for ever, and the release of memory for them.
    nccl().abort(std::exchange(comm_, nullptr));
    check(error, "exchange");
  }

  void connect(std::span<const Buffer* const> buffers) override {
    if (nccl().enroll == nullptr || nccl().dismiss == nullptr || comm_ == nullptr) return;
    for (void* const each : enrolled_) nccl().dismiss(comm_, each);
    enrolled_.clear();
    for (const Buffer* each : buffers)  // messages from others take longer, and arrive
      if (void* handle = nullptr;
          each->bytes() > 0 &&
          nccl().enroll(comm_, each->data(), each->bytes(), &handle) == ncclSuccess)
        enrolled_.push_back(handle);
  }

private:
  ncclComm_t comm_ = nullptr;
  std::vector<void*> enrolled_;
};

}  // namespace

std::string gpu_exchange_library() {
  int version = 0;
  check(nccl().get_version(&version), "version");
  const auto part = [version](int unit) { return std::to_string(version / unit % 100); };
  return "NCCL " + part(10000) + "." + part(100) + "." + part(1);
}

std::string why_not_gpu_exchange() { return library().refused(); }

std::unique_ptr<GpuExchange> make_gpu_exchange(const Communicator& communicator) {
  // Without it NCCL uses registered memory of cudaMalloc for nothing. A user's own setting stays.
  setenv("NCCL_LEGACY_CUDA_REGISTER", "1", 0);
  ncclUniqueId id{};
  collectively(communicator, [&] {
    // On every rank: one whose library lacks a function must not leave the others at the start.
    const Functions& found = nccl();
    if (communicator.root()) check(found.get_unique_id(&id), "cannot start", ExitCode::Machine);
  });
  std::string bytes(id.internal, sizeof id.internal);
  communicator.broadcast(bytes);
  std::copy(bytes.begin(), bytes.end(), id.internal);
  // NCCL starts on all ranks together; where it fails on one it does on the others.
  return collectively(communicator, [&]() -> std::unique_ptr<GpuExchange> {
    return std::make_unique<NcclExchange>(id, communicator);
  });
}

}  // namespace memstencil
