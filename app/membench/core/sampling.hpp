// How sure a median of samples is that need not be independent, and when to stop sampling.
#pragma once

#include "app/membench/core/probe.hpp"

#include <string>

namespace memstencil::membench {

/// Half of the 95 % interval of the mean, over the mean. Samples of one experiment may drift or
/// follow each other: their lag-1 correlation r makes n samples worth n (1 - r) / (1 + r). From
/// three experiments on, the interval is at least that of the experiments' means.
double relative_half_width(const Series& series);

/// "met", or what the interval was when the limit was reached; empty: take more.
std::string reason_to_stop(const Sampling& rule, const Series& series);

}  // namespace memstencil::membench
