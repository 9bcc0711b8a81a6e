// The result of a program run, made of its repeats.
#include "app/transpose/result.hpp"

#include "app/bench/gpu_exchange.hpp"
#include "app/bench/repeats.hpp"

namespace memstencil::transpose {

namespace {

/// Of an iteration of every variant.
double mean_seconds(const Repeat& run) {
  double sum = 0;
  for (const Repeat::Variant& variant : run.variants) sum += variant.mean.seconds;
  return sum;
}

}  // namespace

Result make_result(const Plan& plan, const std::vector<Repeat>& repeats) {
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
  if (result.messages_registered) result.message_library = gpu_exchange_library();
  for (const OfferedVariant& each : plan.skipped)
    result.skipped.push_back({std::string(name(each.variant)), each.refused});
  if (repeats.size() > 1) result.repeats = repeats;
  return result;
}

}  // namespace memstencil::transpose
