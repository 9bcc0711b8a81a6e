// What --list-memspaces prints: which spaces this machine serves to which executor, and why not.
#pragma once

#include "app/common/options.hpp"

#include <string>

namespace memstencil::himeno {

/// Of the selected GPU. Text and CSV: a line a space; JSON: {memspaces: [{exec, memspace, served, and
/// effective and allocation, or reason}]}.
std::string memspace_list(Format format);

}  // namespace memstencil::himeno
