// Watches for pauses of this process: it was stopped, or the machine was suspended.
#include "app/base/machine/pauses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>

namespace memstencil {

namespace {

constexpr double shortest_pause = 1.0;  // seconds

/// Seconds since the machine started, including its suspension.
double seconds_of_boot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds that this thread was ready and had no processor; 0 if the kernel does not say.
double seconds_in_queue() {
  double on_processor = 0, in_queue = 0;
  std::ifstream("/proc/thread-self/schedstat") >> on_processor >> in_queue;
  return 1e-9 * in_queue;
}

}  // namespace

PauseWatch::PauseWatch() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}

double PauseWatch::longest() {
  const std::lock_guard lock(mutex_);
  return longest_;
}

void PauseWatch::watch(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  for (double before = seconds_of_boot(), queued = seconds_in_queue();
       !stopped_.wait_for(lock, stop, 100ms, [&] { return stop.stop_requested(); });) {
    const double now = seconds_of_boot(), queued_now = seconds_in_queue();
    const double pause = now - before - (queued_now - queued);
    if (pause > shortest_pause) longest_ = std::max(longest_, pause);
    before = now;
    queued = queued_now;
  }
}

std::string text(const Pause& pause) {
  return fmt::format(
      "the process stood still for {:.1f} s{}: it was stopped, or the machine was suspended",
      pause.seconds, pause.sweep ? fmt::format(", in sweep {}", *pause.sweep) : "");
}

std::optional<Pause> longest_pause(PauseWatch& watch, const std::vector<double>& sweep_seconds,
                                   const Communicator& communicator) {
  Pause pause{.seconds = communicator.maximum(watch.longest()), .sweep = {}};
  if (pause.seconds == 0) return {};
  const auto slowest = std::max_element(sweep_seconds.begin(), sweep_seconds.end());
  if (slowest != sweep_seconds.end() && *slowest >= pause.seconds / 2)
    pause.sweep = slowest - sweep_seconds.begin() + 1;
  return pause;
}

}  // namespace memstencil
