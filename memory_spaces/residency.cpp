// The present nodes of a buffer's pages: move_pages with no target nodes only reports.
#include "memory_spaces/residency.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace memstencil {

Residency residency(const Buffer& buffer, std::size_t max_pages) {
  Residency r;
  r.page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (!buffer.host_accessible()) {
    r.reason = "the driver does not tell where device memory lies";
    return r;
  }
  const std::size_t pages = (buffer.bytes() + r.page_bytes - 1) / r.page_bytes;
  const std::size_t asked = std::min(pages, std::max<std::size_t>(max_pages, 1));
  std::vector<void*> addresses(asked);
  for (std::size_t n = 0; n < asked; ++n)
    addresses[n] = static_cast<char*>(buffer.data()) + n * pages / asked * r.page_bytes;
  std::vector<int> node(asked, 0);
  if (syscall(SYS_move_pages, 0, asked, addresses.data(), nullptr, node.data(), 0) != 0) {
    r.reason = std::string("move_pages: ") + std::strerror(errno);
    return r;
  }
  r.known = true;
  r.sampled = asked;
  for (const int n : node) {
    if (n >= 0)
      ++r.pages_on_node[n];
    else
      ++r.absent;
  }
  return r;
}

}  // namespace memstencil
