// What the tests of the model have in common.
#pragma once

#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/prediction.hpp"

#include <gtest/gtest.h>

#include <string>

namespace memstencil::model {

/// Every bandwidth 100 GB/s, every cost a nanosecond a byte: times that are computed by hand.
inline MachineRates round_rates() {
  MachineRates rates = assumed_rates();
  for (auto& [rate, figure] : rates.rates) figure.value = 100 * giga;
  for (auto& [act, figure] : rates.costs) figure.value = 1.0 / giga;
  return rates;
}

/// Seconds of a phase, which must be there.
inline double phase(const Prediction& prediction, const std::string& name) {
  for (const PhasePrediction& each : prediction.phases)
    if (each.phase == name) return each.time.total();
  ADD_FAILURE() << "no phase " << name;
  return 0.0;
}

/// predicted / wanted - 1 within the bound.
inline void expect_within(double bound, double predicted, double wanted) {
  EXPECT_NEAR(predicted / wanted, 1.0, bound) << predicted << " for " << wanted;
}

}  // namespace memstencil::model
