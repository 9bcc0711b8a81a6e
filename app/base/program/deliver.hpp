// The output of a run: standard output and the results file; each is
// written even if the other fails.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/record.hpp"
#include "app/base/record/results_file.hpp"

#include <initializer_list>
#include <optional>
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
/// @param with_field will the run write a field beside its result?
/// @throws as check_output of its place, CollectiveFailure(Usage)
void check_output(const Communicator& communicator, const CommonOptions& common,
                  bool with_field = false, const std::string& also_read = "");

/// The facts of rank 0's machine on rank 0, none elsewhere. Collective.
MachineFacts facts(const Communicator& communicator);

/// --label, and MEMSTENCIL_SITE of the environment.
Origin origin_of(const CommonOptions& common);

/// The name of a result in a folder, but for the number behind it: "himeno-XL-device-UTC time".
/// @param parts program, case and memory; empty ones are left out
std::string name_in_folder(std::initializer_list<std::string> parts,
                           const std::optional<Provenance>& provenance);

/// Prints on rank 0, and writes the record, and the field where one is given, into --output: the
/// one also where the other fails. A line on stderr says what the file in a folder is called,
/// unless
/// --quiet was given. Collective.
/// @throws CollectiveFailure as write_result, otherwise as print_result
void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const std::string& name, const FieldBlock* field = nullptr);

}  // namespace memstencil
