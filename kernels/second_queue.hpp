// A second queue of kernels beside the first, and marks by which queues wait for each other.
#pragma once

#include <memory>

namespace memstencil {

/// An instance of the execution space whose kernels run beside those of the default
/// instance, and start first where both have some to start. On a host, which runs one
/// kernel at a time, it is that instance.
template <class Exec>
class SecondQueue {
public:
  SecondQueue();
  /// Good while this object lives.
  const Exec& exec() const { return exec_; }

private:
  std::shared_ptr<void> stream_;  ///< outlives the instance
  Exec exec_;
};

/// The queue of an instance as a library of messages takes it: a cudaStream_t; null on a host.
template <class Exec>
void* stream_of(const Exec& queue);

/// A point in the queue of an instance that other queues wait for, without the host. (On a host
/// what was called before is done.)
template <class Exec>
class QueueMark {
public:
  QueueMark();
  /// Stands after what was submitted to the queue so far; the mark's last place is forgotten.
  void set(const Exec& queue);
  /// Work submitted to the queue from here on starts after the mark.
  void hold(const Exec& queue) const;
  /// Has all work ended that was submitted before the mark?
  bool reached() const;

private:
  std::shared_ptr<void> event_;
};

}  // namespace memstencil
