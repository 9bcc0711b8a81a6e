// The identity of what was timed: problem, number of steps, memory.
#include "app/compare/sample.hpp"

#include <algorithm>
#include <array>

namespace memstencil::compare {

namespace {

/// How a member is written: its value follows the words. A member that is not listed is written as
/// key and value, so that no two members read alike.
struct Word {
  const char* key;
  const char* words;
};
constexpr std::array words{Word{"size", ""},
                           Word{"sweep", ""},
                           Word{"variant", ""},
                           Word{"type", ""},
                           Word{"memspace", ""},
                           Word{"first_touch", "filled by "},
                           Word{"messages", "by "},
                           Word{"threads", "with "},
                           Word{"pre-touch", "read first by "},
                           Word{"exec", "computed by "}};

/// A comma in a value would read as the end of a member.
std::string quoted(const std::string& value) {
  return value.empty() || value.find_first_of(",\"") != std::string::npos ? '"' + value + '"'
                                                                          : value;
}

std::string written(const std::string& key, const std::string& value) {
  const auto word =
      std::find_if(words.begin(), words.end(), [&](const Word& each) { return each.key == key; });
  if (word != words.end()) return word->words + quoted(value);
  return value == "true" ? key : key + " " + quoted(value);
}

std::string joined(const Members& members) {
  std::string text;
  for (const auto& [key, value] : members) text += (text.empty() ? "" : ", ") + written(key, value);
  return text;
}

}  // namespace

std::string value_of(const Members& members, const std::string& key) {
  for (const auto& [name, value] : members)
    if (name == key) return value;
  return "";
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
