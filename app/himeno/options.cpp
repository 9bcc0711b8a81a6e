// himeno's command line, as a struct.
#include "app/himeno/options.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/ranks/collectively.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace memstencil::himeno {

namespace {

/// The number from `low` to `high` behind a word; or nothing.
std::optional<std::int64_t> number_behind(std::string_view word, std::string_view text,
                                          std::int64_t low, std::int64_t high) {
  if (!text.starts_with(word)) return {};
  try {
    return parse_integer(text.substr(word.size()), low, high);
  } catch (const std::invalid_argument&) {
    return {};
  }
}

void read_coefficients(const std::string& typed, Options& options) {
  const std::string text = lower_case(typed);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  options.seed = number_behind("random:", text, 0, most);
  if (!options.seed && text != "standard")
    throw std::invalid_argument(fmt::format(
        "'{}' names no coefficients: valid are standard and random:SEED, SEED an integer from 0 to "
        "{}",
        typed, most));
}

}  // namespace

jacobi::SweepKind parse_sweep(const std::string& typed) {
  const std::string text = lower_case(typed);
  if (text == "auto") return {.name = text};
  constexpr int most = 256;
  for (const std::string_view name : jacobi::sweep_names) {
    if (!text.starts_with(name)) continue;
    jacobi::SweepKind asked{.name = std::string(name), .sweeps = name == "single" ? 1 : 0};
    std::string rest = text.substr(name.size());  // ":T:TILE", ":T", ":TILE" or nothing
    const std::string number = rest.substr(0, rest.find(':', 1));
    const auto sweeps = number_behind(":", number, 2, most);
    if (asked.sweeps == 0 && sweeps) {
      asked.sweeps = static_cast<int>(*sweeps);
      rest = rest.substr(number.size());
    }
    const bool only_digits = rest.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!rest.empty() && (rest[0] != ':' || only_digits)) continue;
    asked.tile = rest.empty() ? rest : rest.substr(1);
    return asked;
  }
  throw std::invalid_argument(
      fmt::format("'{}' is not a kind of sweep: valid are single, temporal:T with T from 2 to {}, "
                  "both also with :TILE behind, and auto",
                  typed, most));
}

std::string coefficients_name(const std::optional<std::uint64_t>& seed) {
  return seed ? "random:" + std::to_string(*seed) : "standard";
}

void declare_options(CommandLine& line, Options& o) {
  declare_problem(line, o, jacobi::bytes_per_point);
  line.custom(
      "--coefficients", "standard|random:SEED",
      [&o](const std::string& text) { read_coefficients(text, o); },
      [&o] { return coefficients_name(o.seed); },
      "Coefficients of the stencil\n"
      "standard: the original's\n"
      "random:SEED: random ones around them, and obstacles at 2 % of the points (SEED from 0)");
  declare_memory(line, o);
  line.choice("--layout", o.layout, jacobi::all_layouts,
              "Coefficients in memory; results are the same to the bit\n"
              "arrays: twelve of them, as the original's\n"
              "packed: one, [i][j][k/8][12][8], for fused sweeps in device memory");
  line.subject("Sweep");
  line.custom(
      "--sweep", "single|temporal[:T][:TILE]|auto",
      [&o](const std::string& text) { o.sweep = parse_sweep(text); },
      [&o] { return full_name(o.sweep); },
      "Kind of sweep\n"
      "single: one sweep in a pass over the grid\n"
      "temporal:T: T sweeps fused in a pass, 2 to 256 (without T the first number that runs here)\n"
      ":TILE behind these: a tile that auto prints (without it the first)\n"
      "auto: a short trial of all kinds and tiles prints their times and finds the fastest");
  declare_ranks(line, o);
  line.subject(output_subject);
  line.flag("--save-field", o.save_field, "Write p beside the result, as NAME.field");
  line.example("himeno --size L --memspace managed --repeat 3 --output result.h5",
               "three runs with 1.9 GB of managed memory, written into a file for memcompare");
}

void check_combinations(const Options& o, const CommonOptions& common) {
  memstencil::check_combinations(o);
  if (o.save_field && common.output.empty())
    throw CollectiveFailure(
        ExitCode::Usage,
        "--save-field needs --output FILE.h5: p is written beside it, as FILE.field");
}

}  // namespace memstencil::himeno
