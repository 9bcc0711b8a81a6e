// The values of --place: memory spaces of their own for groups of arrays.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <optional>
#include <string>

namespace memstencil::himeno {

/// A group that is not named is where --memspace says.
struct GroupSpaces {
  std::optional<MemorySpace> p;             ///< both p: 2 of the 14 arrays
  std::optional<MemorySpace> coefficients;  ///< the twelve others

  bool given() const { return p || coefficients; }
};

/// "p=NAME,coefficients=NAME", or one of the two. @throws std::invalid_argument saying what is valid
GroupSpaces parse_group_spaces(const std::string& text);
std::string group_spaces_text(const GroupSpaces& spaces);

}  // namespace memstencil::himeno
