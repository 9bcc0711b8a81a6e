// How fast a copy runs by who makes it and in whose memory its ends are: the eight patterns of thesis 003.
#pragma once

#include "app/model/machine_rates.hpp"

namespace memstencil::model {

/// Bytes a second, one way, from `source`'s memory to `destination`'s, by kernels or threads of `by`
/// (thesis 003, section 4.2.1), once no page moves any more. A memory serves reads and writes one after
/// the other, a link both ways at once, if not at the sum of their speeds; but a host's cores, which wait for
/// each access, take turns.
double copy_rate(Executor source, Executor destination, Executor by, const MachineRates& rates);

}  // namespace memstencil::model
