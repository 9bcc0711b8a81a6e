// What the fuzz targets share: a file of any bytes, and the only
// exceptions that may leave a reader.
#pragma once

#include "app/base/runtime/failure.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace memstencil {

/// A file in memory that readers open by its path. Each text replaces the one before.
class MemoryFile {
public:
  const std::string& path() const { return path_; }
  void write(std::string_view text) const {
    if (ftruncate(file_, 0) != 0 || pwrite(file_, text.data(), text.size(), 0) < 0) std::abort();
  }

private:
  int file_ = memfd_create("fuzz", 0);
  std::string path_ = "/proc/self/fd/" + std::to_string(file_);
};

/// Bytes may be refused, by a Failure of one line. Any other exception, and a
/// line that breaks, is a finding.
template <class Read>
void may_refuse(Read read) {
  try {
    read();
  } catch (const Failure& failure) {
    if (std::string_view(failure.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace memstencil
