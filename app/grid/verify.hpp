// Verification of what ranks send each other and of the time loop: points 2 to 4 of
// docs/reference/verification.md.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/phases.hpp"
#include "app/grid/cone.hpp"
#include "app/grid/halo.hpp"
#include "app/grid/subdomain.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace memstencil {

/// What a check has to know of a code.
template <class Value>
struct CheckedCode {
  /// Fills an array of the rank's part, halo included, with values of the global index alone.
  std::function<void(std::uint64_t seed, Value* values)> fill;
  /// The values after so many sweeps of those of this seed, at a box of global indices, k fastest:
  /// by an expression that shares no code with the sweeps.
  using Seed = std::optional<std::uint64_t>;  ///< nothing: the values that a run starts from
  std::function<std::vector<Value>(const Seed&, const Box& target, int sweeps)> evaluate;
  bool evaluates_runs = false;  ///< to the bit
};

/// All local points that other ranks own, or that a message brings beside these. Edges and corners
/// are in several of the boxes. Worked out apart from what Halo sends.
std::vector<Box> halo_boxes(const Subdomain& part);

/// The checks of a rank, each collective.
/// @throws CollectiveFailure(Verification) that names rank, slab or point, and sweep
template <class Exec, class Value>
class GridChecks {
public:
  /// @param both_p p, and then the other one. Part, halo and communicator must outlive it.
  GridChecks(const Exec& exec, const Subdomain& part, CheckedCode<Value> code,
             const Halo<Exec, Value>& halo, const std::array<Value*, 2>& both_p,
             const Communicator& communicator)
      : exec_(exec),
        part_(part),
        code_(std::move(code)),
        halo_(halo),
        both_p_(both_p),
        communicator_(communicator) {}

  /// Is p's halo what its owners have? Hashes of all slabs are compared, which go by MPI from host
  /// memory. To be called before anything else is sent that would renew the halo.
  /// @param sweep after which the last messages were sent, for the error
  void messages(std::int64_t sweep) const;

  /// Is p of a small run what the host evaluates at all points? To the bit.
  void small_run(std::int64_t sweeps) const;

  /// Is p what the last pass makes of the other p, which is what p was before it? To the bit.
  /// @param sweep that this pass ended with, for the error
  /// @param again makes it from the other p into p
  void last_pass(std::int64_t sweep, const std::function<void()>& again) const;

  /// Does an exchange bring every point of the halo, and change no other? Both p are filled with
  /// values of the global index, the halo with NaN, and sent on the run's path; for two seeds.
  /// Leaves other values in both p.
  void path() const;

  /// p gets random values, its halo by an exchange on the run's path, and the other p NaN. After
  /// the loop p is compared to the bit with what the host evaluates, at all points of `patches`
  /// (local indices).
  /// @param loop makes that many sweeps, and returns where it left p
  void loop(int sweeps, std::span<const Box> patches,
            const std::function<const Value*()>& loop) const;

private:
  /// Is p at the points of the boxes what the host evaluates?
  void compare(const std::optional<std::uint64_t>& seed, std::span<const Box> boxes, int sweeps,
               const Value* p) const;

  Exec exec_;
  const Subdomain& part_;
  CheckedCode<Value> code_;
  const Halo<Exec, Value>& halo_;
  std::array<Value*, 2> both_p_;
  const Communicator& communicator_;
};

/// Sweeps that the check of the time loop makes: three passes, and the single sweeps that are left
/// over of so many timed ones. The solver needs room for them, too, and for the last pass again.
inline int verified_sweeps(int fused, std::int64_t timed) {
  return 3 * fused + static_cast<int>(timed % fused);
}

/// These checks, in an order in which none renews what a later one looks at. To be called before
/// anything is sent after the timed sweeps. Overwrites both p. Collective.
/// @param work a Work (run.hpp), whose solver has made the sweeps
/// @param before sweeps that p had made when the timed ones began
/// @param slab_planes as for patches()
/// @param own checks p itself, after the last pass was made again and before p is overwritten
/// @throws CollectiveFailure(Verification)
template <class Work, class Value, class Own>
void verify_grid(Work& work, const CheckedCode<Value>& code, std::int64_t before,
                 std::int64_t timed, std::int64_t slab_planes, const Own& own) {
  const Subdomain& part = work.code().plan().part;
  const Communicator& communicator = work.communicator();
  auto& arrays = work.arrays();
  // Of gosa and of times: do sums over the ranks have all of them?
  if (communicator.sum(static_cast<double>(part.grid.owned.points())) !=
      updated_points(part.global))
    throw CollectiveFailure(ExitCode::Verification,
                            "verification failed: the ranks' points do not add up to the grid's");
  const GridChecks<std::decay_t<decltype(work.exec())>, Value> checks(
      work.exec(), part, code, work.halo(), {arrays.p, arrays.p_next}, communicator);
  const int fused = work.code().sweeps_of_pass(), sweeps = verified_sweeps(fused, timed);
  Phases aside({"sweeps", "halo"});
  checks.messages(before + timed);
  checks.last_pass(before + timed, [&] {
    std::swap(arrays.p, arrays.p_next);
    work.solver().run(timed % fused == 0 ? fused : 1, aside);
  });
  checks.small_run(before + timed);
  collectively(communicator, own);
  checks.path();
  const auto loop = [&] {
    work.solver().run(sweeps, aside);
    return arrays.p;
  };
  checks.loop(sweeps, patches(part, slab_planes, sweeps), loop);
}

}  // namespace memstencil
