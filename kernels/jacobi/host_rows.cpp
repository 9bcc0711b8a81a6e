// The SIMD loop over k of one row, with cached or streaming stores.
#include "kernels/jacobi/host_rows.hpp"

#include <cstddef>
#include <cstring>

#include "kernels/jacobi/stencil.hpp"

namespace memstencil::jacobi {
namespace {

constexpr int line_floats = line_bytes / static_cast<int>(sizeof(float));

MEMSTENCIL_FUNCTION Neighbours neighbours_at(const float* const p[3][3], std::int64_t k) {
  Neighbours n;
  n.ooo = p[1][1][k];
  n.poo = p[2][1][k];
  n.opo = p[1][2][k];
  n.oop = p[1][1][k + 1];
  n.moo = p[0][1][k];
  n.omo = p[1][0][k];
  n.oom = p[1][1][k - 1];
  n.ppo = p[2][2][k];
  n.pmo = p[2][0][k];
  n.mpo = p[0][2][k];
  n.mmo = p[0][0][k];
  n.opp = p[1][2][k + 1];
  n.omp = p[1][0][k + 1];
  n.opm = p[1][2][k - 1];
  n.omm = p[1][0][k - 1];
  n.pop = p[2][1][k + 1];
  n.mop = p[0][1][k + 1];
  n.pom = p[2][1][k - 1];
  n.mom = p[0][1][k - 1];
  return n;
}

constexpr int group_floats = coefficient_count * packed_points;  // from one group of points on

// The coefficients of sixteen points, by lane. Packed ones are brought side by side first.
template <Layout layout>
struct LineCoefficients {
  const Coefficients& row;
  std::int64_t first;

  MEMSTENCIL_FUNCTION PointCoefficients operator[](int l) const {
    return coefficients_at<layout>(row, first + l);
  }
};
template <>
struct LineCoefficients<Layout::Packed> {
  alignas(64) float lanes[coefficient_count][line_floats];

  MEMSTENCIL_FUNCTION PointCoefficients operator[](int l) const {
    return {lanes[0][l], lanes[1][l], lanes[2][l], lanes[3][l], lanes[4][l],  lanes[5][l],
            lanes[6][l], lanes[7][l], lanes[8][l], lanes[9][l], lanes[10][l], lanes[11][l]};
  }
};

// Four groups of packed coefficients as lines of sixteen points, one for each coefficient. By hand,
// because compilers make loads of single floats of it, or stores that a wider load has to wait for.
MEMSTENCIL_FUNCTION void unpack(const float* groups,
                                float (&lanes)[coefficient_count][line_floats]) {
  static_assert(line_floats == 4 * packed_points);
#if defined(__AVX512F__)
  // A line of memory has four points of four coefficients: a transpose of 4 x 4 quarters. (With the
  // form without a mask, GCC 12 warns of its own header.)
  constexpr __mmask16 all = 0xFFFF;
  for (int a = 0; a < coefficient_count; a += 4) {
    __m512 group[4], pair[4];
    for (int n = 0; n < 4; ++n)
      group[n] = _mm512_loadu_ps(groups + n * group_floats + a * packed_points);
    for (int n = 0; n < 4; n += 2) {
      pair[n] =
          _mm512_maskz_shuffle_f32x4(all, group[n], group[n + 1], 0x44);  // of coefficients a, a+1
      pair[n + 1] = _mm512_maskz_shuffle_f32x4(all, group[n], group[n + 1], 0xEE);  // of a+2, a+3
    }
    for (int n = 0; n < 2; ++n) {
      _mm512_storeu_ps(lanes[a + 2 * n],
                       _mm512_maskz_shuffle_f32x4(all, pair[n], pair[n + 2], 0x88));
      _mm512_storeu_ps(lanes[a + 2 * n + 1],
                       _mm512_maskz_shuffle_f32x4(all, pair[n], pair[n + 2], 0xDD));
    }
  }
#else
  for (int a = 0; a < coefficient_count; ++a) {
    const float* const part = groups + a * packed_points;
#if defined(__AVX__)
    for (int n = 0; n < 4; n += 2)
      _mm256_storeu_ps(
          lanes[a] + n * packed_points,
          _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(part + n * group_floats)),
                               _mm_loadu_ps(part + (n + 1) * group_floats), 1));
#else
    for (int n = 0; n < 4; ++n)
      std::memcpy(lanes[a] + n * packed_points, part + n * group_floats,
                  packed_points * sizeof(float));
#endif
  }
#endif
}

// Of a line that starts where a group does.
template <Layout layout>
MEMSTENCIL_FUNCTION LineCoefficients<layout> whole_groups(const Coefficients& row,
                                                          std::int64_t first) {
  if constexpr (layout == Layout::Packed) {
    LineCoefficients<layout> out;
    unpack(row.a0 + first * coefficient_count, out.lanes);
    return out;
  } else {
    return {row, first};
  }
}

// Lines of sixteen points moved on by `past` points, into a fifth group.
MEMSTENCIL_FUNCTION void move_on(const float* fifth, std::int64_t past,
                                 float (&lanes)[coefficient_count][line_floats]) {
#if defined(__AVX512F__)
  const __m512i from =
      _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                       _mm512_set1_epi32(static_cast<int>(past)));
  for (int a = 0; a < coefficient_count; ++a)
    _mm512_storeu_ps(
        lanes[a],
        _mm512_permutex2var_ps(_mm512_loadu_ps(lanes[a]), from,
                               _mm512_castps128_ps512(_mm_loadu_ps(fifth + a * packed_points))));
#else
  for (int a = 0; a < coefficient_count; ++a) {
    float points[line_floats + packed_points];
    std::memcpy(points, lanes[a], line_floats * sizeof(float));
    std::memcpy(points + line_floats, fifth + a * packed_points, packed_points * sizeof(float));
    std::memcpy(lanes[a], points + past, line_floats * sizeof(float));
  }
#endif
}

// Of any sixteen points: they may begin inside a group, and then touch five.
template <Layout layout>
MEMSTENCIL_FUNCTION LineCoefficients<layout> any_points(const Coefficients& row,
                                                        std::int64_t first) {
  if constexpr (layout == Layout::Packed) {
    const std::int64_t past = first % packed_points;
    const float* const groups = row.a0 + (first - past) * coefficient_count;
    LineCoefficients<layout> out;
    unpack(groups, out.lanes);
    move_on(groups + (past == 0 ? 3 : 4) * group_floats, past, out.lanes);
    return out;
  } else {
    return {row, first};
  }
}

// Sums of squares by lane, so that no line needs a horizontal sum; the order of additions depends
// on the row alone, not on threads.
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

// The points k .. k+15 into `line`.
template <bool counted, Layout layout>
MEMSTENCIL_FUNCTION void update_line(const RowInputs& in, const LineCoefficients<layout>& of_line,
                                     std::int64_t k, float* __restrict line, LaneSums& sums) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l) {
    const Neighbours n = neighbours_at(in.p, k + l);
    const float ss = residual(n, of_line[l]);
    line[l] = updated(n.ooo, omega, ss);
    if constexpr (counted) sums.lane[l] += squared(ss);
  }
}

template <Stores stores>
MEMSTENCIL_FUNCTION void store_line(float* to, const float* line) {
  if constexpr (stores == Stores::Streaming)
    stream_line(to, line);
  else
    std::memcpy(to, line, line_floats * sizeof(float));
}

// The lanes [from, to) of a line; the compiler makes one masked store of it where there is one.
MEMSTENCIL_FUNCTION void store_lanes(float* __restrict to, const float* __restrict line, int from,
                                     int end) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l)
    if (l >= from && l < end) to[l] = line[l];
}

// The lines of the streams that the line of element k stands for. Into the second-level cache: the
// first level is too small for 13 streams this far ahead.
template <Layout layout>
MEMSTENCIL_FUNCTION void fetch_lines(Prefetch streams, std::int64_t k) {
  constexpr std::int64_t floats = layout == Layout::Packed ? coefficient_count : 1;  // of a point
  for (std::size_t n = 0; n < streams.size(); ++n)
    __builtin_prefetch(streams[n] + (n < coefficient_count ? floats * k : k), 0, 2);
}

// First k >= lo at which `next` starts a cache line.
std::int64_t first_line(const float* next, std::int64_t lo) {
  const std::size_t past =
      reinterpret_cast<std::uintptr_t>(next + lo) / sizeof(float) % line_floats;
  return past == 0 ? lo : lo + line_floats - static_cast<std::int64_t>(past);
}

// Fewer than 16 points: the loop over lines would read outside the row.
template <Layout layout, bool counted>
double update_few(const RowInputs& in, float* next, Span span) {
  double sum = 0.0;
  for (std::int64_t k = span.lo; k < span.hi; ++k) {
    const Neighbours n = neighbours_at(in.p, k);
    const float ss = residual(n, coefficients_at<layout>(in.coefficients, k));
    next[k] = updated(n.ooo, omega, ss);
    if constexpr (counted) sum += squared(ss);
  }
  return sum;
}

// The points [lo, hi) of one cache line of `next`, fewer than the line has, by the 16 lanes
// from `base`, which overlap it. Where the line's other points may be copied from p, it
// leaves as a whole: a line written in part has to be read first, and the wait for it is
// longer than a row's update.
template <Layout layout, Stores stores, bool counted>
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
    update_line<counted>(in, any_points<layout>(in.coefficients, base), base, at_base, lanes);
    for (std::int64_t k = start; k < part.lo; ++k) line[k - start] = in.p[1][1][k];
    for (std::int64_t k = part.hi; k < start + line_floats; ++k) line[k - start] = in.p[1][1][k];
    stream_line(next + start, line);
  } else {
    update_line<counted>(in, any_points<layout>(in.coefficients, base), base, lines, lanes);
    store_lanes(next + base, lines, from, to);
  }
  if constexpr (counted) sums.add(lanes, from, to);
}

// Whole cache lines of `next`, and what is left before the first and after the last.
template <Layout layout, Stores stores, bool counted>
double update_span(const RowInputs& in, float* __restrict next, Span span, Span copyable,
                   Prefetch prefetch) {
  const std::int64_t first = first_line(next, span.lo);
  // Rows of the new p start on a cache line; for others this is right, and slow.
  const bool apart = layout == Layout::Packed && first % packed_points != 0;
  if (span.hi - span.lo < line_floats || apart) return update_few<layout, counted>(in, next, span);
  LaneSums sums;
  std::int64_t k = first;
  for (; k + line_floats <= span.hi; k += line_floats) {
    fetch_lines<layout>(prefetch, k);
    alignas(64) float line[line_floats];
    update_line<counted>(in, whole_groups<layout>(in.coefficients, k), k, line, sums);
    store_line<stores>(next + k, line);
  }
  if (span.lo < first)
    update_part<layout, stores, counted>(in, next, span.lo, {span.lo, first}, copyable, sums);
  if (k < span.hi)
    update_part<layout, stores, counted>(in, next, span.hi - line_floats, {k, span.hi}, copyable,
                                         sums);
  return sums.total();
}

template <Layout layout, Stores stores>
double update_row(const RowInputs& in, float* next, Span all, Span counted, Span copyable,
                  Prefetch prefetch) {
  if (counted.hi <= counted.lo)
    return update_span<layout, stores, false>(in, next, all, copyable, prefetch);
  if (all.lo == counted.lo && all.hi == counted.hi)
    return update_span<layout, stores, true>(in, next, all, copyable, prefetch);
  // Halo points: the lines at the ends of the counted points hold them too, and stay as they are.
  update_span<layout, stores, false>(in, next, {all.lo, counted.lo}, {}, prefetch);
  const double sum = update_span<layout, stores, true>(in, next, counted, {}, prefetch);
  update_span<layout, stores, false>(in, next, {counted.hi, all.hi}, {}, prefetch);
  return sum;
}

}  // namespace

Coefficients at_row(const Coefficients& c, std::size_t offset) {
  const std::size_t o = coefficient_offset(c.layout, offset);
  return {c.a0 + o, c.a1 + o, c.a2 + o, c.a3 + o,   c.b0 + o,  c.b1 + o, c.b2 + o,
          c.c0 + o, c.c1 + o, c.c2 + o, c.wrk1 + o, c.bnd + o, c.layout};
}

RowInputs row_inputs(const Grid& grid, const Coefficients& c, const float* p, std::int64_t i,
                     std::int64_t j) {
  RowInputs in{};
  for (int di = 0; di < 3; ++di)
    for (int dj = 0; dj < 3; ++dj) in.p[di][dj] = p + grid.row(i + di - 1, j + dj - 1);
  in.coefficients = at_row(c, grid.row(i, j));
  return in;
}

MemoryStreams ahead_of(const RowInputs& in, std::int64_t distance) {
  const Coefficients& c = in.coefficients;
  const std::int64_t d = distance;
  if (c.layout == Layout::Packed) {
    MemoryStreams out;
    for (int n = 0; n < coefficient_count; ++n)
      out[static_cast<std::size_t>(n)] = c.a0 + coefficient_count * d + n * line_floats;
    out.back() = in.p[2][2] + d;
    return out;
  }
  return {c.a0 + d, c.a1 + d, c.a2 + d, c.a3 + d,   c.b0 + d,  c.b1 + d,      c.b2 + d,
          c.c0 + d, c.c1 + d, c.c2 + d, c.wrk1 + d, c.bnd + d, in.p[2][2] + d};
}

Span copyable_points(const Grid& grid) {
  return {grid.owned.lo[2] == grid.interior.lo[2] ? 0 : grid.owned.lo[2],
          grid.owned.hi[2] == grid.interior.hi[2] ? grid.pitch : grid.owned.hi[2]};
}

double update_row(const RowInputs& in, float* next, Span all, Span counted, Stores stores,
                  Span copyable, Prefetch prefetch) {
  const auto update = [&]<Layout layout> {
    return stores == Stores::Streaming
               ? update_row<layout, Stores::Streaming>(in, next, all, counted, copyable, prefetch)
               : update_row<layout, Stores::Cached>(in, next, all, counted, copyable, prefetch);
  };
  return in.coefficients.layout == Layout::Packed ? update.operator()<Layout::Packed>()
                                                  : update.operator()<Layout::Arrays>();
}

}  // namespace memstencil::jacobi
