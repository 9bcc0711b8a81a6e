// Any text as a size, a number or a name.
#include "app/base/cli/numbers.hpp"
#include "app/grid/subdomain.hpp"
#include "tests/fuzz/fuzz_support.hpp"

#include <limits>
#include <stdexcept>

namespace {

/// Texts may be refused by std::invalid_argument, which names them.
template <class Read>
void may_be_invalid(Read read) {
  try {
    read();
  } catch (const std::invalid_argument&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memstencil;
  const std::string text(text_of(data, size));
  may_be_invalid([&] {
    const std::int64_t value = parse_integer(text, -1000, 1'000'000);
    if (value < -1000 || value > 1'000'000) std::abort();
  });
  may_be_invalid([&] {
    const double value = parse_real(text, 0.0, 1e300);
    if (!(value >= 0.0 && value <= 1e300)) std::abort();
  });
  may_be_invalid([&] {
    for (const std::int64_t n : parse_size(text))
      if (n < 3 || n > std::numeric_limits<std::int32_t>::max()) std::abort();
  });
  if (text.size() < 200) did_you_mean(text, {"iterations", "size", "output", "label"});
  return 0;
}
