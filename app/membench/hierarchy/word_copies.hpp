// Copies word by word, as the rules of coalescing distinguish them: a part of probe copy.
#pragma once

#include "app/membench/core/measuring.hpp"

namespace memstencil::membench::copy_probe {

/// Measures each case of coalescing::all_cases() on arrays of `bytes` (a multiple of 512, less the
/// rest) in device memory, and verifies every byte.
/// @throws as Run (core/probe.hpp)
void measure_words(std::size_t bytes, Collector& collector);

/// Adds the tables of what measure_words() has measured.
void add_word_tables(ProbeResult& result);

/// Does a measurement come from measure_words()?
bool is_of_words(const Measurement& measurement);

}  // namespace memstencil::membench::copy_probe
