// A figure of a run with all that another figure must share to be set beside it.
#include "app/compare/entry.hpp"

#include <algorithm>
#include <array>

namespace memstencil::compare {

namespace {

/// Options that change how memory is used; absent in a result whose program has no such option.
constexpr std::array options_of_memory{"prefetch", "advise", "pages"};

bool is_default(const Record& value) {
  return value.is_null() || value == false || value == "" || value == "default" || value == "none";
}

std::string text(const Record& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

Record placement_identity(const Run& run) {
  Record identity{{"exec", run.text("exec")},
                  {"memspace", run.text("memspace.requested")},
                  {"effective", run.text("memspace.effective")},
                  {"first_touch", run.text("first_touch")}};
  for (const char* option : options_of_memory) {
    const Record* value = run.find(std::string("options.") + option);
    if (value != nullptr && !is_default(*value)) identity[option] = *value;
  }
  return identity;
}

std::string placement_label(const Record& identity) {
  std::string label = ", by " + text(identity["exec"]) + " in " + text(identity["memspace"]);
  if (identity["effective"] != identity["memspace"]) label += " (" + text(identity["effective"]) + ")";
  label += ", touched by " + text(identity["first_touch"]);
  for (const char* option : options_of_memory)
    if (identity.contains(option))
      label += std::string(", ") + option + (identity[option] == true ? "" : " " + text(identity[option]));
  return label;
}

std::vector<Entry> entries_of(const Run& run) {
  const std::string program = run.program();
  if (program == "himeno") return himeno_entries(run);
  return program == "transpose" ? transpose_entries(run) : membench_entries(run);
}

Entry merged(std::vector<Entry> same) {
  std::stable_sort(same.begin(), same.end(),
                   [](const Entry& a, const Entry& b) { return a.value.median < b.value.median; });
  Entry middle = same[(same.size() - 1) / 2];
  for (const Entry& each : same) {
    middle.value.minimum = std::min(middle.value.minimum, each.value.minimum);
    middle.value.maximum = std::max(middle.value.maximum, each.value.maximum);
  }
  return middle;
}

}  // namespace memstencil::compare
