// What a record says of who computes and where the arrays are, and that record as text.
#pragma once

#include "app/common/options.hpp"
#include "app/common/record.hpp"
#include "app/placement/placement.hpp"

#include <string>

namespace memstencil {

/// `execution`: the execution space, and how the host's threads are bound.
Record execution_record(Executor executor);

/// `memspace`: requested, effective, allocation.
Record placement_record(const Placement& placement);

/// The space whose memory is really used: host memory of a build without GPU is system-allocated.
MemorySpace effective_space(const Placement& placement);

/// One line for a person, from `memspace`.
std::string placement_text(const Record& memspace);
/// One line for a person, from `exec` and `execution`.
std::string execution_text(const Record& record);

/// What --list-memspaces prints of the selected GPU. Text and CSV: a line a space; JSON: {memspaces: [{exec,
/// memspace, served, and effective and allocation, or reason}]}.
std::string memspace_list(Format format);

}  // namespace memstencil
