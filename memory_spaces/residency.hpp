// The present nodes of a buffer's pages, if the system knows them.
#pragma once

#include "memory_spaces/buffer.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace memstencil {

/// Pages of a buffer by NUMA node, as move_pages(nodes = NULL) tells for host-visible memory.
struct Residency {
  bool known = false;
  std::string reason;                        ///< why it is not known
  std::size_t page_bytes = 0;                ///< size of the pages counted
  std::size_t sampled = 0;                   ///< pages asked about
  std::size_t absent = 0;                    ///< of these, not backed by a page yet
  std::map<int, std::size_t> pages_on_node;  ///< of these, on each NUMA node
};

/// Asks about at most `max_pages` pages, evenly spread over the buffer.
Residency residency(const Buffer& buffer, std::size_t max_pages = 65536);

}  // namespace memstencil
