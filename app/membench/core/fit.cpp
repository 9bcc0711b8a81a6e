// Linear least squares by orthogonal columns.
#include "app/membench/core/fit.hpp"

#include "app/membench/core/probe.hpp"

#include <numeric>
#include <stdexcept>

namespace memstencil::membench {

namespace {

using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(Column& from, double factor, const Column& column) {
  for (std::size_t n = 0; n < from.size(); ++n) from[n] -= factor * column[n];
}

void add_quality(Fit& fit, const std::vector<Column>& terms, const Column& y) {
  const double count = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double residual_squares = 0, total_squares = 0;
  Column relative;
  for (std::size_t n = 0; n < y.size(); ++n) {
    double residual = y[n];
    for (std::size_t t = 0; t < terms.size(); ++t) residual -= fit.coefficients[t] * terms[t][n];
    residual_squares += residual * residual;
    total_squares += (y[n] - mean) * (y[n] - mean);
    if (std::abs(residual) > std::abs(fit.largest_residual)) fit.largest_residual = residual;
    if (y[n] != 0) relative.push_back(std::abs(residual / y[n]));
  }
  fit.r_squared = total_squares > 0 ? 1 - residual_squares / total_squares : 1;
  fit.rms_residual = std::sqrt(residual_squares / count);
  fit.median_relative_residual = median(relative);
}

}  // namespace

Fit least_squares(const std::vector<Column>& terms, const Column& y) {
  if (terms.empty() || y.size() < terms.size())
    throw std::invalid_argument("least squares: fewer points than terms");
  const std::size_t count = terms.size();
  std::vector<Column> q, r(count, Column(count));
  Column rest = y, right(count);
  for (std::size_t t = 0; t < count; ++t) {
    if (terms[t].size() != y.size())
      throw std::invalid_argument("least squares: terms of different length");
    Column column = terms[t];
    for (int again = 0; again < 2; ++again)  // twice is enough for orthogonal columns
      for (std::size_t k = 0; k < t; ++k) {
        const double part = dot(q[k], column);
        r[k][t] += part;
        subtract(column, part, q[k]);
      }
    r[t][t] = std::sqrt(dot(column, column));
    if (!(r[t][t] > 1e-12 * std::sqrt(dot(terms[t], terms[t]))))
      throw std::invalid_argument("least squares: the terms depend on each other");
    for (double& value : column) value /= r[t][t];
    right[t] = dot(column, rest);
    subtract(rest, right[t], column);
    q.push_back(std::move(column));
  }
  Fit fit;
  fit.coefficients.resize(count);
  for (std::size_t t = count; t-- > 0;) {
    double sum = right[t];
    for (std::size_t c = t + 1; c < count; ++c) sum -= r[t][c] * fit.coefficients[c];
    fit.coefficients[t] = sum / r[t][t];
  }
  add_quality(fit, terms, y);
  return fit;
}

}  // namespace memstencil::membench
