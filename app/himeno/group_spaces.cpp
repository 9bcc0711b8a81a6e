// The values of --place: memory spaces of their own for groups of arrays.
#include "app/himeno/group_spaces.hpp"

#include <algorithm>
#include <stdexcept>

namespace memstencil::himeno {

namespace {

constexpr const char* valid =
    "valid is p=NAME,coefficients=NAME or one of the two, NAME host-pinned, device, managed or system";

void take(const std::string& item, GroupSpaces& out) {
  const std::size_t equals = item.find('=');
  const std::string group = item.substr(0, equals);
  const auto space =
      equals == std::string::npos ? std::nullopt : memory_space_from_name(item.substr(equals + 1));
  if (!space || (group != "p" && group != "coefficients"))
    throw std::invalid_argument("'" + item + "' places nothing: " + valid);
  auto& target = group == "p" ? out.p : out.coefficients;
  if (target) throw std::invalid_argument("'" + group + "' is placed twice: " + valid);
  target = space;
}

}  // namespace

GroupSpaces parse_group_spaces(const std::string& text) {
  GroupSpaces out;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    take(text.substr(start, comma - start), out);
    start = comma + 1;
  }
  return out;
}

std::string group_spaces_text(const GroupSpaces& spaces) {
  std::string text;
  if (spaces.p) text = "p=" + std::string(name(*spaces.p));
  if (spaces.coefficients)
    text +=
        (text.empty() ? "" : ",") + std::string("coefficients=") + std::string(name(*spaces.coefficients));
  return text;
}

}  // namespace memstencil::himeno
