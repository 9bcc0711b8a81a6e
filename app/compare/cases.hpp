// The identity of what was timed: problem, number of steps, memory. Two runs are one case where
// these are equal, and labels are equal only then.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

/// Keys and values, in the order in which a person reads them.
using Members = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string program;
  Members problem;    ///< size, kind of sweep, ranks, ...
  std::string steps;  ///< "x 100", or "for 10 s"
  Members memory;     ///< where arrays lie, who touched them first, hints, pages, threads
  Members settings;   ///< the driver and so on, where the runs of a side differ in it

  bool operator==(const Case&) const = default;
};

/// The value of a member; empty where there is none.
std::string value_of(const Members& members, const std::string& key);

/// "himeno XL (512x512x1024), single": what does not depend on the memory.
std::string problem_label(const Case& of);
/// "managed, filled by host, driver 570.1".
std::string memory_label(const Case& of);
/// All of it: "himeno XL (512x512x1024), single, x 100, in managed, filled by host".
std::string label(const Case& of);

}  // namespace memstencil::compare
