// Where tests find files of the sources.
#pragma once

#include <string>

namespace memstencil {

/// The clone that was built. It is no macro: in the command lines of all tests the clone's path
/// would keep ccache from taking what another clone compiled.
std::string source_folder();

}  // namespace memstencil
