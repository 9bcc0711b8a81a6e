// The part of a result that tells who computed, and the memory that its arrays were in.
#pragma once

#include "app/common/record/archive.hpp"

#include <optional>
#include <string>

namespace memstencil {

/// `execution`: the execution space, and how the host's threads are bound.
struct ExecutionRecord {
  std::string space;
  std::optional<int> host_threads;
  std::optional<std::string> proc_bind, places;  ///< OMP_PROC_BIND, OMP_PLACES
};
void describe(Archive& a, ExecutionRecord& execution);

/// `memspace`. Where groups of arrays lie apart, the three texts name both, and `place` each.
struct MemspaceRecord {
  struct Place {
    std::string p, coefficients;
  };
  std::string requested, effective, allocation;
  std::optional<Place> place;
};
void describe(Archive& a, MemspaceRecord& memspace);

/// Of `options`, those that change how memory is used.
struct MemoryOptions {
  bool prefetch = false;
  std::string advise = "none", pages = "default";
};
void describe(Archive& a, MemoryOptions& options);

/// One line for a person.
std::string text(const MemspaceRecord& memspace);
std::string text(const std::string& executor, const ExecutionRecord& execution);

}  // namespace memstencil
