// Statistics of raw samples: the middle, the spread, and how sure the mean is.
#include "app/base/record/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace memstencil {

namespace {

/// P(|T| <= t): the finite trigonometric series for a whole number of degrees of freedom
/// (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double central_probability(double t, std::size_t freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1.0;
  double sum = freedom == 1 ? 0.0 : term;
  for (std::size_t k = odd ? 3 : 2; k + 1 < freedom; k += 2) {
    term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
    sum += term;
  }
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

std::vector<double> kept_samples(std::span<const double> samples) {
  const std::size_t step = samples.size() / (most_kept_samples + 1) + 1;
  std::vector<double> kept;
  kept.reserve(samples.size() / step + 1);
  for (std::size_t n = 0; n < samples.size(); n += step) kept.push_back(samples[n]);
  return kept;
}

double student_t_95(std::size_t freedom) {
  constexpr std::size_t nearly_normal = 10'000;
  if (freedom >= nearly_normal) {
    // The normal quantile and its first corrections (Abramowitz and Stegun, 26.7.5), which here
    // leave an error of some 1e-12; the series above would only cost time.
    constexpr double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z;
    const double n = static_cast<double>(freedom);
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n);
  }
  double low = 0, high = 13;
  for (int step = 0; step < 60; ++step) {
    const double middle = std::midpoint(low, high);
    (central_probability(middle, freedom) < 0.95 ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

Statistics statistics(std::span<const double> samples, std::size_t measured) {
  if (samples.empty()) throw std::invalid_argument("statistics of no samples");
  if (!std::all_of(samples.begin(), samples.end(), [](double x) { return std::isfinite(x); }))
    throw std::invalid_argument("statistics of samples that are not finite");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  Statistics out;
  out.count = sorted.size();
  out.minimum = sorted.front();
  out.median = std::midpoint(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
  out.maximum = sorted.back();
  const double count = static_cast<double>(out.count);
  out.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
  double half_width = 0;
  if (measured > 1) {
    double squares = 0;
    for (double x : sorted) squares += (x - out.mean) * (x - out.mean);
    const auto own = static_cast<double>(measured);
    const double deviation = std::sqrt(squares * (own / count) / (own - 1));  // the sample's
    half_width = student_t_95(measured - 1) * deviation / std::sqrt(own);
  }
  out.confidence_low = out.mean - half_width;
  out.confidence_high = out.mean + half_width;
  if (out.mean != 0) out.relative_half_width = half_width / std::abs(out.mean);
  return out;
}

void Spread::describe(Archive& a) const {
  a("min", minimum);
  a("median", median);
  a("max", maximum);
}

}  // namespace memstencil
