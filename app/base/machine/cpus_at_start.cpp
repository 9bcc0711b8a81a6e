// The CPUs that this process was given, before any library bound its threads.
#include "app/base/machine/cpus_at_start.hpp"

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <regex>
#include <utility>
#include <vector>

namespace memstencil {

namespace {

/// A mask for 16384 CPUs: more than Linux can be built for. Constant-initialised: it is filled
/// before any constructor runs.
constinit cpu_set_t mask[16]{};
constinit std::size_t mask_bytes = 0;

// No constructor of a library has run, not even a sanitizer's.
__attribute__((no_sanitize("address", "undefined"))) void take_mask(int, char**, char**) {
  if (sched_getaffinity(0, sizeof(mask), mask) == 0) mask_bytes = sizeof(mask);
}

// Functions of this section run before the constructors of shared libraries.
__attribute__((section(".preinit_array"), used)) void (*before_libraries)(int, char**,
                                                                          char**) = take_mask;

bool given(std::size_t cpu) { return CPU_ISSET_S(cpu, mask_bytes, mask) != 0; }

}  // namespace

std::string cpus_at_start() {
  std::string list;
  const std::size_t count = 8 * mask_bytes;
  for (std::size_t first = 0; first < count; ++first) {
    if (!given(first)) continue;
    std::size_t last = first;
    while (last + 1 < count && given(last + 1)) ++last;
    list += (list.empty() ? "" : ",") + std::to_string(first);
    if (last > first) list += "-" + std::to_string(last);
    first = last;
  }
  return list;
}

int count_cpus(const std::string& list) {
  static const std::regex part("([0-9]{1,6})(?:-([0-9]{1,6}))?(?:,|$)");
  std::vector<bool> named;
  std::size_t read = 0;
  for (std::sregex_iterator at(list.begin(), list.end(), part), end; at != end; ++at) {
    const int first = std::stoi((*at)[1]), last = (*at)[2].matched ? std::stoi((*at)[2]) : first;
    if (last < first) return 0;
    if (std::cmp_less_equal(named.size(), last)) named.resize(last + 1);
    std::fill(named.begin() + first, named.begin() + last + 1, true);
    read += static_cast<std::size_t>(at->length());
  }
  return read == list.size() ? static_cast<int>(std::count(named.begin(), named.end(), true)) : 0;
}

}  // namespace memstencil
