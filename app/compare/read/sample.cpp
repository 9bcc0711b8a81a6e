// The labels of cases.
#include "app/compare/read/sample.hpp"

#include "app/base/cli/numbers.hpp"

#include <map>
#include <stdexcept>
#include <string_view>

namespace memstencil::compare {

namespace {

/// How a member is written: its value follows the words. A member that is not listed is written as
/// key and value, so that no two members read alike.
const std::map<std::string, std::string> member_words{{"size", ""},
                                                      {"sweep", ""},
                                                      {"variant", ""},
                                                      {"type", ""},
                                                      {"memspace", ""},
                                                      {"timed", ""},
                                                      {"first_touch", "filled by "},
                                                      {"messages", "by "},
                                                      {"threads", "with "},
                                                      {"pre-touch", "read first by "},
                                                      {"run", "in one run of "},
                                                      {"exec", "computed by "}};

/// A comma in a value would read as the end of a member.
std::string quoted(const std::string& value) {
  return value.empty() || value.find_first_of(",\"") != std::string::npos ? '"' + value + '"'
                                                                          : value;
}

std::string written(const std::string& key, const std::string& value) {
  if (const auto word = member_words.find(key); word != member_words.end())
    return word->second + quoted(value);
  return value == "true" ? key : key + " " + quoted(value);
}

}  // namespace

std::optional<int> fused_of(const std::string& sweep) {
  constexpr std::string_view temporal = "temporal:";
  if (sweep == "single") return 1;
  if (!sweep.starts_with(temporal)) return {};
  try {
    return static_cast<int>(parse_integer(sweep.substr(temporal.size()), 2, most_fused));
  } catch (const std::invalid_argument&) {
    return {};
  }
}

std::string joined(const Members& members) {
  std::string text;
  for (const auto& [key, value] : members) text += (text.empty() ? "" : ", ") + written(key, value);
  return text;
}

std::string problem_label(const Case& of) { return of.program + " " + joined(of.problem); }

std::string memory_label(const Case& of) {
  const std::string settings = joined(of.settings);
  return joined(of.memory) + (settings.empty() ? "" : "; " + settings);
}

std::string label(const Case& of) {
  return problem_label(of) + ", " + of.steps + ", in " + memory_label(of);
}

}  // namespace memstencil::compare
