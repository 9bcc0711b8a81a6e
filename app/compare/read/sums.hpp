// Kinds with their names, and seconds by kind: of the parts of a measured run, or of the causes of
// a predicted one.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>

namespace memstencil::compare {

/// All values of an enumeration that has so many names, in their order.
template <class Kind, std::size_t N>
constexpr std::array<Kind, N> kinds(const std::array<const char*, N>&) {
  std::array<Kind, N> all{};
  for (std::size_t n = 0; n < N; ++n) all[n] = static_cast<Kind>(n);
  return all;
}

template <class Kind, std::size_t Kinds>
class Sums {
public:
  Sums() = default;
  Sums(Kind kind, double seconds) { (*this)[kind] = seconds; }

  double& operator[](Kind kind) { return seconds_[static_cast<std::size_t>(kind)]; }
  double operator[](Kind kind) const { return seconds_[static_cast<std::size_t>(kind)]; }
  double total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }
  Sums& operator+=(const Sums& other) {
    for (std::size_t n = 0; n < Kinds; ++n) seconds_[n] += other.seconds_[n];
    return *this;
  }
  friend Sums operator+(Sums a, const Sums& b) { return a += b; }
  friend Sums operator*(Sums all, double factor) {
    for (double& seconds : all.seconds_) seconds *= factor;
    return all;
  }
  bool operator==(const Sums&) const = default;

private:
  std::array<double, Kinds> seconds_{};
};

}  // namespace memstencil::compare
