// The command line of a program: options of CLI11, and one line for whatever is wrong.
#include "app/base/cli/options.hpp"

#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace memstencil {

namespace {

constexpr std::array all_formats{Format::Text, Format::Json};

void check_value(const std::string& typed) {
  if (typed.empty() || typed.starts_with("--") || typed == "-h")  // at which MPI is not started
    throw std::invalid_argument(fmt::format("a value is missing (found '{}')", typed));
}

bool read_flag(const std::string& typed) {
  // CLI11 hands on a flag without a value as an empty text.
  if (typed.empty() || typed == "true") return true;
  if (typed == "false") return false;
  throw std::invalid_argument(fmt::format("'{}' is neither true nor false", typed));
}

Failure usage(const std::string& line) { return Failure(ExitCode::Usage, line); }

constexpr std::size_t description_column = 26;
constexpr std::size_t line_length = 80;

/// The first line of an option's help, with its default and the options that it excludes.
std::string described(const CLI::Option* option, std::string text) {
  if (!option->get_default_str().empty())
    text += fmt::format(" (default: {})", option->get_default_str());
  std::set<std::string> excluded;
  for (const CLI::Option* each : option->get_excludes())
    if (!each->get_group().empty()) excluded.insert(each->get_name());
  if (!excluded.empty()) text += fmt::format("; not with {}", fmt::join(excluded, ", "));
  return text;
}

/// The text of --help: options by subject, each with its default, in lines of at most 80
/// characters.
class HelpText : public CLI::Formatter {
public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::vector<std::string> groups = app->get_groups();
    std::stable_partition(groups.begin(), groups.end(),
                          [](const std::string& group) { return group != output_subject; });
    // Not by CLI11's own, which 2.6 writes otherwise.
    const auto positionals = app->get_options([](const CLI::Option* option) {
      return option->get_positional() && !option->get_group().empty();
    });
    std::string out = app->get_description() + "\nUsage: " + name + " [OPTIONS]";
    for (const CLI::Option* each : positionals) out += " " + make_option_usage(each);
    out += "\n";
    if (!positionals.empty()) out += make_group("Positionals", true, positionals);
    for (const std::string& group : groups) {
      const auto options = app->get_options([&group](const CLI::Option* option) {
        return option->get_group() == group && option->nonpositional();
      });
      if (!group.empty() && !options.empty()) out += make_group(group, false, options);
    }
    if (!app->get_footer().empty()) out += "\n" + app->get_footer() + "\n";
    return out;
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name = "  " + make_option_name(option, is_positional);
    const std::string type = option->get_type_name();
    if (!type.empty() && type != name.substr(2)) name += " " + type;
    name += name.size() + 2 > description_column
                ? "\n" + std::string(description_column, ' ')
                : std::string(description_column - name.size(), ' ');
    std::istringstream lines(option->get_description());
    std::string line;
    std::getline(lines, line);
    std::string out = name + wrapped(described(option, line), line_length - description_column,
                                     description_column);
    while (std::getline(lines, line))
      out += "\n" + std::string(description_column + 2, ' ') +
             wrapped(line, line_length - description_column - 4, description_column + 4);
    return out + "\n";
  }
};

}  // namespace

std::string_view name(Format format) { return format == Format::Text ? "text" : "json"; }

CommandLine::CommandLine(const std::string& program, const std::string& description,
                         const std::string& version, Writes writes)
    : program_(program),
      subject_(output_subject),
      app_(std::make_unique<CLI::App>(wrapped(description, line_length), program)) {
  app_->formatter(std::make_shared<HelpText>());
  app_->set_help_flag("-h,--help", "Print this and end")->group(output_subject);
  app_->set_version_flag("--version", version, "Print the version and end")->group(output_subject);
  app_->allow_extras();  // the message on an unknown option is ours: it names the nearest one
  text("--input", common_.input,
       "Read options from a TOML file, each under its own name; the command line wins")
      ->type_name("FILE.toml");
  if (writes == Writes::Results) {
    text("--output", common_.output,
         "Write the result into this new HDF5 file, or into a new one in this folder")
        ->type_name("FILE.h5|FOLDER/");
    flag("--force", common_.force, "Replace the output file if it exists");
    text("--label", common_.label, "Any text that the result keeps, to find the run again by");
    choice("--format", common_.format, all_formats, "Form of the report on standard output");
    flag("--verbose", common_.verbose,
         "Report everything, not only what is unusual or explains a figure");
  }
  flag("--quiet", common_.quiet, "Print no name of a file; notes and warnings stay");
  subject_ = "Options";
}

CommandLine::~CommandLine() = default;

void CommandLine::example(const std::string& command, const std::string& meaning) {
  app_->footer("Example: " + wrapped(command, line_length - 9, 4) + "\n  " +
               wrapped(meaning, line_length - 2, 2));
}

CLI::Option* CommandLine::declare(const std::string& option, const std::string& placeholder,
                                  const std::function<void(const std::vector<std::string>&)>& read,
                                  Show value, const std::string& help) {
  const auto checked = [this, option, read](const std::vector<std::string>& typed) {
    try {
      read(typed);
      return true;
    } catch (const std::exception& error) {
      throw usage(fmt::format("{}: {}", where(option), error.what()));
    }
  };
  CLI::Option* added = app_->add_option(option, checked, help);
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name(placeholder)
      ->group(subject_);
  const Record initial = value();
  if (initial.is_number() || initial.is_string()) added->default_str(plain_text(initial));
  values_.emplace_back(added->get_single_name(), std::move(value));
  return added;
}

CLI::Option* CommandLine::texts(const std::string& option, std::vector<std::string>& target,
                                const std::string& help) {
  const auto read = [&target](const std::vector<std::string>& typed) {
    std::for_each(typed.begin(), typed.end(), check_value);
    target = typed;
  };
  CLI::Option* added = declare(
      option, "TEXT", read, [&target] { return Record(target); }, help);
  // Each --option takes one, and a positional all.
  return added->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(added->get_positional());
}

CLI::Option* CommandLine::flag(const std::string& option, bool& target, const std::string& help) {
  const auto read = [&target](const std::vector<std::string>& typed) {
    target = read_flag(typed.back());
  };
  return declare(
             option, "", read, [&target] { return Record(target); }, help)
      ->type_size(0);
}

CLI::Option* CommandLine::custom(const std::string& option, const std::string& placeholder,
                                 const std::function<void(const std::string&)>& read,
                                 const Show& show_value, const std::string& help) {
  const auto read_one = [read](const std::vector<std::string>& typed) {
    if (typed.size() != 1)
      throw std::invalid_argument(fmt::format("given {} times, valid is once", typed.size()));
    check_value(typed.front());
    read(typed.front());
  };
  const auto value = [show_value] {
    const Record shown = show_value();
    return shown == "" ? Record() : shown;
  };
  return declare(option, placeholder, read_one, value, help);
}

std::size_t CommandLine::index_of(const std::string& typed, const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, lower_case(typed), lower_case);
  if (found == names.end())
    throw std::invalid_argument(fmt::format("'{}' is not one of {}{}", typed,
                                            fmt::join(names, ", "), did_you_mean(typed, names)));
  return static_cast<std::size_t>(found - names.begin());
}

std::string CommandLine::ranged(std::string help, double low, double high) {
  const std::size_t end = std::min({help.find(" (default"), help.find('\n'), help.size()});
  return help.insert(end, fmt::format(", {} to {}", low, high));
}

std::string CommandLine::joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, "|"));
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options())
    if (!option->get_positional() && option != app_->get_help_ptr() &&
        option != app_->get_version_ptr())
      names.push_back(option->get_single_name());
  return names;
}

Record CommandLine::options() const {
  Record out = Record::object();
  for (const auto& [key, value] : values_) out[key] = value();
  return out;
}

std::optional<std::string> CommandLine::parse(int argc, const char* const* argv) {
  try {
    read_arguments(argc, argv);
    if (!common_.input.empty()) read_input_file();
    check_excluded();
  } catch (const CLI::CallForHelp&) {
    return app_->help();
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  } catch (const CLI::ArgumentMismatch&) {
    throw usage(fmt::format("{}: a value is missing", argv[argc - 1]));
  } catch (const CLI::ParseError& error) {
    check_excluded();
    refuse(error.what());
  }
  if (common_.force && common_.output.empty())
    throw usage(where("--force") + ": needs --output FILE.h5");
  return std::nullopt;
}

void CommandLine::read_arguments(int argc, const char* const* argv) {
  for (int n = 1; n < argc; ++n)
    if (const std::string_view argument = argv[n];
        argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw usage(fmt::format("{}: a value is missing", argument.substr(0, argument.size() - 1)));
  app_->parse(argc, argv);
  check_unknown();
}

void CommandLine::check_unknown() const {
  if (app_->remaining().empty()) return;
  const std::string offender = app_->remaining().front();
  std::vector<std::string> names = option_names();
  for (std::string& name : names) name.insert(0, "--");
  if (offender.starts_with('-')) {
    const std::string typed = offender.substr(0, offender.find('='));
    refuse(fmt::format("unknown option {}{}", typed, did_you_mean(typed, names)));
  }
  std::string hint;
  if (offender.find_first_not_of("0123456789xXsSmMlL") == std::string::npos)
    hint = std::ranges::find(names, "--size") == names.end()
               ? did_you_mean("--size", names)
               : fmt::format(" (did you mean --size {}?)", offender);
  for (const CLI::Option* option : app_->get_options())
    if (option->get_positional() && option->count() > 0)
      hint = fmt::format(" (one {} is taken)", option->get_name());
  refuse(fmt::format("unexpected argument '{}'{}", offender, hint));
}

void CommandLine::check_excluded() const {
  for (const CLI::Option* option : app_->get_options())
    for (const CLI::Option* other : option->get_excludes())
      if (option->count() > 0 && other->count() > 0)
        throw usage(fmt::format("{} and {} exclude each other",
                                where("--" + option->get_single_name()),
                                where("--" + other->get_single_name())));
}

void CommandLine::refuse(const std::string& line) const {
  throw usage(fmt::format("{}; {} --help lists what is valid", line, program_));
}

std::string CommandLine::where(const std::string& option) const {
  const auto filed =
      lines_.find(option.substr(std::min(option.find_first_not_of('-'), option.size())));
  return filed == lines_.end()
             ? option
             : fmt::format("{}:{}: {}", common_.input, filed->second, filed->first);
}

}  // namespace memstencil
