// The parts of a text report that all grid codes have.
#pragma once

#include "app/base/record/text_report.hpp"
#include "app/grid/record.hpp"

namespace memstencil {

/// The unit of a report's rates.
struct RateUnit {
  const char* name;  ///< "MFLOPS"
  double of_mflops;
  double bytes_of_point;
};

/// An option as the result has it; empty where it has none.
std::string option(const ApplicationResult& result, const char* name);

/// Who computes what where. Then a code has lines of its own.
Lines head_lines(const char* program, const GridResult& result);
/// Phases, sweeps, pages, staging, exchanges.
Lines time_lines(const GridResult& result);
Lines rate_lines(const GridResult& result, const RateUnit& unit, std::size_t repeats);
/// Bandwidth, limit, repeats, energy, and that the result is verified.
template <class Result>
Lines rate_lines(const Result& result, const RateUnit& unit) {
  return rate_lines(result, unit, result.repeats ? result.repeats->size() : 1);
}

}  // namespace memstencil
