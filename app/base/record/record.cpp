// The one in-memory result of a run, and what every writer of it shares.
#include "app/base/record/record.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace memstencil {

namespace {

void require_finite(const Record& value, const std::string& path) {
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    throw Failure(ExitCode::Verification, fmt::format("the result '{}' is {}: nothing is reported",
                                                      path, value.get<double>()));
  if (!value.is_structured()) return;
  for (const auto& [key, item] : value.items())
    require_finite(item, path.empty() ? key : path + "." + key);
}

}  // namespace

std::string plain_text(const Record& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<Record> gathered(const Communicator& communicator, const Record& mine) {
  std::vector<Record> all;
  // By to_json(): the words of a library, or a host's name, need not be UTF-8.
  for (const std::string& each : communicator.all_gather(to_json(mine)))
    all.push_back(Record::parse(each));
  return all;
}

void require_finite(const Record& record) { require_finite(record, ""); }

std::string to_json(const Record& record) {
  require_finite(record);
  // Host names and file names need not be UTF-8; one odd byte must not cost the whole result.
  return record.dump(2, ' ', false, Record::error_handler_t::replace) + "\n";
}

void print_result(const std::string& text) {
  errno = 0;
  // The count alone does not tell: glibc's fwrite of a line to a terminal returns all
  // of it when its write fails.
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

}  // namespace memstencil
