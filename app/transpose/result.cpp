// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#include "app/transpose/result.hpp"

#include "app/bench/gpu_exchange.hpp"
#include "app/bench/repeats.hpp"

namespace memstencil::transpose {

void describe(Archive& a, Split& split) {
  MEMSTENCIL_MEMBERS(a, split.pack, split.exchange, split.transpose);
}

void describe(Archive& a, Mean& mean) {
  MEMSTENCIL_MEMBERS(a, mean.seconds, mean.ci95, mean.relative_half_width, mean.gbs);
}

void describe(Archive& a, TimedVariant& variant) {
  MEMSTENCIL_MEMBERS(a, variant.name, variant.tile, variant.gbs, variant.of_copy, variant.fraction,
                     variant.verified, variant.bytes, variant.iteration_seconds, variant.mean,
                     variant.seconds, variant.energy, variant.split);
}

void describe(Archive& a, Repeat& run) {
  MEMSTENCIL_MEMBERS(a, run.variants, run.limit, run.residency, run.phases);
}

void describe(Archive& a, SkippedVariant& skipped) {
  MEMSTENCIL_MEMBERS(a, skipped.name, skipped.reason);
}

void describe(Archive& a, Result& r) {
  describe_head(a, "transpose", r.origin);
  MEMSTENCIL_MEMBERS(a, r.size, r.rows, r.columns, r.pitch_a, r.pitch_b, r.type, r.iterations,
                     r.ranks, r.exec, r.execution, r.memspace, r.first_touch, r.messages,
                     r.exchange_steps, r.message_library);
  describe(a, static_cast<Repeat&>(r));
  MEMSTENCIL_MEMBERS(a, r.skipped, r.verified, r.options, r.machine, r.provenance, r.repeats);
}

Result make_result(const Plan& plan, const std::vector<Repeat>& repeats) {
  const auto mean_seconds = [](const Repeat& run) {
    double sum = 0;
    for (const TimedVariant& variant : run.variants) sum += variant.mean.seconds;
    return sum;
  };
  const Options& o = plan.options;
  const Placement& p = plan.placement;
  Result result;
  static_cast<Repeat&>(result) = median_run(repeats, mean_seconds);
  result.own_seconds = result.seconds_of_rank;
  result.size = size_name({o.rows, o.columns});
  result.rows = o.rows;
  result.columns = o.columns;
  result.pitch_a = plan.part().a().pitch;
  result.pitch_b = plan.part().b().pitch;
  result.type = name(o.type);
  result.iterations = o.iterations;
  result.ranks = plan.ranks;
  result.exec = name(p.executor);
  result.execution = execution_of(p.executor);
  result.memspace = memspace_of(p);
  result.first_touch = name(p.first_touch);
  result.messages = name(plan.transport);
  if (plan.steps() > 0) result.exchange_steps = plan.steps();
  if (plan.transport == Transport::Nccl) result.message_library = gpu_exchange_library();
  for (const OfferedVariant& each : plan.skipped)
    result.skipped.push_back({std::string(name(each.variant)), each.why_not});
  if (repeats.size() > 1) result.repeats = repeats;
  return result;
}

}  // namespace memstencil::transpose
