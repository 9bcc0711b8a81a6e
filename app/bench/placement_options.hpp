// The options of every application that ask where its arrays live and who computes.
#pragma once

#include "app/base/cli/options.hpp"
#include "memory_spaces/memory_space.hpp"

#include <optional>
#include <string>

namespace memstencil {

/// As typed; what is not given and depends on the machine stays empty (see placement.hpp).
struct PlacementOptions {
  MemorySpace memspace = MemorySpace::Device;
  bool memspace_auto = false;
  std::string why_memspace;  ///< --memspace auto chose `memspace`: choose()
  bool oversubscribe = false;
  std::optional<Executor> executor;
  std::optional<int> gpu;
  std::optional<Executor> first_touch;
  bool prefetch = false;
  Advice advice = Advice::None;
  Pages pages = Pages::Default;
  bool list_memspaces = false;  ///< where the application declares --list-memspaces
};

/// Declares --memspace --oversubscribe --exec --gpu --first-touch --prefetch --advise --pages on
/// the command line, to be stored in `options` by parse().
void declare_placement_options(CommandLine& line, PlacementOptions& options);

}  // namespace memstencil
