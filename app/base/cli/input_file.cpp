// The input file of a program (TOML): options under their own names, for those that argv leaves.
#include "app/base/cli/options.hpp"
#include "app/base/cli/toml_file.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace memstencil {

namespace {

/// The name of a TOML value's type in messages.
std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::array:
      return "an array";
    default:
      return node.is_table() ? "a table" : "a date or time";
  }
}

/// What an option takes, as its declaration says.
std::string wanted_by(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "true or false";
  if (option.get_expected_max() > 1) return "a string or an array of strings";
  if (option.get_type_name() == "N") return "an integer";
  if (option.get_type_name() == "X") return "a number";
  return "a string";
}

bool fits(const toml::node& node, const std::string& wanted) {
  if (kind_of(node) == wanted || (wanted == "a number" && node.is_number())) return true;
  const auto* const array = node.as_array();
  return wanted.ends_with("array of strings") &&
         (node.is_string() ||
          (array != nullptr && !array->empty() && array->is_homogeneous(toml::node_type::string)));
}

std::vector<std::string> texts_of(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return {flag->get() ? "true" : "false"};
  if (const auto* integer = node.as_integer()) return {std::to_string(integer->get())};
  if (const auto* real = node.as_floating_point()) return {fmt::format("{}", real->get())};
  std::vector<std::string> texts;
  if (const auto* array = node.as_array())
    for (const toml::node& each : *array) texts.push_back(each.value_or(std::string()));
  else
    texts.push_back(node.value_or(std::string()));
  return texts;
}

}  // namespace

/// CLI11's own reader takes keys that are no option, and values of another type.
void CommandLine::read_input_file() {
  const std::string& path = common_.input;
  const toml::table file = read_toml_file(path, "the input file");
  const std::vector<std::string> valid = option_names();
  const auto typed = [this](const CLI::Option* option) {
    return option->count() > 0 && !lines_.contains(option->get_single_name());
  };
  for (const auto& [name, node] : file) {
    // Results name their options with underscores: what is copied from one is understood.
    std::string key(name.str());
    std::replace(key.begin(), key.end(), '_', '-');
    const unsigned line = name.source().begin.line;
    const auto refuse = [&, line](const std::string& why) {
      throw Failure(ExitCode::Usage, fmt::format("{}:{}: {}", path, line, why));
    };
    if (std::find(valid.begin(), valid.end(), key) == valid.end())
      refuse(fmt::format("unknown key '{}'{}; valid are the names of the options, see {} --help",
                         key, did_you_mean(key, valid), program_));
    if (key == "input") refuse("input: an input file cannot name another");
    CLI::Option& option = *app_->get_option("--" + key);
    const std::string wanted = wanted_by(option);
    if (!fits(node, wanted))
      refuse(fmt::format("{}: {} is wanted, not {}", key, wanted, kind_of(node)));
    const std::vector<std::string> texts = texts_of(node);
    const auto excluded = option.get_excludes();
    if (typed(&option) || std::any_of(excluded.begin(), excluded.end(), typed)) continue;
    // `force = false` says nothing that another option could contradict.
    if (wanted == "true or false" && texts.front() == "false") continue;
    lines_[key] = line;
    option.add_result(texts);
    option.run_callback();
  }
}

}  // namespace memstencil
