// What a run leaves: the results file first, then standard output.
#include "app/common/deliver.hpp"

#include "app/common/agree.hpp"
#include "app/common/output_file.hpp"

namespace memstencil {

namespace {

Existing existing(const CommonOptions& common) {
  if (common.append) return Existing::Append;
  return common.force ? Existing::Replace : Existing::Refuse;
}

}  // namespace

void print(const Shown& result, Format format) {
  if (format == Format::Json)
    print_result(to_json(result.record));
  else
    print_result(format == Format::Csv ? to_csv(result.rows) : result.text);
}

void check_output(const Communicator& communicator, const CommonOptions& common,
                  const std::string& also_read) {
  if (common.output.empty()) return;
  agree(communicator, [&] {
    if (communicator.root() && common.force) check_not_read(common.output, {common.input, also_read});
  });
  check_output(communicator, common.output, existing(common));
}

MachineFacts facts(const Communicator& communicator) {
  return agree(communicator, [&] { return communicator.root() ? machine_facts() : MachineFacts(); });
}

void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const FieldBlock* field) {
  if (!common.output.empty()) write_run(communicator, common.output, existing(common), result.record, field);
  if (communicator.root()) print(result, common.format);
}

}  // namespace memstencil
