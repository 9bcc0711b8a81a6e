// Text for a terminal: names and texts out of files may hold anything.
#include "app/common/runtime/printable.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace memstencil {

namespace {

std::string without_controls(std::string text, std::string_view kept) {
  for (std::size_t at = 0; (at = text.find('\xc2', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0)
      text.replace(at, 2, "?");
  const auto control = [kept](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 || code == 0x7f) && kept.find(c) == std::string_view::npos;
  };
  std::replace_if(text.begin(), text.end(), control, '?');
  return text;
}

}  // namespace

std::string printable(std::string text) { return without_controls(std::move(text), ""); }

std::string printable_lines(std::string text) { return without_controls(std::move(text), "\n\t"); }

}  // namespace memstencil
