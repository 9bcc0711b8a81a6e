// What a run leaves: the results file first, then standard output.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/options.hpp"
#include "app/common/record.hpp"
#include "app/common/results_file.hpp"

#include <string>

namespace memstencil {

/// What --force and --append say of an output file that is there already.
Existing existing(const CommonOptions& common);

/// The facts of rank 0's machine on rank 0, null elsewhere. Collective.
Record facts(const Communicator& communicator);

/// Writes the record, and the field where one is given, into --output, and prints what --format asks
/// for: the record, or `text`. Collective. @throws as write_run and print_result
void deliver(const Communicator& communicator, const CommonOptions& common, const Record& record,
             const std::string& text, const FieldBlock* field = nullptr);

}  // namespace memstencil
