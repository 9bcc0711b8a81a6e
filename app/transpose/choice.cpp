// The memory spaces that --memspace auto chooses from, and what the model says of them.
#include "app/transpose/choice.hpp"

#include "app/common/kokkos_runtime.hpp"
#include "app/placement/placement_record.hpp"
#include "app/transpose/link_traffic.hpp"

namespace memstencil::transpose {

namespace {

Candidate candidate_of(const std::string& name, const Options& options, const Communicator& communicator,
                       const Machine& machine) {
  return model::try_candidate(
      name,
      [&] {
        Setup setup =
            agree(communicator, [&] { return set_up(options, communicator, machine.ranks_of_gpu); });
        choose_variants(setup, communicator);
        return setup;
      },
      [&](const Setup& setup) {
        agree(communicator, [&] {
          check_memory("the matrix " + size_name(setup.shapes.back()),
                       options.sizes ? "smaller --sweep-sizes or fewer --iterations"
                                     : "fewer --rows and --cols, or fewer --iterations",
                       demands(setup, communicator), setup.placement, communicator);
        });
      });
}

model::TransposeVariant variant_of(const std::string& name, const Setup& setup, int ranks) {
  const Shape& shape = setup.shapes.back();
  const std::size_t element_bytes = bytes_of(setup.options.type);
  const double matrices = setup.operation == Operation::Accumulate ? 3.0 : 2.0;
  const double asked = matrices * static_cast<double>(shape.rows) * static_cast<double>(shape.columns) *
                       static_cast<double>(element_bytes);
  const auto traffic = link_traffic(name, shape, setup.operation, element_bytes);
  return {name, (traffic ? traffic->sectors : asked) / ranks, asked / ranks};
}

double bytes_in(const matrix::Block& block, const Setup& setup) {
  return static_cast<double>(block.rows) * static_cast<double>(block.pitch) *
         static_cast<double>(bytes_of(setup.options.type));
}

}  // namespace

std::vector<Candidate> candidates_of(const Options& options, const Machine& machine,
                                     const Communicator& communicator) {
  std::vector<Candidate> out;
  if (!options.memspace_auto) {
    out.push_back(candidate_of(std::string(name(options.memspace)), options, communicator, machine));
    model::require_one("", out);
    return out;
  }
  for (const MemorySpace space : model::spaces_by_preference)
    out.push_back(candidate_of(std::string(name(space)), in_space(options, space), communicator, machine));
  model::require_one("--memspace auto: ", out);
  return out;
}

model::TransposeCase case_of(const Setup& setup, const Communicator& communicator) {
  const Distribution part = distribution(setup, setup.shapes.back(), communicator);
  const Placement& placement = setup.placement;
  model::TransposeCase run{.a_bytes = bytes_in(part.a(), setup),
                           .b_bytes = setup.operation == Operation::InPlace ? 0.0 : bytes_in(part.b(), setup),
                           .element_bytes = static_cast<double>(bytes_of(setup.options.type)),
                           .iterations = setup.options.iterations,
                           .variants = {},
                           .access = {placement.executor, placement.first_touch, placement.prefetch},
                           .host_threads = KokkosRuntime::host_threads(),
                           .space = effective_space(placement)};
  for (const std::string& name : setup.variants)
    run.variants.push_back(variant_of(name, setup, communicator.size()));
  return run;
}

model::Choice choose(const std::vector<Candidate>& candidates,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet) {
  const auto predicted = [&](const model::MachineRates& rates) {
    return model::ranked(candidates, [&](std::size_t n) {
      return model::predict(case_of(*candidates[n].plan, communicator), rates);
    });
  };
  return model::choose(predicted, model::Goal::TotalTime, probed, "transpose", quiet, communicator);
}

}  // namespace memstencil::transpose
