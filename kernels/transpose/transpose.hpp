// Transposes of matrices in memory: the job, and the variants that can do it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::transpose {

/// B = A^T. Row-major: A(r,c) = a[r * a_pitch + c], rows x columns, both at least 1; B(c,r) =
/// b[c * b_pitch + r]. Pitches in elements, a_pitch >= columns, b_pitch >= rows. a and b do not
/// overlap. The arrays hold their last row's padding too: padding may be read, and is never
/// written.
template <class T>
struct Job {
  const T* a = nullptr;
  T* b = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t a_pitch = 0, b_pitch = 0;
  int tile = 32;  ///< side of the thesis' tiles: 16, as there, or 32, a warp's width
};

/// The fewest bytes that a job reads and writes.
template <class T>
constexpr std::int64_t bytes_moved(const Job<T>& job) {
  return 2 * job.rows * job.columns * static_cast<std::int64_t>(sizeof(T));
}

/// The ways of doing it, each described with its kernel.
enum class Variant {
  Copy,  ///< the yardstick: the same bytes read and written, nothing transposed (B is then rows x
         ///< columns with A's pitch)
  Naive,
  Tiled,
  Padded,
  Diagonal,
  DiagonalConflicts,
  Portable,
  Vendor,
};
/// In the order of the reports.
inline constexpr std::array all_variants{Variant::Copy,     Variant::Naive,
                                         Variant::Tiled,    Variant::Padded,
                                         Variant::Diagonal, Variant::DiagonalConflicts,
                                         Variant::Portable, Variant::Vendor};
/// As the command line names it: "copy", "diagonal-conflicts".
std::string_view name(Variant variant);

/// Why a variant cannot do a job whose tiles are not 32 wide.
inline constexpr std::string_view no_choice_of_tiles = "has no choice of tiles here";

/// Is it one of [ufrgs-thesis], whose tiles are of Job::tile?
constexpr bool has_tiles(Variant variant) {
  return variant >= Variant::Naive && variant <= Variant::DiagonalConflicts;
}

struct OfferedVariant {
  Variant variant;
  std::string why_not;  ///< why it cannot do the job here; empty: it can
};

/// All variants, with the reasons of those that an execution space cannot do the job with. It need
/// not have started. For float and double.
template <class Exec, class T>
std::vector<OfferedVariant> variants_offered(const Job<T>& job);

/// Starts the job in the stream of `exec`, whose fence waits for it.
/// @param variant one that is offered for this job, and that can do it
/// @throws std::invalid_argument for one that the execution space has not; std::runtime_error if
///         a kernel cannot start
template <class Exec, class T>
void run(const Exec& exec, Variant variant, const Job<T>& job);

/// The same for several. Portable on a GPU does all in one kernel, a tile of each in turn: so jobs
/// that write another GPU's memory, and wait for its link, hold up no others.
/// @param jobs most_jobs_together at most
template <class Exec, class T>
void run_together(const Exec& exec, Variant variant, const std::vector<Job<T>>& jobs);
inline constexpr std::size_t most_jobs_together = 32;

}  // namespace memstencil::transpose
