// The rehearsal of system-allocated memory on a GPU that does not reach it.
#include "memory_spaces/rehearsal.hpp"

#include "memory_spaces/memory_space.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

namespace memstencil {

bool asks_for_rehearsal(const char* value) {
  const std::string_view asked = value == nullptr ? "" : value;
  if (asked.empty()) return false;
  if (asked != "ats")
    throw UnsupportedSpace("MEMSTENCIL_REHEARSE=" + std::string(asked) +
                           ": valid is ats; unset it for a measurement");
  return true;
}

bool asks_for_rehearsal() { return asks_for_rehearsal(std::getenv("MEMSTENCIL_REHEARSE")); }

}  // namespace memstencil
