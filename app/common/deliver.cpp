// What a run leaves: the results file first, then standard output.
#include "app/common/deliver.hpp"

#include "app/common/agree.hpp"
#include "app/common/machine_facts.hpp"

namespace memstencil {

Existing existing(const CommonOptions& common) {
  if (common.append) return Existing::Append;
  return common.force ? Existing::Replace : Existing::Refuse;
}

Record facts(const Communicator& communicator) {
  return agree(communicator, [&] { return communicator.root() ? machine_facts() : Record(); });
}

void deliver(const Communicator& communicator, const CommonOptions& common, const Record& record,
             const std::string& text, const FieldBlock* field) {
  if (!common.output.empty()) write_run(communicator, common.output, existing(common), record, field);
  if (!communicator.root()) return;
  if (common.format == Format::Json)
    print_result(to_json(record));
  else
    print_result(common.format == Format::Csv ? to_csv(record) : text);
}

}  // namespace memstencil
