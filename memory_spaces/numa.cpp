// The NUMA node that the host's memory is taken from: the kernel's memory policy of a thread.
#include "memory_spaces/numa.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace memstencil {

namespace {

constexpr std::size_t most_nodes = 1024;

}  // namespace

int bind_memory_to_node(int node) {
  constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, most_nodes / bits> mask{};
  mask[static_cast<std::size_t>(node) / bits] = 1UL << (static_cast<std::size_t>(node) % bits);
  constexpr int bind = 2;  // MPOL_BIND of linux/mempolicy.h, which not every system has
  return syscall(SYS_set_mempolicy, bind, mask.data(), most_nodes) == 0 ? 0 : errno;
}

MemoryFromNode::MemoryFromNode(int node) {
  syscall(SYS_get_mempolicy, &mode_, mask_.data(), most_nodes, nullptr, 0UL);
  error_ = bind_memory_to_node(node);
}

MemoryFromNode::~MemoryFromNode() {
  if (error_ == 0) syscall(SYS_set_mempolicy, mode_, mask_.data(), most_nodes);
}

}  // namespace memstencil
