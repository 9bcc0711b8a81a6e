// Linear least squares: which coefficients of given terms explain a set of points best, and how
// well.
#pragma once

#include <vector>

namespace memstencil::membench {

/// y ~ sum of coefficients[t] * term t. The unit of residuals is y's.
struct Fit {
  std::vector<double> coefficients;
  double r_squared = 0;  ///< 1 - residual / total sum of squares about the mean
  double rms_residual = 0;
  double largest_residual = 0;          ///< the one of largest magnitude, with its sign
  double median_relative_residual = 0;  ///< |residual| / |y|
};

/// `terms`: one column a term, each with the value of the term at every point; a column of ones is
/// a constant. By orthogonal columns (modified Gram-Schmidt), which keeps the digits that normal
/// equations lose.
/// @throws std::invalid_argument for fewer points than terms, columns of different length, or terms
///   that depend on each other
Fit least_squares(const std::vector<std::vector<double>>& terms, const std::vector<double>& y);

}  // namespace memstencil::membench
