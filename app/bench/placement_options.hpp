// The options of every application that ask where its arrays live and who computes.
#pragma once

#include "app/base/cli/options.hpp"
#include "memory_spaces/memory_space.hpp"

#include <concepts>
#include <optional>
#include <string>

namespace memstencil {

/// As typed; what is not given and depends on the machine stays empty (see place.hpp).
struct PlacementOptions {
  MemorySpace memspace = MemorySpace::Device;
  bool memspace_auto = false;
  std::string probes;  ///< a membench result to choose by
  std::optional<Executor> executor;
  std::optional<int> gpu;
  std::optional<Executor> first_touch;
  bool prefetch = false;
  Advice advice = Advice::None;
  Pages pages = Pages::Default;
  bool list_memspaces = false;  ///< where the application declares --list-memspaces

  /// Is the model to predict the run?
  bool asks_model() const { return memspace_auto || !probes.empty(); }
};

/// Declares --memspace --exec --gpu --first-touch --prefetch --advise --pages --probes on the
/// command line, to be stored in `options` by parse().
void declare_placement_options(CommandLine& line, PlacementOptions& options);

/// An application's options as they would be with that --memspace.
template <std::derived_from<PlacementOptions> Options>
Options in_space(Options options, MemorySpace space) {
  options.memspace = space;
  options.memspace_auto = false;
  return options;
}

}  // namespace memstencil
