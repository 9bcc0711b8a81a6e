// Linear least squares by Householder reflections, which keep the digits
// that normal equations lose.
#include "app/membench/hierarchy/least_squares.hpp"

#include "app/common/runtime/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace memstencil::membench {

namespace {

using Column = std::vector<double>;

double dot(const Column& a, const Column& b, std::size_t from) {
  return std::inner_product(a.begin() + static_cast<std::ptrdiff_t>(from), a.end(),
                            b.begin() + static_cast<std::ptrdiff_t>(from), 0.0);
}

/// Reflects all columns from k on, and y, so that column k becomes zero below the diagonal.
/// @throws std::invalid_argument where nothing of the column is left beside the columns before
void reflect(std::vector<Column>& columns, Column& y, std::size_t k) {
  Column v = columns[k];
  const double whole = std::sqrt(dot(columns[k], columns[k], 0));
  const double rest = std::sqrt(dot(v, v, k));
  if (!(rest > 1e-12 * whole))
    throw std::invalid_argument("least squares: the terms depend on each other");
  v[k] += std::copysign(rest, v[k]);
  const double norm = dot(v, v, k);
  const auto apply = [&](Column& column) {
    const double factor = 2 * dot(v, column, k) / norm;
    for (std::size_t n = k; n < column.size(); ++n) column[n] -= factor * v[n];
  };
  for (std::size_t c = k; c < columns.size(); ++c) apply(columns[c]);
  apply(y);
}

std::vector<double> back_substituted(const std::vector<Column>& columns, const Column& y) {
  std::vector<double> x(columns.size());
  for (std::size_t k = columns.size(); k-- > 0;) {
    double sum = y[k];
    for (std::size_t c = k + 1; c < columns.size(); ++c) sum -= columns[c][k] * x[c];
    x[k] = sum / columns[k][k];
  }
  return x;
}

void add_quality(Fit& fit, const std::vector<std::span<const double>>& terms,
                 std::span<const double> y) {
  const double count = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double residual_squares = 0, total_squares = 0;
  Column relative;
  for (std::size_t n = 0; n < y.size(); ++n) {
    double residual = y[n];
    for (std::size_t t = 0; t < terms.size(); ++t) residual -= fit.coefficients[t] * terms[t][n];
    fit.residuals.push_back(residual);
    residual_squares += residual * residual;
    total_squares += (y[n] - mean) * (y[n] - mean);
    if (std::abs(residual) > std::abs(fit.largest_residual)) fit.largest_residual = residual;
    if (y[n] != 0) relative.push_back(std::abs(residual / y[n]));
  }
  fit.r_squared = total_squares > 0 ? 1 - residual_squares / total_squares : 1;
  fit.rms_residual = std::sqrt(residual_squares / count);
  if (!relative.empty()) fit.median_relative_residual = statistics(relative).median;
}

}  // namespace

Fit least_squares(const std::vector<std::span<const double>>& terms, std::span<const double> y) {
  if (terms.empty() || y.size() < terms.size())
    throw std::invalid_argument("least squares: fewer points than terms");
  std::vector<Column> columns;
  for (const std::span<const double> term : terms) {
    if (term.size() != y.size())
      throw std::invalid_argument("least squares: terms of different length");
    columns.emplace_back(term.begin(), term.end());
  }
  Column right(y.begin(), y.end());
  for (std::size_t k = 0; k < columns.size(); ++k) reflect(columns, right, k);
  Fit fit;
  fit.coefficients = back_substituted(columns, right);
  add_quality(fit, terms, y);
  return fit;
}

}  // namespace memstencil::membench
