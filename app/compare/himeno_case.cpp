// A himeno result as the model sees it: the case that is predicted, and what was measured.
#include "app/compare/himeno_case.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memstencil::himeno {

model::HimenoCase model_case(const Result& result) {
  model::HimenoCase run{};
  run.points = 1.0;
  double ranks = 1.0;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t points = result.extents[d] - 2;
    run.extents[d] = points / result.ranks[d] + 2;
    run.points *= static_cast<double>(points);
    ranks *= result.ranks[d];
  }
  run.points /= ranks;
  constexpr double most_ranks = 1e5;  // what a file claims
  if (ranks > 1.0 && ranks <= most_ranks && result.exec == "device") {
    const int nodes =
        result.provenance ? std::max(1, static_cast<int>(result.provenance->hosts.size())) : 1;
    run.ranks = {.whole = result.extents,
                 .ranks = result.ranks,
                 .ranks_of_node = static_cast<int>(std::ceil(ranks / nodes)),
                 .path = result.halo};
  }
  run.iterations = result.iterations;
  constexpr std::int64_t most_fused = 64;
  const std::int64_t fused = model::number_after("temporal:", result.sweep, 1);
  if (fused > most_fused)
    throw Failure(ExitCode::Other, fmt::format("its sweep is '{}'", result.sweep));
  run.fused = static_cast<int>(fused);
  if (result.rehearsal < 0 || result.rehearsal > 3 + fused)
    throw Failure(ExitCode::Other, fmt::format("its rehearsal has {} sweeps", result.rehearsal));
  run.rehearsal = result.rehearsal;
  run.slab_planes = model::number_after("slabs of ", result.sweep_kernel, 0);
  run.access =
      model::access_of(result.exec, result.first_touch, result.options_of_case.memory.prefetch);
  run.host_threads = result.execution.host_threads.value_or(run.host_threads);
  run.p = run.coefficients = model::space_named(result.memspace.effective);
  return run;
}

model::Measured measured(const Result& result) {
  model::Measured out{.phases = result.phases,
                      .left_out = {},
                      .first_step = result.sweep_seconds.first,
                      .median_step = result.sweep_seconds.spread.median,
                      .median_of = result.iterations};
  if (result.ranks != std::array{1, 1, 1} && result.exec == "host") out.left_out = {"halo"};
  return out;
}

}  // namespace memstencil::himeno
