// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#include "app/transpose/result.hpp"

#include "app/bench/gpu_exchange.hpp"
#include "app/bench/repeats.hpp"

namespace memstencil::transpose {

void describe(Archive& a, Split& split) {
  a("pack", split.pack);
  a("exchange", split.exchange);
  a("transpose", split.transpose);
}

void describe(Archive& a, Mean& mean) {
  a("seconds", mean.seconds);
  a("ci95", mean.ci95);
  a("relative_half_width", mean.relative_half_width);
  a("gbs", mean.gbs);
}

void describe(Archive& a, TimedVariant& variant) {
  a("name", variant.name);
  a.optional("tile", variant.tile);
  a("gbs", variant.gbs);
  a("of_copy", variant.of_copy);
  a("fraction", variant.fraction);
  a("verified", variant.verified);
  a("bytes", variant.bytes);
  a("iteration_seconds", variant.iteration_seconds);
  a("mean", variant.mean);
  a("seconds", variant.seconds);
  a.optional("energy", variant.energy);
  a.optional("split", variant.split);
}

void describe(Archive& a, MemoryLimit& limit) {
  a("kind", limit.kind);
  a("gbs", limit.gbs);
  a("samples_gbs", limit.samples_gbs);
}

void describe(Archive& a, Repeat& run) {
  a("variants", run.variants);
  a("limit", run.limit);
  a.optional("residency", run.residency);
  a("phases", run.phases);
}

void describe(Archive& a, SkippedVariant& skipped) {
  a("name", skipped.name);
  a("reason", skipped.reason);
}

void describe(Archive& a, Result& r) {
  describe_head(a, "transpose", r.origin);
  a("size", r.size);
  a("rows", r.rows);
  a("columns", r.columns);
  a("pitch_a", r.pitch_a);
  a("pitch_b", r.pitch_b);
  a("type", r.type);
  a("iterations", r.iterations);
  a("ranks", r.ranks);
  a("exec", r.exec);
  a("execution", r.execution);
  a("memspace", r.memspace);
  a("first_touch", r.first_touch);
  a("messages", r.messages);
  a.optional("exchange_steps", r.exchange_steps);
  a.optional("message_library", r.message_library);
  describe(a, static_cast<Repeat&>(r));
  a("skipped", r.skipped);
  a("verified", r.verified);
  a("options", r.options);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
  a.optional("repeats", r.repeats);
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
  result.messages = plan.ranks == 1 ? "none" : name(plan.path);
  if (plan.steps() > 0) result.exchange_steps = plan.steps();
  if (result.messages == name(MessagePath::Nccl)) result.message_library = gpu_exchange_library();
  for (const OfferedVariant& each : plan.skipped)
    result.skipped.push_back({std::string(name(each.variant)), each.why_not});
  if (repeats.size() > 1) result.repeats = repeats;
  return result;
}

}  // namespace memstencil::transpose
