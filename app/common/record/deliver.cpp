// The output of a run: standard output and the results file; each is
// written even if the other fails.
#include "app/common/record/deliver.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/record/output_file.hpp"
#include "app/common/runtime/end_by_signal.hpp"

#include <algorithm>
#include <csignal>
#include <exception>

namespace memstencil {

namespace {

Existing existing(const CommonOptions& common) {
  if (common.append) return Existing::Append;
  return common.force ? Existing::Replace : Existing::Refuse;
}

}  // namespace

void print(const Shown& result, Format format) {
  if (format == Format::Json)
    print_result(to_json(result.json ? *result.json : result.record));
  else
    print_result(format == Format::Csv ? to_csv(result.rows) : result.text);
}

void check_output(const Communicator& communicator, const CommonOptions& common, double bytes,
                  const std::string& also_read) {
  if (communicator.root()) tell_end_by_signal();
  if (common.output.empty()) return;
  collectively(communicator, [&] {
    if (communicator.root() && common.force)
      check_not_read(common.output, {common.input, also_read});
  });
  constexpr double most = 1e18;  // a length of a file that no file system has
  check_output(communicator, common.output, existing(common),
               static_cast<std::size_t>(std::min(bytes, most)));
}

MachineFacts facts(const Communicator& communicator) {
  return collectively(communicator,
                      [&] { return communicator.root() ? machine_facts() : MachineFacts(); });
}

void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const FieldBlock* field) {
  const bool file = !common.output.empty();
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
  if (file) write_run(communicator, common.output, existing(common), result.record, field);
  tell_that_result_is_written();
  collectively(communicator, [&] {
    if (unprinted) std::rethrow_exception(unprinted);
  });
}

}  // namespace memstencil
