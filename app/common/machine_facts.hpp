// All that results carry about the machine and the program that made them.
#pragma once

#include "app/common/record.hpp"

namespace memstencil {

/// The record `machine` (docs/results-format.md). Unknown facts are null; `gpu` is null where none
/// answers. Takes up to ten seconds where nvidia-smi hangs, so: on rank 0, outside the timed part.
Record machine_facts();

}  // namespace memstencil
