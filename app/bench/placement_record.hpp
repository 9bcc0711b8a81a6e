// The placement of a run, as its result carries it; and the memory spaces that this machine serves.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/placement.hpp"

#include <string>

namespace memstencil {

ExecutionRecord execution_of(Executor executor);
MemspaceRecord memspace_of(const Placement& placement);

/// The space whose memory is really used: host memory of a build without GPU is system-allocated.
MemorySpace effective_space(const Placement& placement);

/// The output of --list-memspaces for the selected GPU. Text and CSV: a line a space; JSON:
/// {memspaces: [{exec, memspace, served, and effective and allocation, or reason}]}.
std::string memspace_list(Format format);

}  // namespace memstencil
