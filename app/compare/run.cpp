// A run out of a result file, and strict access to its members.
#include "app/compare/run.hpp"

#include "app/common/failure.hpp"
#include "app/common/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace memstencil::compare {

namespace {

constexpr std::array<std::string_view, 3> programs{"himeno", "transpose", "membench"};

void check(const Run& run) {
  const std::string program = run.program();
  if (std::find(programs.begin(), programs.end(), program) == programs.end())
    throw Failure(
        ExitCode::Other,
        fmt::format("cannot use {}: it is of program '{}'; known are himeno, transpose and membench",
                    run.where(), program));
  try {
    require_finite(run.record);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot use {}: {}", run.where(), failure.what()));
  }
  const Record* verified = run.find("verified");
  if (verified != nullptr && *verified == false)
    throw Failure(ExitCode::Verification,
                  fmt::format("cannot use {}: its result failed verification", run.where()));
  run.object("machine");
  run.object("options");
}

}  // namespace

std::string Run::where() const { return fmt::format("{}, run {}", file, name); }

const Record* Run::find(const std::string& path) const {
  const Record* here = &record;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    const auto found = here->find(path.substr(start, dot - start));
    if (!here->is_object() || found == here->end()) return nullptr;
    here = &*found;
    start = dot + 1;
  }
  return here->is_null() ? nullptr : here;
}

const Record& Run::member(const std::string& path, const std::string& wanted) const {
  const Record* found = find(path);
  if (found == nullptr)
    throw Failure(ExitCode::Other, fmt::format("cannot use {}: it has no '{}' ({})", where(), path, wanted));
  return *found;
}

namespace {

Failure wrong_kind(const Run& run, const std::string& path, const std::string& wanted) {
  return Failure(ExitCode::Other,
                 fmt::format("cannot use {}: its '{}' is not {}", run.where(), path, wanted));
}

}  // namespace

std::string Run::text(const std::string& path) const {
  const Record& found = member(path, "a text");
  if (!found.is_string()) throw wrong_kind(*this, path, "a text");
  return found.get<std::string>();
}

double Run::number(const std::string& path) const {
  const Record& found = member(path, "a number");
  if (!found.is_number()) throw wrong_kind(*this, path, "a number");
  return found.get<double>();
}

std::vector<double> Run::numbers(const std::string& path) const {
  const Record& found = member(path, "a row of numbers");
  const auto number = [](const Record& each) { return each.is_number(); };
  if (!found.is_array() || found.empty() || !std::all_of(found.begin(), found.end(), number))
    throw wrong_kind(*this, path, "a row of numbers");
  return found.get<std::vector<double>>();
}

const Record& Run::objects(const std::string& path) const {
  const Record& found = member(path, "a list");
  const auto object = [](const Record& each) { return each.is_object(); };
  if (!found.is_array() || !std::all_of(found.begin(), found.end(), object))
    throw wrong_kind(*this, path, "a list of groups");
  return found;
}

const Record& Run::object(const std::string& path) const {
  const Record& found = member(path, "a group");
  if (!found.is_object()) throw wrong_kind(*this, path, "a group");
  return found;
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
    if (names.empty()) throw Failure(ExitCode::Other, fmt::format("cannot use {}: it holds no runs", path));
    for (const std::string& name : names) {
      runs.push_back({path, name, file.run(name)});
      check(runs.back());
    }
  }
  return runs;
}

}  // namespace memstencil::compare
