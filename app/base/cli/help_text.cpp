// The text of --help: options by subject, each with its default, in lines of at most 98 characters.
#include "app/base/cli/help_text.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace memstencil {

namespace {

constexpr std::size_t description_column = 26;
constexpr std::size_t line_length = 98;

std::string described(const CLI::Option* option) {
  std::string text = option->get_description();
  if (!option->get_default_str().empty())
    text += fmt::format(" (default: {})", option->get_default_str());
  std::vector<std::string> excluded;
  for (const CLI::Option* each : option->get_excludes()) excluded.push_back(each->get_name());
  std::sort(excluded.begin(), excluded.end());
  for (const std::string& each : excluded)
    text += (&each == excluded.data() ? "; not with " : ", ") + each;
  return text;
}

}  // namespace

std::string HelpText::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  std::vector<std::string> groups = app->get_groups();
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != output_subject; });
  std::string out =
      make_description(app) + make_usage(app, std::move(name)) + make_positionals(app);
  for (const std::string& group : groups) {
    const auto options = app->get_options([&group](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
    if (!group.empty() && !options.empty()) out += make_group(group, false, options);
  }
  if (!app->get_footer().empty()) out += "\n" + app->get_footer() + "\n";
  return out;
}

std::string HelpText::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = "  " + make_option_name(option, is_positional);
  const std::string type = option->get_type_name();
  if (!type.empty() && type != name.substr(2)) name += " " + type;
  name += name.size() + 2 > description_column ? "\n" + std::string(description_column, ' ')
                                               : std::string(description_column - name.size(), ' ');
  const std::string text = wrapped(described(option), line_length - description_column);
  return name + indented(text, description_column) + "\n";
}

}  // namespace memstencil
