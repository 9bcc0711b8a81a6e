// One timed thing of one run, and its identity.
#include "app/compare/sample.hpp"

#include "app/compare/tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace memstencil::compare {

namespace {

/// How a member is written: its value follows the words. A member that is not listed is written as
/// key and value, so that no two members read alike.
const std::map<std::string, std::string> words{{"size", ""},
                                               {"sweep", ""},
                                               {"variant", ""},
                                               {"type", ""},
                                               {"memspace", ""},
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
  if (const auto word = words.find(key); word != words.end()) return word->second + quoted(value);
  return value == "true" ? key : key + " " + quoted(value);
}

}  // namespace

std::string joined(const Members& members) {
  std::string text;
  for (const auto& [key, value] : members) text += (text.empty() ? "" : ", ") + written(key, value);
  return text;
}

bool agree(const Members& settings, const Members& others) {
  return std::ranges::all_of(settings, [&](const auto& each) {
    const std::string other = value_of(others, each.first);
    return other.empty() || other == each.second;
  });
}

std::string value_of(const Members& members, const std::string& key) {
  const auto found = std::ranges::find(members, key, &Members::value_type::first);
  return found == members.end() ? "" : found->second;
}

Members without(Members members, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    std::erase_if(members, [&](const auto& each) { return each.first == key; });
  return members;
}

std::string problem_label(const Case& of) { return of.program + " " + joined(of.problem); }

std::string memory_label(const Case& of) {
  const std::string settings = joined(of.settings);
  return joined(of.memory) + (settings.empty() ? "" : "; " + settings);
}

std::string label(const Case& of) {
  return problem_label(of) + ", " + of.steps + ", in " + memory_label(of);
}

bool Sample::steady() const {
  constexpr std::int64_t least = 6;
  constexpr double equal = 0.05;
  return steps >= least && std::abs(tail - median) <= equal * median;
}

Seconds Sample::at(std::int64_t count) const {
  Seconds parts = once;
  const double all = all_steps + static_cast<double>(count - steps) * tail;
  parts[Part::Pace] = std::min(all, median * static_cast<double>(count));
  parts[Part::Beyond] = all - parts[Part::Pace];
  parts[Part::Messages] *= static_cast<double>(count) / static_cast<double>(steps);
  return parts;
}

double Sample::per_step() const { return tail + once[Part::Messages] / static_cast<double>(steps); }

double Sample::pace_fraction() const {
  if (step != "sweep") return fraction;  // its bandwidth is the median's
  return fraction * all_steps / (median * static_cast<double>(steps));
}

}  // namespace memstencil::compare
