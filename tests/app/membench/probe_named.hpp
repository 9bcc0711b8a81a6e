// A probe by its name.
#pragma once

#include "app/membench/core/probe.hpp"

#include <stdexcept>
#include <string>

namespace memstencil::membench {

inline const Probe& probe_named(const std::string& name) {
  for (const Probe& probe : probes())
    if (probe.name == name) return probe;
  throw std::runtime_error("no probe " + name);
}

}  // namespace memstencil::membench
