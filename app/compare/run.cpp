// The runs of result files and of folders.
#include "app/compare/run.hpp"

#include "app/base/record/results_file.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

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

decltype(Run::result) described(const Record& record, const std::string& where) {
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

/// In the order of their names, which are those of program, case and time.
std::vector<std::string> results_below(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".h5" && !entry->path().filename().string().starts_with('.'))
      files.push_back(entry->path());
  if (error)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

const MachineFacts& Run::machine() const {
  return std::visit([](const auto& each) -> const MachineFacts& { return each.machine; }, result);
}

const ExecutionRecord& Run::execution() const {
  return std::visit([](const auto& each) -> const ExecutionRecord& { return each.execution; },
                    result);
}

const Origin& Run::origin() const {
  return std::visit([](const auto& each) -> const Origin& { return each.origin; }, result);
}

const Named<std::string>* Run::environment() const {
  return std::visit(
      [](const auto& each) { return each.provenance ? &each.provenance->environment : nullptr; },
      result);
}

Run read_run(const std::string& file, const std::string& folder, const Record& record) {
  Run run{file, folder, {}};
  const std::string where = "cannot use " + file;
  try {
    require_finite(record);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), where + ": " + failure.what());
  }
  run.result = described(record, where);
  return run;
}

std::vector<Run> read_runs(const std::vector<std::string>& named) {
  std::vector<Run> runs;
  std::map<std::filesystem::path, std::string> seen;  // and in which folder
  const auto add = [&](const std::string& file, const std::string& folder) {
    std::error_code none;
    const auto [first, is_new] =
        seen.emplace(std::filesystem::weakly_canonical(file, none), folder);
    if (!is_new && !folder.empty() && first->second == folder) return;  // a link beside its file
    if (!is_new) throw Failure(ExitCode::Usage, fmt::format("{} is named twice", file));
    runs.push_back(read_run(file, folder, memstencil::read_result(file)));
  };
  for (const std::string& path : named) {
    std::error_code none;
    if (!std::filesystem::is_directory(path, none)) {
      add(path, "");
      continue;
    }
    const std::vector<std::string> files = results_below(path);
    if (files.empty())
      throw Failure(ExitCode::Other, fmt::format("cannot use {}: no *.h5 lies in it", path));
    for (const std::string& file : files) add(file, path);
  }
  return runs;
}

}  // namespace memstencil::compare
