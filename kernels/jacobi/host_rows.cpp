// The SIMD loop over k of one row, or of two neighbouring ones, a cache line at a time, with cached
// or streaming stores.
#include "kernels/jacobi/host_rows.hpp"

#include "kernels/jacobi/stencil.hpp"

#include <cstddef>
#include <cstring>

namespace memstencil::jacobi {
namespace {

/// Points of a line: a cache line of one array.
constexpr int line_floats = line_bytes / static_cast<int>(sizeof(float));

/// The points of row `row`, whose neighbours the columns of `p` have.
template <int columns>
MEMSTENCIL_FUNCTION Neighbours neighbours_at(const float* const (&p)[3][columns], int row,
                                             std::int64_t k) {
  return neighbours_of([&](int di, int dj, int dk) { return p[1 + di][row + 1 + dj][k + dk]; });
}

/// Sums of squares by lane, so that no line needs a horizontal sum; the order of additions depends
/// on the row alone, not on threads.
struct LaneSums {
  double lane[line_floats] = {};

  void add(const LaneSums& other, int from, int to) {
#pragma omp simd
    for (int l = 0; l < line_floats; ++l) lane[l] += l >= from && l < to ? other.lane[l] : 0.0;
  }

  double total() const {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int l = 0; l < line_floats; ++l) sum += lane[l];
    return sum;
  }
};

/// A point of a line; the result is p after the sweep.
template <bool counted>
MEMSTENCIL_FUNCTION float update_point(const Neighbours& n, const PointCoefficients& c,
                                       double& sum) {
  const float ss = residual(n, c);
  if constexpr (counted) sum += squared(ss);
  return updated(n.ooo, omega, ss);
}

/// The points k .. k+15 into `line`.
template <bool counted>
MEMSTENCIL_FUNCTION void update_line(const RowInputs& in, std::int64_t k, float* __restrict line,
                                     LaneSums& sums) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l)
    line[l] = update_point<counted>(neighbours_at(in.p, 0, k + l),
                                    coefficients_at<Layout::Arrays>(in.coefficients, k + l),
                                    sums.lane[l]);
}

/// Two rows, and the rows of p around them.
struct RowPair {
  const float* p[3][4];
  const Coefficients* coefficients[2];
};

/// The points k .. k+15 of both: lines of p that both read come from the second-level cache once.
template <bool counted>
MEMSTENCIL_FUNCTION void update_line_pair(const RowPair& in, std::int64_t k, float* __restrict line,
                                          float* __restrict line_above, LaneSums (&sums)[2]) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l) {
    line[l] = update_point<counted>(neighbours_at(in.p, 0, k + l),
                                    coefficients_at<Layout::Arrays>(*in.coefficients[0], k + l),
                                    sums[0].lane[l]);
    line_above[l] = update_point<counted>(
        neighbours_at(in.p, 1, k + l), coefficients_at<Layout::Arrays>(*in.coefficients[1], k + l),
        sums[1].lane[l]);
  }
}

template <Stores stores>
MEMSTENCIL_FUNCTION void store_line(float* to, const float* line) {
  if constexpr (stores == Stores::Streaming)
    stream_line(to, line);
  else
    std::memcpy(to, line, line_floats * sizeof(float));
}

// The lanes [from, to) of a line; the compiler makes one masked store of it if there is one.
MEMSTENCIL_FUNCTION void store_lanes(float* __restrict to, const float* __restrict line, int from,
                                     int end) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l)
    if (l >= from && l < end) to[l] = line[l];
}

// The lines of the streams that the line of element k stands for. Into the second-level cache: the
// first level is too small for 13 streams this far ahead.
MEMSTENCIL_FUNCTION void fetch_lines(const Prefetch& streams, std::int64_t k) {
  for (int row = 0; row < streams.rows; ++row, k += streams.pitch) {
    for (const float* stream : streams.coefficients) __builtin_prefetch(stream + k, 0, 2);
    if (streams.p != nullptr) __builtin_prefetch(streams.p + k, 0, 2);
  }
}

// First k >= lo at which `next` starts a cache line.
std::int64_t first_line(const float* next, std::int64_t lo) {
  const std::size_t past =
      reinterpret_cast<std::uintptr_t>(next + lo) / sizeof(float) % line_floats;
  return past == 0 ? lo : lo + line_floats - static_cast<std::int64_t>(past);
}

// Fewer than 16 points: the loop over lines would read outside the row.
template <bool counted>
double update_few(const RowInputs& in, float* next, Span span) {
  double sum = 0.0;
  for (std::int64_t k = span.lo; k < span.hi; ++k)
    next[k] = update_point<counted>(neighbours_at(in.p, 0, k),
                                    coefficients_at<Layout::Arrays>(in.coefficients, k), sum);
  return sum;
}

// The points [lo, hi) of one cache line of `next`, fewer than the line has, by the 16 lanes
// from `base`, which overlap it. If the line's other points may be copied from p, it
// leaves as a whole: a line written in part has to be read first, and the wait for it is
// longer than a row's update.
template <Stores stores, bool counted>
MEMSTENCIL_FUNCTION void update_part(const RowInputs& in, float* __restrict next, std::int64_t base,
                                     Span part, Span copyable, LaneSums& sums) {
  alignas(64) float lines[2 * line_floats];
  LaneSums lanes;
  const int from = static_cast<int>(part.lo - base);
  const int to = static_cast<int>(part.hi - base);
  const std::int64_t start = first_line(next, part.lo + 1) - line_floats;  // of the line
  if (stores == Stores::Streaming && start >= copyable.lo && start + line_floats <= copyable.hi) {
    // The head's line starts before `base`, the tail's after it: the line is where both leave room.
    float* const line = start < base ? lines : lines + line_floats;
    float* const at_base = line + (base - start);
    update_line<counted>(in, base, at_base, lanes);
    for (std::int64_t k = start; k < part.lo; ++k) line[k - start] = in.p[1][1][k];
    for (std::int64_t k = part.hi; k < start + line_floats; ++k) line[k - start] = in.p[1][1][k];
    stream_line(next + start, line);
  } else {
    update_line<counted>(in, base, lines, lanes);
    store_lanes(next + base, lines, from, to);
  }
  if constexpr (counted) sums.add(lanes, from, to);
}

// What is left of a row before its first whole line, which starts at `first`, and after its last,
// which ends at `end`.
template <Stores stores, bool counted>
MEMSTENCIL_FUNCTION void update_ends(const RowInputs& in, float* __restrict next, Span span,
                                     std::int64_t first, std::int64_t end, Span copyable,
                                     LaneSums& sums) {
  if (span.lo < first)
    update_part<stores, counted>(in, next, span.lo, {span.lo, first}, copyable, sums);
  if (end < span.hi)
    update_part<stores, counted>(in, next, span.hi - line_floats, {end, span.hi}, copyable, sums);
}

bool has_lines(Span span) { return span.hi - span.lo >= line_floats; }

// Whole cache lines of `next`, and what is left before the first and after the last.
template <Stores stores, bool counted>
double update_span(const RowInputs& in, float* __restrict next, Span span, Span copyable,
                   const Prefetch& prefetch) {
  if (!has_lines(span)) return update_few<counted>(in, next, span);
  const std::int64_t first = first_line(next, span.lo);
  LaneSums sums;
  if (span.lo < first) fetch_lines(prefetch, first - line_floats);
  std::int64_t k = first;
  for (; k + line_floats <= span.hi; k += line_floats) {
    fetch_lines(prefetch, k);
    alignas(64) float line[line_floats];
    update_line<counted>(in, k, line, sums);
    store_line<stores>(next + k, line);
  }
  if (k < span.hi) fetch_lines(prefetch, k);
  update_ends<stores, counted>(in, next, span, first, k, copyable, sums);
  return sums.total();
}

template <Stores stores>
double update_row(const RowInputs& in, float* next, Span all, Span counted, Span copyable,
                  const Prefetch& prefetch) {
  if (counted.hi <= counted.lo)
    return update_span<stores, false>(in, next, all, copyable, prefetch);
  if (all.lo == counted.lo && all.hi == counted.hi)
    return update_span<stores, true>(in, next, all, copyable, prefetch);
  // Halo points: the lines at the ends of the counted points hold them too, and stay as they are.
  update_span<stores, false>(in, next, {all.lo, counted.lo}, {}, prefetch);
  const double sum = update_span<stores, true>(in, next, counted, {}, prefetch);
  update_span<stores, false>(in, next, {counted.hi, all.hi}, {}, prefetch);
  return sum;
}

RowPair pair_of(const RowInputs (&in)[2]) {
  RowPair out{{}, {&in[0].coefficients, &in[1].coefficients}};
  for (int di = 0; di < 3; ++di)
    for (int dj = 0; dj < 4; ++dj) out.p[di][dj] = dj < 3 ? in[0].p[di][dj] : in[1].p[di][2];
  return out;
}

// The span of two rows that start at the same place of a line.
template <bool counted>
std::array<double, 2> update_two_spans(const RowInputs (&in)[2], float* __restrict next,
                                       float* __restrict next_above, Span span,
                                       const Prefetch& prefetch) {
  const RowPair pair = pair_of(in);
  const std::int64_t first = first_line(next, span.lo);
  LaneSums sums[2];
  if (span.lo < first) fetch_lines(prefetch, first - line_floats);
  std::int64_t k = first;
  for (; k + line_floats <= span.hi; k += line_floats) {
    fetch_lines(prefetch, k);
    alignas(64) float line[line_floats], line_above[line_floats];
    update_line_pair<counted>(pair, k, line, line_above, sums);
    store_line<Stores::Cached>(next + k, line);
    store_line<Stores::Cached>(next_above + k, line_above);
  }
  if (k < span.hi) fetch_lines(prefetch, k);
  update_ends<Stores::Cached, counted>(in[0], next, span, first, k, {}, sums[0]);
  update_ends<Stores::Cached, counted>(in[1], next_above, span, first, k, {}, sums[1]);
  return {sums[0].total(), sums[1].total()};
}

}  // namespace

Coefficients at_row(const Coefficients& c, std::size_t offset) {
  Coefficients out;  // not a copy of c: a struct copied as a whole is not forwarded to reads here
  for (int a = 0; a < coefficient_count; ++a) out.arrays[a] = c.arrays[a] + offset;
  return out;
}

RowInputs row_inputs(const Grid& grid, const Coefficients& c, const float* p, std::int64_t i,
                     std::int64_t j) {
  RowInputs in{{}, at_row(c, grid.row(i, j))};
  for (int di = 0; di < 3; ++di)
    for (int dj = 0; dj < 3; ++dj) in.p[di][dj] = p + grid.row(i + di - 1, j + dj - 1);
  return in;
}

MemoryStreams ahead_of(const RowInputs& in, std::int64_t distance) {
  return {at_row(in.coefficients, static_cast<std::size_t>(distance)), in.p[2][2] + distance};
}

Span copyable_points(const Grid& grid) {
  return {grid.owned.lo[2] == grid.interior.lo[2] ? 0 : grid.owned.lo[2],
          grid.owned.hi[2] == grid.interior.hi[2] ? grid.pitch : grid.owned.hi[2]};
}

double update_row(const RowInputs& in, float* next, Span all, Span counted, Stores stores,
                  Span copyable, const Prefetch& prefetch) {
  return stores == Stores::Streaming
             ? update_row<Stores::Streaming>(in, next, all, counted, copyable, prefetch)
             : update_row<Stores::Cached>(in, next, all, counted, copyable, prefetch);
}

std::array<double, 2> update_two_rows(const RowInputs (&in)[2], float* const (&next)[2], Span all,
                                      Span counted, const Prefetch& prefetch) {
  const bool none = counted.hi <= counted.lo;
  const bool whole = none || (all.lo == counted.lo && all.hi == counted.hi);
  const bool alike = first_line(next[0], all.lo) == first_line(next[1], all.lo);
  if (!whole || !alike || !has_lines(all))
    return {update_row<Stores::Cached>(in[0], next[0], all, counted, {}, prefetch),
            update_row<Stores::Cached>(in[1], next[1], all, counted, {}, {})};
  return none ? update_two_spans<false>(in, next[0], next[1], all, prefetch)
              : update_two_spans<true>(in, next[0], next[1], all, prefetch);
}

}  // namespace memstencil::jacobi
