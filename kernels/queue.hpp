// Queues of kernels that run at the same time, events by which they wait for each other, and the
// times of the laps of a loop of asynchronous kernels, without a fence between them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace memstencil {

/// Threads of the host's execution space, as the environment asks; it need not have started. Of a
/// space that is not OpenMP or Serial all CPUs, if KOKKOS_NUM_THREADS does not say fewer: it may
/// start fewer.
int host_threads();

/// The queue of an instance as a library of messages takes it: a cudaStream_t; null on a host.
template <class Exec>
void* stream_of(const Exec& queue);

/// A point in a queue that other queues wait for, without the host. (On a host all calls before
/// have ended.)
template <class Exec>
class Event {
public:
  Event();
  /// Stands after the work that was submitted to the queue so far; its last place is forgotten.
  void record(const Exec& queue);
  /// Has all work ended that was submitted before the event?
  bool query() const;

  void* get() const { return event_.get(); }  ///< a cudaEvent_t; null on a host

private:
  std::shared_ptr<void> event_;
};

/// An instance of the execution space.
template <class Exec>
class Queue {
public:
  /// Its kernels run at the same time as those of the default instance, and start first if both
  /// have some to start. On a host, which runs one kernel at a time, it is that instance.
  Queue();
  explicit Queue(const Exec& exec) : exec_(exec) {}
  /// Good while this object lives.
  const Exec& exec() const { return exec_; }
  /// Work submitted from here on starts after the event.
  void wait_for(const Event<Exec>& event) const;

private:
  std::shared_ptr<void> stream_;  ///< outlives the instance
  Exec exec_;
};

// Numbers in a GPU's memory that queues wait for and set, without the host and without a
// multiprocessor. Only a build for CUDA has these.

/// The reason why queues have no such numbers here; empty if they have.
std::string why_not_queue_counters();
/// Work that the stream (a cudaStream_t) gets from here on starts when the number has reached
/// `value`. Kernels raise it, or other queues set it, and it may go round at 2^32. Only if
/// nothing refuses it.
/// @throws std::runtime_error with CUDA's number of the error
void wait_for_counter(const std::uint32_t* counter, std::uint32_t value, void* stream);
/// The number gets the value after all that the stream was given before. It may lie in the memory
/// of another GPU that this one reaches. As wait_for_counter().
void set_counter(std::uint32_t* counter, std::uint32_t value, void* stream);

/// start(), then a lap() after one or more passes are submitted. Laps join up: their sum is the
/// time from start() to the end of the last one, gaps included. (A host clock would need a fence a
/// pass, and small grids would then measure the fence.)
class LapClock {
public:
  virtual ~LapClock() = default;
  virtual void start() = 0;
  virtual void lap() = 0;
  /// Seconds of the laps since start() that are known to have ended, without a wait.
  virtual const std::vector<double>& known() = 0;
  /// Waits for the last lap. Seconds of each lap since the clock was made,
  /// or since the last finish(). A lap throws as elapsed().
  virtual std::vector<double> finish() = 0;
};

/// Times the kernels of this instance: on a device by events in its stream, on the host by the
/// steady clock after a fence.
/// @param look is called again and again while the clock waits for a device: it may throw if
///        the lap will never end.
template <class Exec>
std::unique_ptr<LapClock> make_lap_clock(const Exec& exec, const std::function<void()>& look = {});

}  // namespace memstencil
