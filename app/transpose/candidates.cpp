// The plans that --memspace auto chooses from, and the model's choice.
#include "app/transpose/candidates.hpp"

#include "app/common/kokkos_runtime.hpp"
#include "app/placement/placement_record.hpp"
#include "app/transpose/link_traffic.hpp"

namespace memstencil::transpose {

namespace {

model::TransposeVariant case_of(Variant variant, const Plan& plan) {
  const Shape& shape = plan.shapes.back();
  const std::size_t element_bytes = bytes_of(plan.options.type);
  const double matrices = plan.operation == Operation::Accumulate ? 3.0 : 2.0;
  const double asked = matrices * static_cast<double>(shape.rows) * static_cast<double>(shape.columns) *
                       static_cast<double>(element_bytes);
  const auto traffic = link_traffic(variant, shape, plan.operation, element_bytes);
  return {std::string(name(variant)), (traffic ? traffic->sectors : asked) / plan.ranks, asked / plan.ranks};
}

}  // namespace

std::vector<Candidate> candidates_of(const Options& options, const Machine& machine,
                                     const Communicator& communicator) {
  std::vector<Candidate> out;
  const auto add = [&](const Options& one) {
    out.push_back(model::try_candidate(
        std::string(name(one.memspace)), [&] { return make_plan(one, machine, communicator); },
        [&](const Plan& plan) { require_memory(plan, communicator); }));
  };
  if (!options.memspace_auto) {
    add(options);
    model::require_one("", out);
    return out;
  }
  for (const MemorySpace space : model::spaces_by_preference) add(in_space(options, space));
  model::require_one("--memspace auto: ", out);
  return out;
}

model::TransposeCase case_of(const Plan& plan) {
  const Distribution part = plan.part();
  const Placement& placement = plan.placement;
  model::TransposeCase run{.a_bytes = part.bytes(part.a()),
                           .b_bytes = plan.operation == Operation::InPlace ? 0.0 : part.bytes(part.b()),
                           .element_bytes = static_cast<double>(part.element_bytes),
                           .iterations = plan.options.iterations,
                           .variants = {},
                           .access = {placement.executor, placement.first_touch, placement.prefetch},
                           .host_threads = KokkosRuntime::host_threads(),
                           .space = effective_space(placement)};
  for (const Variant variant : plan.variants) run.variants.push_back(case_of(variant, plan));
  return run;
}

model::Choice choose(const std::vector<Candidate>& candidates,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet) {
  const auto predicted = [&](const model::MachineRates& rates) {
    return model::ranked(candidates,
                         [&](std::size_t n) { return model::predict(case_of(*candidates[n].plan), rates); });
  };
  return model::choose(predicted, model::Goal::TotalTime, probed, "transpose", quiet, communicator);
}

}  // namespace memstencil::transpose
