// transpose's command line, as a struct; and the plan of a run: all that the options leave open is
// decided for this machine, or refused.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/memory_check.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/transport.hpp"
#include "app/transpose/distribution.hpp"
#include "kernels/transpose/transpose.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::transpose {

enum class ElementType { Float, Double };
inline constexpr std::array all_element_types{ElementType::Float, ElementType::Double};
std::string_view name(ElementType type);
/// Bytes of an element.
std::size_t bytes_of(ElementType type);

/// "none", "+N" or "N". @throws std::invalid_argument with the valid forms
Pitch parse_pitch(const std::string& text);
/// The same; empty for whole lines.
std::string pitch_text(const Pitch& pitch);

/// As typed; an option that is not given and depends on the machine stays empty (see Plan).
struct Options : PlacementOptions {
  std::int64_t rows = 8192, columns = 8192;  ///< of A
  ElementType type = ElementType::Float;
  std::optional<Variant> variant = Variant::Portable;  ///< empty: every one
  int tile = 32;  ///< side of the tiles of the thesis' variants
  Pitch pitch = {};
  std::int64_t iterations = 100;
  int repeat = 1;
  std::optional<Transport> exchange;  ///< not given: auto
};

/// Declares transpose's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

/// Made by make_plan(), and never changed.
struct Plan {
  Options options;  ///< that it was made from
  Placement placement;
  int rank, ranks;                           ///< this one, and how many
  std::vector<Variant> variants = {};        ///< to be timed, in this order
  std::vector<OfferedVariant> skipped = {};  ///< that --variant all leaves out, and why
  Transport transport = {};

  Executor executor() const { return placement.executor; }
  /// This rank's part.
  Distribution part() const {
    return {{options.rows, options.columns}, rank, ranks, bytes_of(options.type), options.pitch};
  }
  /// Do messages carry packed tiles? By peer kernels write straight into the others' B.
  bool sends_tiles() const { return ranks > 1 && transport != Transport::Peer; }
  /// The memory in which messages are packed.
  MemoryKind memory_of_messages() const { return message_memory(executor(), transport); }
};

/// Kokkos need not have started. Collective.
/// @throws CollectiveFailure(Machine) for an option that this machine cannot serve, or (Usage)
Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator);

/// Memory of one rank: matrices, tiles, and the host's side of device memory.
Requirements memory_requirements(const Plan& plan);
/// Collective. @throws CollectiveFailure(Machine) if there is less memory than the plan takes
void require_memory(const Plan& plan, const Communicator& communicator);

}  // namespace memstencil::transpose
