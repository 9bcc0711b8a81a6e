// Numbers as a person reads them: with three digits in sentences, with four in tables.
#pragma once

#include <string>

namespace memstencil::compare {

/// "1123", "15.9", "1.50", "0.0300"
std::string three_digits(double value);
/// "0.659 s", "39.3 s", "57.1 ms"
std::string short_seconds(double seconds);
/// "0.360 against 0.513 s": with one unit where it is the same.
std::string both_seconds(double here, double there);
/// "1.96", "15.9", "0.80": two digits behind the point at most.
std::string times_text(double ratio);
/// "7.2 %", "150 %"
std::string percent(double fraction);
/// "1716", "54.83", "0.8491", "1.2e-05"
std::string four_digits(double value);

}  // namespace memstencil::compare
