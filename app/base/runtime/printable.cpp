// Text for a terminal: names and texts out of files may hold anything.
#include "app/base/runtime/printable.hpp"

#include <algorithm>

namespace memstencil {

std::string printable(std::string text) {
  for (std::size_t at = 0; (at = text.find('\xc2', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0)
      text.replace(at, 2, "?");
  const auto control = [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  };
  std::replace_if(text.begin(), text.end(), control, '?');
  return text;
}

}  // namespace memstencil
