// A run out of a result file.
#include "app/compare/run.hpp"

#include "app/common/record/results_file.hpp"
#include "app/common/runtime/failure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace memstencil::compare {

namespace {

/// The members that say how the others are read.
struct Head {
  std::string program;
  bool verified = true;
};

void describe(Archive& a, Head& head) {
  a("program", head.program);
  a.defaulted("verified", head.verified);
}

decltype(Run::result) read_result(const Record& record, const std::string& where) {
  const auto [program, verified] = from_record<Head>(record, where);
  if (!verified) throw Failure(ExitCode::Verification, where + ": its result failed verification");
  if (program == "himeno" && record.contains("tune"))
    return from_record<himeno::TuneResult>(record, where);
  if (program == "himeno") return from_record<himeno::Result>(record, where);
  if (program == "transpose") return from_record<transpose::Result>(record, where);
  if (program == "membench") return probed::read_result(record, where);
  throw Failure(ExitCode::Other,
                fmt::format("{}: it is of program '{}'; known are himeno, transpose and membench",
                            where, program));
}

}  // namespace

std::string Run::where() const { return fmt::format("{}, run {}", file, name); }

const MachineFacts& Run::machine() const {
  return std::visit([](const auto& each) -> const MachineFacts& { return each.machine; }, result);
}

const ExecutionRecord& Run::execution() const {
  return std::visit([](const auto& each) -> const ExecutionRecord& { return each.execution; },
                    result);
}

const Named<std::string>* Run::environment() const {
  return std::visit(
      [](const auto& each) { return each.provenance ? &each.provenance->environment : nullptr; },
      result);
}

Run read_run(const std::string& file, const std::string& name, const Record& record) {
  Run run{file, name, {}};
  const std::string where = "cannot use " + run.where();
  try {
    require_finite(record);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), where + ": " + failure.what());
  }
  run.result = read_result(record, where);
  return run;
}

std::vector<Run> read_runs(const std::vector<std::string>& files) {
  std::vector<Run> runs;
  std::set<std::filesystem::path> seen;
  for (const std::string& path : files) {
    std::error_code none;
    if (!seen.insert(std::filesystem::weakly_canonical(path, none)).second)
      throw Failure(ExitCode::Usage, fmt::format("{} is named twice", path));
    const ResultsFile file(path);
    const std::vector<std::string> names = file.runs();
    if (names.empty())
      throw Failure(ExitCode::Other, fmt::format("cannot use {}: it holds no runs", path));
    for (const std::string& name : names) runs.push_back(read_run(path, name, file.run(name)));
  }
  return runs;
}

}  // namespace memstencil::compare
