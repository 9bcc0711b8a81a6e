// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#include "app/transpose/result.hpp"

#include "app/bench/gpu_exchange.hpp"
#include "app/bench/repeats.hpp"

namespace memstencil::transpose {

void Result::describe(Archive& a) const {
  describe_head(a, "transpose", origin);
  MEMSTENCIL_MEMBERS(a, size, rows, columns, pitch_a, pitch_b, type, iterations, ranks, exec,
                     execution, memspace, first_touch, messages, message_library);
  Repeat::describe(a);
  MEMSTENCIL_MEMBERS(a, skipped, verified, options, machine, provenance, repeats);
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
  if (plan.transport == Transport::Nccl) result.message_library = gpu_exchange_library();
  for (const OfferedVariant& each : plan.skipped)
    result.skipped.push_back({std::string(name(each.variant)), each.why_not});
  if (repeats.size() > 1) result.repeats = repeats;
  return result;
}

}  // namespace memstencil::transpose
