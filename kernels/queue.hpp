// Queues of kernels that run at the same time, and events by which they wait for each other.
#pragma once

#include <memory>

namespace memstencil {

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

}  // namespace memstencil
