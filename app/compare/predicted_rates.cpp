// Rates of a side's machine, and the speed that the model predicts of its runs by them.
#include "app/compare/predicted_rates.hpp"

#include "app/compare/himeno_case.hpp"
#include "app/compare/model/ranks_model.hpp"
#include "app/compare/model/rates_from_description.hpp"
#include "app/compare/model/rates_from_membench.hpp"
#include "app/compare/transpose_case.hpp"
#include "app/himeno/problem.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::MessageRates;

MachineRates described_rates(const Side& side) {
  const MachineRates assumed = model::assumed_rates();
  return side.description ? overlay(assumed, model::rates_from_description(*side.description))
                          : assumed;
}

/// A description tells the network alone. In a node the rates are assumed, and those of messages
/// by way of the host's memory nobody knows.
std::optional<MessageRates> described_messages(const model::HimenoRanks& ranks, const Side& side) {
  if (!side.description || ranks.path == "staged") return {};
  MessageRates rates = model::message_rates_from_description(*side.description);
  if (!ranks.on_several_nodes()) rates.source = "assumed";
  return rates;
}

double seconds_of(const model::Prediction& prediction, std::string_view phase) {
  for (const model::PhasePrediction& each : prediction.phases)
    if (each.phase == phase) return each.time.total();
  return 0;
}

PredictedRate of_work(double work, double seconds, std::vector<std::string> from) {
  const double rate = work / seconds / model::giga;
  if (!std::isfinite(rate))
    throw Failure(ExitCode::Other, "with its figures the model predicts no number");
  return {.rate = rate, .from = std::move(from)};
}

PredictedRate missing(const std::string& what) { return {.missing = what}; }

PredictedRate without_rates(const Side& side) {
  return missing(side.label + ", without membench results of its GPU and without --machine");
}
PredictedRate without_messages(const std::string& path) {
  return missing("messages by " + path_in_words(path) + ", without results of membench exchange");
}

/// Older runs could have p and the coefficients in different memories.
bool known_memory(const himeno::Result& run) {
  return run.memspace.effective.find('=') == std::string::npos;
}

}  // namespace

std::optional<MachineRates> measured_rates(const Side& side) {
  std::optional<MachineRates> measured;
  for (const Run* run : side.runs) {
    const auto* result = run->as<probed::Result>();
    if (result == nullptr || !result->machine.gpu) continue;
    const MachineRates rates = naming(*run, [&] { return model::rates_from_membench(*result); });
    measured = measured ? overlay(*measured, rates) : rates;
  }
  if (!measured) return std::nullopt;
  return overlay(described_rates(side), *measured);
}

std::optional<MachineRates> known_rates(const Side& side) {
  std::optional<MachineRates> rates = measured_rates(side);
  return rates || !side.description ? rates : described_rates(side);
}

bool can_be_predicted(const himeno::Result& run, const MachineRates&) {
  return run.exec == "device" && !run.options_of_case.pre_touch && known_memory(run);
}

bool can_be_predicted(const transpose::Result& run, const MachineRates& rates) {
  if (run.exec != "device" || run.sizes || stopped_early(run)) return false;
  if (run.ranks == 1) return true;
  const auto measured = [&](const model::MessageTime& each) { return each.path == run.messages; };
  return std::any_of(rates.messages.begin(), rates.messages.end(), measured) &&
         measured_messages(*model_case(run).messages, rates);
}

PredictedRate predicted_rate(const himeno::Result& run, const Entry&, const Side& side,
                             const std::optional<MachineRates>& rates) {
  if (run.exec != "device") return missing("runs of a host");
  if (!rates) return without_rates(side);
  if (!known_memory(run)) return missing("runs whose arrays lie in several memories");
  if (!can_be_predicted(run, *rates)) return missing("runs with --pre-touch");
  model::HimenoCase part = model_case(run);
  const std::optional<model::HimenoRanks> ranks = std::exchange(part.ranks, std::nullopt);
  const model::Prediction prediction = predict(part, *rates);
  const double flops = himeno::original_flops(run.extents) * static_cast<double>(run.iterations);
  const double seconds = seconds_of(prediction, "sweeps") + seconds_of(prediction, "reduce");
  if (!ranks) return of_work(flops, seconds, {rates->origin});
  auto messages = measured_messages(*ranks, *rates);
  if (!messages) messages = described_messages(*ranks, side);
  if (!messages) return without_messages(run.halo);
  part.ranks = ranks;
  return of_work(
      flops, seconds + halo_seconds(part, *rates, *messages),
      {rates->origin, model::note_on(ranks->path, *messages, ranks->on_several_nodes())});
}

PredictedRate predicted_rate(const transpose::Result& run, const Entry& entry, const Side& side,
                             const std::optional<MachineRates>& rates) {
  if (run.exec != "device") return missing("runs of a host");
  if (!rates) return without_rates(side);
  if (run.sizes || stopped_early(run))
    return missing("transposes of several sizes, or ended early");
  if (rates->messages.empty()) return missing("transposes, without results of membench exchange");
  if (!can_be_predicted(run, *rates)) return without_messages(run.messages);
  model::TransposeCase part = model_case(run);
  const std::string name = text_of(entry.identity, "variant");
  std::erase_if(part.variants, [&](const auto& each) { return each.name != name; });
  if (part.variants.empty()) return {};  // the yardstick
  double bytes = 0;
  for (const transpose::Result::Variant& each : run.variants)
    if (each.name == name) bytes = each.bytes.value_or(0);
  return of_work(bytes, predict(part, *rates).sweeps.median_of_first(run.iterations),
                 {rates->origin});
}

}  // namespace memstencil::compare
