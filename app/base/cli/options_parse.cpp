// The command line of a program: argv over the input file, and one line for whatever is wrong.
#include "app/base/cli/options.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace memstencil {

namespace {

std::string key_of(const CLI::Option* option) { return option->get_single_name(); }

bool fits(ValueKind wanted, ValueKind found) {
  if (wanted == found) return true;
  return (wanted == ValueKind::Real && found == ValueKind::Integer) ||
         (wanted == ValueKind::Texts && found == ValueKind::Text);
}

const char* wanted_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::Flag:
      return "true or false";
    case ValueKind::Integer:
      return "an integer";
    case ValueKind::Real:
      return "a number";
    case ValueKind::Text:
      return "a string";
    case ValueKind::Texts:
      return "a string or an array of strings";
  }
  return "";
}

/// `force = false` says nothing that another option could contradict.
bool is_set(const InputEntry& entry) {
  return entry.kind != ValueKind::Flag || entry.texts.front() == "true";
}

/// Does argv give the option, or one that excludes it?
bool overruled(const CLI::Option* option) {
  const auto given = [](const CLI::Option* each) { return each->count() > 0; };
  const std::set<CLI::Option*> excluded = option->get_excludes();
  return given(option) || std::any_of(excluded.begin(), excluded.end(), given);
}

}  // namespace

std::optional<std::string> CommandLine::parse(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (const std::string& argument : arguments)
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw Failure(ExitCode::Usage, fmt::format("{} a value is missing", argument));
  try {
    parse_arguments(arguments);
    if (!common_.input.empty()) {
      // Only now is it known which of the file's options argv overrules.
      const std::vector<std::string> filed = file_arguments(read_input_file(common_.input));
      arguments.insert(arguments.begin(), filed.begin(), filed.end());
      parse_arguments(arguments);
      refuse_wrong();
    }
  } catch (const CLI::CallForHelp&) {
    return app_->help();
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  }
  if (declared_.contains("output") && common_.output.empty() && common_.force)
    throw Failure(ExitCode::Usage, fmt::format("{}: needs --output FILE.h5", where("force")));
  return std::nullopt;
}

void CommandLine::parse_arguments(const std::vector<std::string>& arguments) {
  // CLI11 takes its arguments from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app_->parse(std::move(reversed));
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    explain(error, arguments);
  }
  refuse_unknown();
}

void CommandLine::refuse_unknown() const {
  const std::vector<std::string> remaining = app_->remaining();
  if (remaining.empty()) return;
  const std::string& offender = remaining.front();
  if (!offender.starts_with('-'))
    throw Failure(
        ExitCode::Usage,
        fmt::format("unexpected argument '{}'; {} --help lists what is valid", offender, program_));
  std::vector<std::string> dashed;
  for (const std::string& name : option_names()) dashed.push_back("--" + name);
  const std::string typed = offender.substr(0, offender.find('='));
  throw Failure(ExitCode::Usage, fmt::format("unknown option {}{}; {} --help lists what is valid",
                                             typed, did_you_mean(typed, dashed), program_));
}

void CommandLine::explain(const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) const {
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && !arguments.empty())
    throw Failure(ExitCode::Usage, fmt::format("{}: a value is missing", arguments.back()));
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
    for (const auto& [key, declared] : declared_)
      for (const CLI::Option* other : declared.option->get_excludes())
        if (declared.option->count() > 0 && other->count() > 0)
          throw Failure(ExitCode::Usage,
                        fmt::format("--{} and --{} exclude each other", key, key_of(other)));
  std::string line = error.what();
  std::replace(line.begin(), line.end(), '\n', ' ');
  throw Failure(ExitCode::Usage, fmt::format("{}; {} --help lists what is valid", line, program_));
}

std::vector<std::string> CommandLine::file_arguments(std::vector<InputEntry> entries) {
  std::vector<std::string> arguments;
  for (const InputEntry& entry : entries) from_file_[entry.key] = entry.line;
  remove_wrong(entries);
  remove_excluded(entries);
  for (const InputEntry& entry : entries) {
    const Declared& declared = declared_key(entry);
    if (!is_set(entry) || overruled(declared.option)) {
      from_file_.erase(entry.key);
      continue;
    }
    for (const std::string& text : entry.texts) {
      if (declared.kind == ValueKind::Flag)
        arguments.push_back("--" + entry.key + "=" + text);
      else
        arguments.insert(arguments.end(), {"--" + entry.key, text});
    }
  }
  return arguments;
}

void CommandLine::remove_wrong(std::vector<InputEntry>& entries) {
  std::erase_if(entries, [this](const InputEntry& entry) {
    try {
      declared_key(entry);
      return false;
    } catch (const Failure& failure) {
      wrong_.emplace(entry.line, failure.what());
      return true;
    }
  });
}

void CommandLine::refuse_wrong() const {
  std::string all;
  for (const auto& [line, why] : wrong_) all += (all.empty() ? "" : "; ") + why;
  if (!all.empty()) throw Failure(ExitCode::Usage, all);
}

const CommandLine::Declared& CommandLine::declared_key(const InputEntry& entry) const {
  const std::vector<std::string> valid = option_names();
  if (std::find(valid.begin(), valid.end(), entry.key) == valid.end())
    throw Failure(
        ExitCode::Usage,
        fmt::format("{}:{}: unknown key '{}'{}; valid are the names of the options, see {} --help",
                    common_.input, entry.line, entry.key, did_you_mean(entry.key, valid),
                    program_));
  const Declared& declared = declared_.at(entry.key);
  if (entry.key == "input")
    throw Failure(ExitCode::Usage, where("input") + ": an input file cannot name another");
  if (!entry.kind || !fits(declared.kind, *entry.kind))
    throw Failure(ExitCode::Usage, fmt::format("{}: {} is wanted, not {}", where(entry.key),
                                               wanted_name(declared.kind), entry.kind_name));
  return declared;
}

void CommandLine::remove_excluded(std::vector<InputEntry>& entries) {
  for (std::size_t first = 0; first < entries.size(); ++first)
    for (const CLI::Option* other : declared_key(entries[first]).option->get_excludes())
      for (std::size_t second = entries.size() - 1; second > first; --second) {
        const InputEntry &entry = entries[first], &rival = entries[second];
        if (rival.key != key_of(other) || !is_set(entry) || !is_set(rival)) continue;
        wrong_.emplace(entry.line,
                       fmt::format("{} and {} exclude each other", where(entry.key), rival.key));
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(second));
      }
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const std::string& key : order_)
    if (!declared_.at(key).option->get_positional()) names.push_back(key);
  return names;
}

std::string CommandLine::where(const std::string& option) const {
  const std::string key = without_dashes(option);
  const auto filed = from_file_.find(key);
  if (filed != from_file_.end()) return fmt::format("{}:{}: {}", common_.input, filed->second, key);
  const auto declared = declared_.find(key);
  const bool positional = declared != declared_.end() && declared->second.option->get_positional();
  return positional ? key : "--" + key;
}

}  // namespace memstencil
