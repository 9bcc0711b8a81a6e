// transpose's command line, as a struct; and the plan of a run: all that the options leave open is
// decided for this machine, or refused.
#include "app/transpose/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/repeats.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace memstencil::transpose {

namespace {

constexpr std::int64_t most_rows = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_padding = 1'000'000;

void require_room_for_rows(const Options& o) {
  const std::int64_t longest = std::max(o.rows, o.columns);
  if (o.pitch.kind == Pitch::Kind::Fixed && o.pitch.elements < longest)
    throw Failure(ExitCode::Usage,
                  fmt::format("--pitch {} is less than a row: with {} A and B need at least {}",
                              o.pitch.elements, size_name({o.rows, o.columns}), longest));
}

/// Every variant for the whole matrix as one job; a variant that one rank cannot run is run by
/// none. Collective.
std::vector<OfferedVariant> variants_of_all_ranks(const Plan& plan,
                                                  const Communicator& communicator) {
  const Options& o = plan.options;
  auto offered = with_execution_space_type(plan.executor(), [&]<class Exec>() {
    const auto of = [&]<class T>(Job<T> job) {
      job.rows = o.rows;
      job.columns = o.columns;
      job.a_pitch = o.pitch.of(o.columns, sizeof(T));
      job.b_pitch = o.pitch.of(o.rows, sizeof(T));
      job.tile = o.tile;
      return variants_offered<Exec>(job);
    };
    return o.type == ElementType::Float ? of(Job<float>()) : of(Job<double>());
  });
  share_why_not(offered, communicator);
  return offered;
}

void choose_variants(Plan& plan, const Communicator& communicator) {
  const std::optional<Variant> wanted = plan.options.variant;
  std::vector<std::string_view> able;
  std::string reason;
  for (const OfferedVariant& each : variants_of_all_ranks(plan, communicator)) {
    if (each.why_not.empty()) able.push_back(name(each.variant));
    if (each.variant == wanted) reason = each.why_not;
    if (wanted) continue;
    if (each.why_not.empty())
      plan.variants.push_back(each.variant);
    else
      plan.skipped.push_back(each);
  }
  if (!wanted) return;
  if (reason == no_choice_of_tiles)
    throw CollectiveFailure(ExitCode::Machine, fmt::format("--tile {}: {} {}", plan.options.tile,
                                                           name(*wanted), reason));
  if (!reason.empty())
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("--variant {}: {}; on the {} here: {}", name(*wanted),
                                        reason, name(plan.executor()), fmt::join(able, ", ")));
  plan.variants = {*wanted};
}

}  // namespace

std::string_view name(ElementType type) { return type == ElementType::Float ? "float" : "double"; }

std::size_t bytes_of(ElementType type) {
  return type == ElementType::Float ? sizeof(float) : sizeof(double);
}

Pitch parse_pitch(const std::string& text) {
  if (lower_case(text) == "none") return {Pitch::Kind::Added, 0};
  const bool added = text.starts_with('+');
  try {
    const std::string_view number = std::string_view(text).substr(added ? 1 : 0);
    const std::int64_t elements =
        parse_integer(number, added ? 0 : 1, added ? most_padding : most_rows);
    return {added ? Pitch::Kind::Added : Pitch::Kind::Fixed, elements};
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(fmt::format(
        "'{}' is no pitch, which counts elements: valid are none, +N (0 to {} more than a row has) "
        "and N (1 to {})",
        text, most_padding, most_rows));
  }
}

std::string pitch_text(const Pitch& pitch) {
  if (pitch.kind == Pitch::Kind::Lines) return {};
  if (pitch.kind == Pitch::Kind::Fixed) return std::to_string(pitch.elements);
  return pitch.elements == 0 ? "none" : fmt::format("+{}", pitch.elements);
}

void declare_options(CommandLine& line, Options& o) {
  line.subject("Problem");
  line.integer("--rows", o.rows, std::int64_t{1}, most_rows, "Number of rows of A");
  line.integer("--cols", o.columns, std::int64_t{1}, most_rows, "Number of columns of A");
  line.choice("--type", o.type, all_element_types, "Type of the elements: 4 or 8 bytes");
  line.custom(
      "--pitch", "none|+N|N", [&o](const std::string& text) { o.pitch = parse_pitch(text); },
      [&o] { return pitch_text(o.pitch); },
      "Elements from one row to the next in A and B (default: as many as fill lines of 128 bytes)\n"
      "none: as many as a row has\n"
      "+N: N more than a row has, 0 to 1000000\n"
      "N: this number, 1 to 2147483647");
  line.integer("--iterations", o.iterations, std::int64_t{1}, most_iterations,
               "Number of timed transposes of each variant");
  line.integer("--repeat", o.repeat, 1, most_repeats, repeat_help);
  line.subject("Variant");
  line.choice_or("all", "--variant", o.variant, all_variants,
                 "Way to transpose\n"
                 "all: each of these\n"
                 "copy: none, as the measure of the others; it always runs\n"
                 "naive: each element by itself, without tiles\n"
                 "tiled: through shared memory\n"
                 "padded: as tiled, without bank conflicts\n"
                 "diagonal: as padded, tiles taken along diagonals\n"
                 "diagonal-conflicts: as tiled, tiles taken along diagonals\n"
                 "portable: Kokkos, on any processor\n"
                 "vendor: cuBLAS");
  line.choice("--tile", o.tile, std::array{16, 32},
              "Side of the tiles of naive, tiled, padded, diagonal and diagonal-conflicts\n"
              "16: as in their source\n"
              "32: a warp's width");
  declare_placement_options(line, o);
  line.subject("Ranks");
  declare_transport(line, "--exchange", o.exchange);
  line.example("transpose --rows 4096 --cols 16384 --variant all --memspace managed",
               "every way to transpose that matrix in managed memory, each compared with a copy");
}

Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator) {
  Plan plan = collectively(communicator, [&] {
    require_room_for_rows(options);
    return Plan{.options = options,
                .placement = placement_of(options, machine.ranks_of_gpu),
                .rank = communicator.rank(),
                .ranks = communicator.size()};
  });
  plan.transport = agreed_transport("--exchange", options.exchange, plan.placement, communicator);
  plan.placement.mapped_by_ranks = maps_arrays(plan.transport);
  plan.placement.ranks = communicator.size();
  choose_variants(plan, communicator);
  return plan;
}

Requirements memory_requirements(const Plan& plan) {
  const Distribution part = plan.part();
  const double a = part.room(part.a());
  const double b = std::max(a, part.room(part.b()));
  const MemorySpace space = plan.placement.space;
  Requirements out{{memory_of(space, plan.executor()), a + b}};
  if (plan.sends_tiles())
    out[memory_of(plan.memory_of_messages().space, plan.executor())] += Tiles::bytes(part);
  if (!support(space, Executor::Host).served) out[Memory::Host] += b;
  if (reached_over_link(space, plan.executor()))  // for the measurement of the link
    out[Memory::Gpu] += std::min(a, static_cast<double>(link_bytes));
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  check_memory("the matrix " + size_name(plan.part().shape), {"fewer --rows and --cols"},
               memory_requirements(plan), plan.placement, communicator);
}

}  // namespace memstencil::transpose
