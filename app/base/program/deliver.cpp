// The output of a run: standard output and the results file; each is
// written even if the other fails.
#include "app/base/program/deliver.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/output_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace memstencil {

void print(const Shown& result, Format format) {
  if (format == Format::Json)
    print_result(to_json(result.json ? *result.json : result.record));
  else
    print_result(format == Format::Csv ? to_csv(result.rows) : result.text);
}

void check_output(const Communicator& communicator, const CommonOptions& common, bool with_field,
                  const std::string& also_read) {
  if (common.output.empty()) return;
  collectively(communicator, [&] {
    if (communicator.root() && common.force)
      check_not_read(common.output, {common.input, also_read});
  });
  check_output(communicator, Output{common.output, common.force}, with_field);
}

MachineFacts facts(const Communicator& communicator) {
  return collectively(communicator,
                      [&] { return communicator.root() ? machine_facts() : MachineFacts(); });
}

Origin origin_of(const CommonOptions& common) {
  Origin origin;
  if (!common.label.empty()) origin.label = common.label;
  const char* const site = std::getenv("MEMSTENCIL_SITE");
  if (site != nullptr && *site != '\0') origin.site = site;
  return origin;
}

std::string name_in_folder(std::initializer_list<std::string> parts,
                           const std::optional<Provenance>& provenance) {
  std::string name;
  for (const std::string& part : parts)
    if (!part.empty()) name += part + "-";
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  const Record started = provenance ? provenance->record["started"] : Record("");
  for (const char c : plain_text(started))
    if (c != '-' && c != ':') name += c;
  return name;
}

void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const std::string& name, const FieldBlock* field) {
  const Output output{common.output, common.force};
  const bool file = !output.path.empty();
  std::exception_ptr unprinted;
  if (communicator.root()) {
    // Nor may a reader that is gone (`himeno --output r.h5 | head -1`) cost the file. Ignored until
    // the end, because what is still buffered is tried again there.
    if (file) std::signal(SIGPIPE, SIG_IGN);
    try {
      if (file) require_finite(result.record);  // what is not written is not shown either
      print(result, common.format);
    } catch (...) {
      unprinted = std::current_exception();
    }
  }
  if (file) {
    const bool chosen = output.is_folder();
    const std::string path = write_result(communicator, output, name, result.record, field);
    if (chosen && communicator.root() && !common.quiet)
      fmt::print(stderr, "{}: the result is {}\n", result.record.value("program", ""), path);
  }
  collectively(communicator, [&] {
    if (unprinted) std::rethrow_exception(unprinted);
  });
}

}  // namespace memstencil
