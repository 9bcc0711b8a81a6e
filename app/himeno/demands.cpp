// What memory a run takes, before anything is allocated.
#include "app/himeno/demands.hpp"

#include "app/common/record.hpp"
#include "app/himeno/halo.hpp"
#include "app/model/himeno_model.hpp"
#include "app/placement/place.hpp"
#include "memory_spaces/capabilities.hpp"

#include <set>

namespace memstencil::himeno {

std::vector<Demand> demands_of_sweeps(const Setup& setup, std::int64_t sweeps) {
  const Options& o = setup.options;
  const double times = sizeof(double) * static_cast<double>(sweeps);
  // In the record stand the times of the repeat in the middle and, where there are several, of all.
  const int recorded = 1 + (o.repeat > 1 ? o.repeat : 0) + (o.gosa_history ? 1 : 0);
  return {{scratch_space(setup.placement.executor), times},
          // gosa and time of each sweep, of every repeat.
          {MemorySpace::HostPinned, 2 * times * o.repeat},
          {MemorySpace::HostPinned, recorded * bytes_of_number * static_cast<double>(sweeps)}};
}

std::vector<Demand> demands(const Setup& setup) {
  const Executor executor = setup.placement.executor;
  // The vectors of the host and pinned memory come out of the same.
  constexpr MemorySpace host = MemorySpace::HostPinned;
  const double one = field_bytes(setup.part.grid) / (jacobi::array_count + 1);
  const MemorySpace p = setup.placement_of_p.space;
  const MemorySpace coefficients = setup.placement.space;
  std::vector<Demand> out{{p, model::arrays_of_p * one}, {coefficients, model::arrays_of_coefficients * one}};
  for (const MemorySpace space : std::set{p, coefficients})
    if (!support(space, Executor::Host).served) out.push_back({host, one});
  out.push_back({message_space(executor, setup.halo != HaloPath::Staged), halo_bytes(setup.part)});
  if (!setup.options.seconds)
    for (const Demand& demand : demands_of_sweeps(setup, setup.options.iterations)) out.push_back(demand);
  if (setup.options.save_field) out.push_back({host, one});
  return out;
}

}  // namespace memstencil::himeno
