// The command line of a program: how options are declared and what their values may be.
#include "app/base/cli/options.hpp"

#include "app/base/cli/help_text.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <stdexcept>

namespace memstencil {

namespace {

constexpr std::array all_formats{Format::Text, Format::Json, Format::Csv};

bool is_positional(const std::string& option) { return !option.starts_with('-'); }

bool read_flag(const std::string& text) {
  // CLI11 hands on a flag without a value as an empty text.
  if (text.empty() || text == "true") return true;
  if (text == "false") return false;
  throw std::invalid_argument(fmt::format("'{}' is neither true nor false", text));
}

void check_values(const std::vector<std::string>& values, bool many) {
  if (!many && values.size() != 1)
    throw std::invalid_argument(fmt::format("given {} times, valid is once", values.size()));
  for (const std::string& value : values)
    if (value.empty() || value.starts_with("--"))
      throw std::invalid_argument(fmt::format("a value is missing (found '{}')", value));
}

}  // namespace

std::string_view name(Format format) {
  switch (format) {
    case Format::Text:
      return "text";
    case Format::Json:
      return "json";
    case Format::Csv:
      return "csv";
  }
  return "";
}

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::string& version, Writes writes)
    : program_(program),
      subject_(output_subject),
      app_(std::make_unique<CLI::App>(description, program)) {
  app_->formatter(std::make_shared<HelpText>());
  app_->set_help_flag("-h,--help", "Print this and end")->group(output_subject);
  app_->set_version_flag("--version", version, "Print the version and end")->group(output_subject);
  // CLI11 leaves unknown options to us: the message names the nearest one.
  app_->allow_extras();
  text("--input", common_.input,
       "Read options from a TOML file, each under its own name; the command line wins")
      ->type_name("FILE.toml");
  if (writes == Writes::Results) declare_output();
  flag("--quiet", common_.quiet, "Print no progress and no notes");
  subject_ = "Options";
}

CommandLine::~CommandLine() = default;

void CommandLine::example(const std::string& command, const std::string& meaning) {
  app_->footer("Example: " + command + "\n  " + meaning);
}

void CommandLine::declare_output() {
  text("--output", common_.output,
       "Write the result into this new HDF5 file, or into a new one in this folder")
      ->type_name("FILE.h5|FOLDER/");
  flag("--force", common_.force, "Replace the output file if it exists");
  text("--label", common_.label, "A word of yours on the run, which its result keeps");
  choice("--format", common_.format, all_formats, "Form of the report on standard output");
}

CLI::Option* CommandLine::declare(const std::string& option, ValueKind kind,
                                  const std::string& placeholder, Read read, Show value,
                                  const std::string& help) {
  const std::string key = without_dashes(option);
  const auto check = [this, key, option, kind,
                      read = std::move(read)](const CLI::results_t& results) {
    try {
      if (kind != ValueKind::Flag) check_values(results, kind == ValueKind::Texts);
      read(results);
      return true;
    } catch (const std::exception& error) {
      const std::string line = fmt::format("{}: {}", where(option), error.what());
      const auto filed = from_file_.find(key);
      if (filed == from_file_.end()) throw Failure(ExitCode::Usage, line);
      wrong_.emplace(filed->second, line);  // the file's other errors are told with it
      return true;
    }
  };
  CLI::Option* added = app_->add_option(option, check, help);
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name(placeholder)
      ->group(subject_);
  if (kind == ValueKind::Flag) added->type_size(0);
  if (kind == ValueKind::Texts) is_positional(option) ? added->expected(-1) : added->expected(1);
  const Record initial = value();
  if (initial.is_string() && !initial.get<std::string>().empty())
    added->default_str(initial.get<std::string>());
  else if (initial.is_number())
    added->default_str(initial.dump());
  order_.push_back(key);
  declared_[key] = {added, kind, std::move(value)};
  return added;
}

CLI::Option* CommandLine::add_integer(const std::string& option, std::int64_t low,
                                      std::int64_t high, const std::string& help,
                                      std::function<void(std::int64_t)> store, Show value) {
  const auto read = [low, high, store = std::move(store)](const Values& typed) {
    store(parse_integer(typed.back(), low, high));
  };
  return declare(option, ValueKind::Integer, "N", read, std::move(value), help);
}

CLI::Option* CommandLine::text(const std::string& option, std::string& target,
                               const std::string& help) {
  const auto read = [&target](const Values& typed) { target = typed.back(); };
  return declare(option, ValueKind::Text, "TEXT", read, show(target), help);
}

CLI::Option* CommandLine::texts(const std::string& option, std::vector<std::string>& target,
                                const std::string& help) {
  const auto read = [&target](const Values& typed) { target = typed; };
  return declare(option, ValueKind::Texts, "TEXT", read, show(target), help);
}

CLI::Option* CommandLine::flag(const std::string& option, bool& target, const std::string& help) {
  const auto read = [&target](const Values& typed) { target = read_flag(typed.back()); };
  return declare(option, ValueKind::Flag, "", read, show(target), help);
}

CLI::Option* CommandLine::custom(const std::string& option, const std::string& placeholder,
                                 std::function<void(const std::string&)> read,
                                 std::function<std::string()> show_value, const std::string& help) {
  const auto value = [show_value = std::move(show_value)] { return Record(show_value()); };
  const auto read_one = [read = std::move(read)](const Values& typed) { read(typed.back()); };
  return declare(option, ValueKind::Text, placeholder, read_one, value, help);
}

std::size_t CommandLine::index_of(const std::string& typed, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), typed);
  if (found == names.end())
    throw std::invalid_argument(fmt::format("'{}' is not one of {}{}", typed,
                                            fmt::join(names, ", "), did_you_mean(typed, names)));
  return static_cast<std::size_t>(found - names.begin());
}

std::string CommandLine::without_dashes(const std::string& option) {
  return option.substr(std::min(option.find_first_not_of('-'), option.size()));
}

std::string CommandLine::joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, "|"));
}

Record CommandLine::options() const {
  Record out = Record::object();
  for (const std::string& key : order_) out[key] = declared_.at(key).value();
  return out;
}

}  // namespace memstencil
