// Any bytes as an input file (--input), read into options of every kind.
#include "app/base/cli/options.hpp"
#include "tests/fuzz/fuzz_support.hpp"

#include <array>

namespace {

enum class Colour { Red, Green };
constexpr std::array all_colours{Colour::Red, Colour::Green};
std::string_view name(Colour colour) { return colour == Colour::Red ? "red" : "green"; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memstencil;
  static const MemoryFile file;
  file.write(text_of(data, size));
  may_refuse([] {
    CommandLine line("fuzz", "", "1");
    std::int64_t iterations = 1;
    std::optional<double> seconds;
    std::vector<std::string> names;
    bool prefetch = false;
    Colour colour = Colour::Red;
    line.integer("--iterations", iterations, std::int64_t{1}, std::int64_t{1000}, "");
    line.real("--seconds", seconds, 0.0, 1e6, "");
    line.texts("--machine", names, "");
    line.flag("--prefetch", prefetch, "");
    line.choice("--size", colour, all_colours, "");
    const std::array arguments{"fuzz", "--input", file.path().c_str()};
    line.parse(static_cast<int>(arguments.size()), arguments.data());
    line.options().dump(-1, ' ', false, Record::error_handler_t::replace);
  });
  return 0;
}
