// A benchmark at work: the program around a plan that is run.
#include "app/benchmark/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace memstencil {

ProgressLine Session::progress_line() const { return ProgressLine(!quiet(), STDERR_FILENO); }

void Session::say(const std::string& text) const {
  if (!quiet()) fmt::print(stderr, "{}: {}\n", program, text);
}

void Session::deliver_record(const Record& record, const Record& rows, const std::string& text,
                             const FieldBlock* field) const {
  memstencil::deliver(communicator, line.common(), {record, rows, text}, field);
}

}  // namespace memstencil
