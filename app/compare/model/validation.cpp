// Prediction against measurement.
#include "app/compare/model/validation.hpp"

#include "app/base/record/text_report.hpp"
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

/// Errors of what takes next to no time say nothing.
std::string line(const std::string& what, const Validation::Pair& pair, double total) {
  const bool tells = pair.error && pair.measured > 1e-3 * total;
  const std::string error = tells ? fmt::format("{:+.1f}%", 100.0 * *pair.error) : "";
  return fmt::format("{:<14} {:>10} {:>10} {:>9}\n", what, seconds_text(pair.predicted),
                     seconds_text(pair.measured), error);
}

}  // namespace

void describe(Archive& a, Validation::Pair& pair) {
  a("predicted", pair.predicted);
  a("measured", pair.measured);
  a("error", pair.error);
}

void describe(Archive& a, Validation::Phase& phase) {
  a("phase", phase.phase);
  describe(a, phase.seconds);
}

void describe(Archive& a, Validation& v) {
  a("phases", v.phases);
  a("total", v.total);
  a("first_step", v.first_step);
  a("median_step", v.median_step);
  a("causes", v.causes);
  a("notes", v.notes);
}

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
  out.causes = prediction.seconds_by_cause();
  out.notes = prediction.notes;
  return out;
}

std::string validation_text(const Validation& v) {
  std::string out =
      fmt::format("{:<14} {:>10} {:>10} {:>9}\n", "", "predicted", "measured", "error");
  for (const Validation::Phase& phase : v.phases)
    out += line(phase.phase, phase.seconds, v.total.measured);
  out += line("total", v.total, v.total.measured) + line("first step", v.first_step, 0.0) +
         line("median step", v.median_step, 0.0);
  std::string causes;
  for (const auto& [cause, seconds] : v.causes)
    causes += (causes.empty() ? "" : ", ") + cause + " " + seconds_text(seconds);
  return out + "predicted time by cause: " + causes + "\n";
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
