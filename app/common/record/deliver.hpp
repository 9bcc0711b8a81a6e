// The output of a run: standard output and the results file; each is
// written even if the other fails.
#pragma once

#include "app/common/cli/options.hpp"
#include "app/common/machine/machine_facts.hpp"
#include "app/common/ranks/communicator.hpp"
#include "app/common/record/record.hpp"
#include "app/common/record/results_file.hpp"

#include <string>

namespace memstencil {

/// A result in the forms that it leaves a program in.
struct Shown {
  const Record& record;
  const Record& rows;  ///< what CSV has of it
  const std::string& text;
  const Record* json = nullptr;  ///< what JSON shows in place of the record
};

/// Writes what --format asks for to standard output. @throws as print_result
void print(const Shown& result, Format format);

/// Refuses an --output that cannot become this run's, before anything is computed: that of --input,
/// and the file that is `also_read`, are never replaced. Collective.
/// @param bytes that the run's record and field will take at most, as far as its options tell
/// @throws as check_output of its path, CollectiveFailure(Usage)
void check_output(const Communicator& communicator, const CommonOptions& common, double bytes,
                  const std::string& also_read = "");

/// The facts of rank 0's machine on rank 0, none elsewhere. Collective.
MachineFacts facts(const Communicator& communicator);

/// Prints on rank 0, and writes the record, and the field where one is given, into --output: the
/// one also where the other fails. Collective.
/// @throws CollectiveFailure as write_run, otherwise as print_result
void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const FieldBlock* field = nullptr);

}  // namespace memstencil
