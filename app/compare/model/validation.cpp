// Prediction against measurement.
#include "app/compare/model/validation.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace memstencil::model {

namespace {

Validation::Pair against(double predicted, double measured) {
  return {predicted, measured,
          measured > 0.0 ? std::optional(predicted / measured - 1.0) : std::nullopt};
}

}  // namespace

Validation validate(const Prediction& prediction, const Measured& measured) {
  Validation out;
  for (const PhasePrediction& phase : prediction.phases) {
    const auto& left_out = measured.left_out;
    if (std::find(left_out.begin(), left_out.end(), phase.phase) != left_out.end()) continue;
    const double* seconds = measured.phases.find(phase.phase);
    if (seconds == nullptr)
      throw Failure(ExitCode::Other, fmt::format("'phases.{}' is missing", phase.phase));
    out.phases.push_back({phase.phase, against(phase.time.total(), *seconds)});
    out.total.predicted += phase.time.total();
    out.total.measured += *seconds;
  }
  out.total = against(out.total.predicted, out.total.measured);
  out.first_step = against(prediction.sweeps.front().total(), measured.first_step);
  out.median_step =
      against(prediction.sweeps.median_of_first(measured.median_of), measured.median_step);
  return out;
}

MemorySpace space_named(const std::string& text) {
  if (text == "host") return MemorySpace::SystemAllocated;
  const auto space = memory_space_from_name(text);
  if (!space) throw Failure(ExitCode::Other, "a result names a memory space that is none: " + text);
  return *space;
}

std::int64_t number_after(std::string_view before, const std::string& text,
                          std::int64_t otherwise) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return otherwise;
  std::int64_t number = 0;
  const char* first = text.data() + at + before.size();
  if (std::from_chars(first, text.data() + text.size(), number).ec != std::errc() || number < 1)
    throw Failure(ExitCode::Other, fmt::format("'{}' has no number after '{}'", text, before));
  return number;
}

}  // namespace memstencil::model
