// The effort that memory asks of a program, counted.
#include "memory_spaces/effort.hpp"

#include <mutex>

namespace memstencil {

namespace {

/// One for the process, as its allocators are.
struct Counted {
  std::mutex mutex;
  MemoryEffort effort{};
};

Counted& counted() {
  static Counted all;
  return all;
}

template <class Change>
void count(const Change& change) {
  const std::lock_guard lock(counted().mutex);
  change(counted().effort);
}

Calls one(std::size_t bytes) { return {1, static_cast<double>(bytes)}; }

Calls operator-(const Calls& later, const Calls& earlier) {
  return {later.count - earlier.count, later.bytes - earlier.bytes};
}

}  // namespace

Calls& Calls::operator+=(const Calls& other) {
  count += other.count;
  bytes += other.bytes;
  return *this;
}

MemoryEffort memory_effort() {
  MemoryEffort now;
  count([&](const MemoryEffort& effort) { now = effort; });
  return now;
}

MemoryEffort operator-(MemoryEffort later, const MemoryEffort& earlier) {
  for (const MemorySpace space : all_memory_spaces)
    later.of(space) = later.of(space) - earlier.of(space);
  later.copies = later.copies - earlier.copies;
  later.prefetches = later.prefetches - earlier.prefetches;
  later.advices -= earlier.advices;
  return later;
}

namespace effort {

void allocated(MemorySpace space, std::size_t bytes) {
  count([&](MemoryEffort& all) { all.of(space) += one(bytes); });
}
void copied(std::size_t bytes) {
  count([&](MemoryEffort& all) { all.copies += one(bytes); });
}
void prefetched(std::size_t bytes) {
  count([&](MemoryEffort& all) { all.prefetches += one(bytes); });
}
void advised() {
  count([](MemoryEffort& all) { ++all.advices; });
}

}  // namespace effort

}  // namespace memstencil
