// The time of the halo of several ranks, by cause.
#include "app/himeno/scaling.hpp"

#include "app/himeno/result.hpp"

#include <algorithm>

namespace memstencil::himeno {

Scaling scaling_of(const RunResult& r) {
  const double halo = r.phases.seconds("halo");
  const double alone = static_cast<double>(r.exchanges) * r.exchange_seconds;
  Scaling out;
  out.exchanges = r.exchanges;
  out.exchange_seconds = r.exchange_seconds;
  out.transfer_seconds = std::min(halo, alone);
  out.waiting_seconds = halo - out.transfer_seconds;
  out.hidden_seconds = r.edges_first ? alone - out.transfer_seconds : 0.0;
  out.edges_first = r.edges_first;
  if (r.edges_share < 1.0) out.edges_share = r.edges_share;
  out.processors = r.processors;
  return out;
}

}  // namespace memstencil::himeno
