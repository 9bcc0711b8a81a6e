// The gain of several ranks: their speed beside that of one, and why there is none.
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/transpose/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace memstencil::transpose {

namespace {

/// The assumed rates, with the bandwidth that the copy of this run has on one of its processors,
/// wherever the matrices lie.
model::MachineRates rates_of(const RunResult& run) {
  using model::Rate;
  const std::vector<double> copies = run.shapes.back().copy().rates();
  const model::Figure figure{*std::max_element(copies.begin(), copies.end()) / run.processors,
                             "the copy of this run"};
  model::MachineRates measured;
  measured.rates = {
      {Rate::DeviceCopy, figure}, {Rate::HostCopy, figure}, {Rate::LinkBothWays, figure}};
  return model::overlay(model::assumed_rates(), measured);
}

/// Seconds of an iteration of the whole matrix by one rank, when pages have settled.
double one_rank(const Plan& plan, const RunResult& run, Variant variant) {
  Plan alone = plan;
  alone.rank = 0;
  alone.ranks = 1;
  alone.variants = {variant};
  model::TransposeCase whole = case_of(alone);
  whole.iterations = 3;
  return predict(whole, rates_of(run)).sweeps.back().total();
}

/// Empty where tiles are stored into the other rank's memory: that is part of turning them.
std::string share_of_exchange(const VariantResult& variant, const Result::Bound& bound) {
  if (variant.exchange <= 0) return {};
  return fmt::format(": {:.0f} % of the time is the exchange, by path {}",
                     100 * variant.exchange / (variant.pack + variant.exchange + variant.transpose),
                     bound.path);
}

}  // namespace

Result::Scaling scaling_of(const Plan& plan, const RunResult& run, const VariantResult& variant,
                           const Result::Bound& bound) {
  Result::Scaling out;
  out.processors = run.processors;
  out.one_rank_seconds = one_rank(plan, run, variant.variant);
  out.speedup = out.one_rank_seconds / statistics(variant.seconds).median;
  out.efficiency = out.speedup / run.processors;
  if (out.speedup >= 1.0) return out;
  if (bound.message_seconds >= out.one_rank_seconds)
    out.advice = fmt::format(
        "{} ranks cannot gain here: their messages alone take {} by path {}, and one rank takes {} "
        "by the model",
        plan.ranks, seconds_text(bound.message_seconds), bound.path,
        seconds_text(out.one_rank_seconds));
  else
    out.advice = fmt::format(
        "{} ranks are slower here than one would be (by the model, {:.2f} of its speed){}",
        plan.ranks, out.speedup, share_of_exchange(variant, bound));
  return out;
}

}  // namespace memstencil::transpose
