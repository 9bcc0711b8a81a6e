// A sweep of the host and an exchange by MPI, with something done after each: faults, or a wait.
#pragma once

#include "app/bench/gpu_exchange.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <Kokkos_Core.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace memstencil::himeno {

using HostSweep = jacobi::Sweep<Kokkos::DefaultHostExecutionSpace>;

class FaultySweep final : public HostSweep {
public:
  using After = std::function<void(const jacobi::Pass&)>;
  FaultySweep(std::unique_ptr<HostSweep> sound, After after)
      : sound_(std::move(sound)), after_(std::move(after)) {}
  int sweeps() const override { return sound_->sweeps(); }
  std::string describe() const override { return "faulty"; }
  bool update(const Kokkos::DefaultHostExecutionSpace& queue, const jacobi::Pass& pass, int slot,
              const RanksAround<Kokkos::DefaultHostExecutionSpace>& around) override {
    const bool stored = sound_->update(queue, pass, slot, around);
    Kokkos::fence();
    after_(pass);
    return stored;
  }
  void add_up(const Kokkos::DefaultHostExecutionSpace& queue, int slots, double* out) override {
    sound_->add_up(queue, slots, out);
  }

private:
  std::unique_ptr<HostSweep> sound_;
  After after_;
};

class ExchangeByMpi final : public GpuExchange {
public:
  using After = std::function<void(std::span<const Message>)>;
  explicit ExchangeByMpi(After after = {}) : after_(std::move(after)) {}
  void exchange(std::span<const Message> messages, void*) override {
    communicator_.exchange(messages);
    if (after_) after_(messages);
  }
  void look() override {}
  void connect(std::span<const Buffer* const>) override {}

private:
  Communicator communicator_;
  After after_;
};

}  // namespace memstencil::himeno
