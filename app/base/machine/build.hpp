// Whether this build's speeds say anything: is timed code optimised?
#pragma once

#include <string>
#include <string_view>

namespace memstencil {

/// Was timed code compiled with optimisation?
bool optimised();

/// Why this build's speeds mean nothing: it is a Debug build, or not optimised; empty otherwise.
std::string slow_build_text(std::string_view build_type, bool optimised);

}  // namespace memstencil
