// The NUMA node that the host's memory is taken from.
#pragma once

#include <array>
#include <climits>

namespace memstencil {

/// Whatever this thread, and those that it starts later, get of the host's memory comes from this
/// node from here on. @return 0, or the system's error (errno)
int bind_memory_to_node(int node);

/// The same for as long as it lives, and for this thread.
class MemoryFromNode {
public:
  explicit MemoryFromNode(int node);
  ~MemoryFromNode();
  MemoryFromNode(const MemoryFromNode&) = delete;
  MemoryFromNode& operator=(const MemoryFromNode&) = delete;

  int error() const { return error_; }  ///< as bind_memory_to_node()

private:
  std::array<unsigned long, 1024 / sizeof(unsigned long) / CHAR_BIT> mask_{};  ///< of before
  int mode_ = 0, error_ = 0;
};

}  // namespace memstencil
