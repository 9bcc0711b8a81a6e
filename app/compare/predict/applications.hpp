// The model of the applications, from a machine's rates: the time of each phase by cause, of each
// sweep of himeno and heat, and of each iteration of transpose; and measured runs next to it.
#pragma once

#include "app/compare/predict/rates.hpp"

#include <fmt/ranges.h>

#include <functional>

namespace memstencil::compare::model {

/// The causes that time is counted under.
enum class Cause {
  HostMemory,
  DeviceMemory,
  Link,
  Migration,
  FirstTouch,
  Allocation,
  Launch,
  Messages  ///< between ranks, beyond what sweeps hide
};
inline constexpr std::array cause_names{"host memory", "device memory", "link",   "migration",
                                        "first touch", "allocation",    "launch", "messages"};
inline constexpr auto all_causes = kinds<Cause>(cause_names);
inline std::string name(Cause cause) { return cause_names.at(static_cast<std::size_t>(cause)); }

using TimeByCause = Sums<Cause, all_causes.size()>;

/// The steps of a run in their order. Those that are alike and follow each other are kept once,
/// since a run may have 10^9 of them.
class Steps {
public:
  Steps() = default;
  Steps(const TimeByCause& once) { add(once); }

  void add(const TimeByCause& step, std::int64_t count = 1) {
    size_ += count;
    if (!alike_.empty() && alike_.back().step == step)
      alike_.back().count += count;
    else if (count > 0)
      alike_.push_back({step, count});
  }

  std::int64_t size() const { return size_; }
  const TimeByCause& back() const { return alike_.back().step; }
  const TimeByCause& operator[](std::int64_t n) const {
    auto each = alike_.begin();
    for (; n >= each->count; ++each) n -= each->count;
    return each->step;
  }
  TimeByCause sum() const {
    TimeByCause sum;
    for (const Alike& each : alike_) sum += each.step * static_cast<double>(each.count);
    return sum;
  }
  double median() const {
    Steps sorted = *this;
    std::ranges::sort(sorted.alike_, {}, [](const Alike& each) { return each.step.total(); });
    return std::midpoint(sorted[(size() - 1) / 2].total(), sorted[size() / 2].total());
  }

private:
  struct Alike {
    TimeByCause step;
    std::int64_t count;
  };
  std::vector<Alike> alike_;
  std::int64_t size_ = 0;
};

struct Phase {
  std::string name;
  TimeByCause time = {};
  std::string missing = {};  ///< the figure without which it is not predicted

  bool is_steps() const { return name == "sweeps" || name == "transpose"; }
};

struct Prediction {
  std::vector<Phase> phases = {};  ///< in the order in which they run
  Steps steps = {};                ///< none if a figure is missing
  double bytes = 0;                ///< of all arrays

  /// Of all phases that are predicted.
  TimeByCause time() const {
    TimeByCause sum;
    for (const Phase& each : phases) sum += each.time;
    return sum;
  }
  /// The figures that are missing; empty: the run is predicted.
  std::set<std::string> missing() const {
    std::set<std::string> names;
    for (const Phase& each : phases)
      if (!each.missing.empty()) names.insert(each.missing);
    return names;
  }
  /// The same as a text.
  std::string why_not() const { return fmt::format("{}", fmt::join(missing(), "; ")); }
};

/// Where the arrays of a run lie, who wrote them first, and whether they are prefetched to the GPU:
/// before its own first touch, or after the host's.
struct Placement {
  MemorySpace space = MemorySpace::Device;
  bool filled_by_host = false;
  bool prefetch = false;  ///< of memory that migrates, no other
  int host_threads = 16;
  bool registered = false;  ///< host-pinned memory: pages of the host that were registered
};

enum class AccessPath {
  Near,      ///< in the GPU's memory, or brought there before it starts
  Link,      ///< over the link, at every access
  Faults,    ///< pages move to the GPU when it first touches them
  Counters,  ///< over the link, until access counters have moved it
};
AccessPath access_path(const Placement& placement, const Translation& translation);

/// Can a GPU with such address translation compute on the space?
bool gpu_reaches(MemorySpace space, const Translation& translation);

/// The pages of a run's arrays, step by step. Under access counters they move to the GPU while its
/// steps read them over the link.
class Pages {
public:
  Pages(const Placement& placement, double bytes, const MachineRates& rates);

  AccessPath path() const { return path_; }
  /// The fraction of the arrays that is read over the link.
  double far() const { return path_ == AccessPath::Link ? 1 : stays_far_ + to_move_ / bytes_; }
  /// Does the next step begin with faults? The first one; where the GPU's memory is too small each,
  /// since by the time a page is needed again it has been the one longest unused.
  bool fault() const { return thrash_ || (first_ && path_ == AccessPath::Faults); }
  bool thrash() const { return thrash_; }
  /// Goes on by equal steps of `seconds` seconds each. At most a thousandth of the arrays moves in
  /// a call, if it has several steps: a run may have 10^9 of them.
  /// @returns the number of steps: 1 to `most`, at first 1
  std::int64_t move(double seconds, std::int64_t most);

private:
  AccessPath path_;
  bool thrash_ = false, first_ = true;
  double bytes_;
  double stays_far_ = 0;  ///< fraction of the arrays that the GPU's memory cannot hold
  double to_move_ = 0;    ///< bytes
  double rate_ = 0;       ///< bytes a second
};

/// The arrays of a run, as the phases before and after the steps see them.
struct Arrays {
  int count = 1;
  double bytes = 0;       ///< of all
  double largest = 0;     ///< of one: the buffer through which they pass has its size, and the host
                          ///< reads so much at the end
  int ranks_of_node = 1;  ///< which allocate and free theirs at the same time
};
/// A phase, and the action that predicts it. @throws Missing
using Timed = std::pair<const char*, std::function<Steps()>>;
/// The phases of a run: allocate, initialise, upload; those of its steps; download, free. A figure
/// that is missing stands in its phase.
Prediction whole_run(const Arrays& arrays, const Placement& placement, const MachineRates& rates,
                     const std::vector<Timed>& steps);

/// A run of a grid code, as far as its time depends on it.
struct GridCase : Placement {
  Application stencil = himeno;
  Triple extents{};  ///< of the whole grid's arrays, I x J x K
  std::int64_t iterations = 1;
  std::int64_t warm_up = 0;           ///< sweeps before the timed ones, in whole passes
  int fused = 1;                      ///< sweeps a pass
  bool packed = false;                ///< the coefficients are in one array
  std::int64_t step_planes = 64;      ///< that arrive at a time in streamed passes
  std::array<int, 3> ranks{1, 1, 1};  ///< between which messages go
  int of_node = 1;                    ///< ranks of a node
  std::string path = {};              ///< of the messages: "nccl", ...; empty: any

  /// Extents of the largest rank's arrays, its boundary included, as if they were of a grid of
  /// their own.
  Triple part() const;
  double points() const;       ///< of that part, which a sweep updates
  double flops() const;        ///< of a sweep of the whole grid, as the program counts them
  double array_bytes() const;  ///< of one of its arrays, the rows padded
  double bytes() const { return stencil.arrays() * array_bytes(); }
};
/// "single", "temporal:3"
inline std::string sweep_name(int fused) {
  return fused == 1 ? "single" : "temporal:" + std::to_string(fused);
}
/// The time of each sweep, as docs/model.md has it; a pass counts evenly for the sweeps it fuses.
/// @throws Missing
Steps predict_sweeps(const GridCase& run, const MachineRates& rates);

/// The fraction of a fused pass after which messages leave, since points at other ranks are made
/// first; 1 where they are not: with neighbours in k.
double edges_share(const GridCase& run, const MachineRates& rates);

/// All phases of the largest rank.
Prediction predict(const GridCase& run, const MachineRates& rates);

/// Seconds of a pass of the rank that takes longest.
struct PassOnRanks {
  double sweeps = 0;    ///< its points, with nothing beside
  double messages = 0;  ///< its halo, alone
  double total = 0;     ///< together, as far as sweeps hide messages
};

/// Ranks count with k fastest, and a node has `of_node` that follow each other: so neighbours in k
/// are the closest.
/// @throws Missing
PassOnRanks pass_on_ranks(const GridCase& run, const MachineRates& rates);

/// The run on so many ranks, divided so that its pass is the shortest; nothing if its grid is too
/// small.
/// @throws Missing
std::optional<GridCase> best_decomposition(const GridCase& run, int ranks,
                                           const MachineRates& rates);

/// The bytes that an iteration of a variant moves.
struct TransposeVariant {
  std::string name;     ///< as --variant names it
  double link_bytes;    ///< over the link, where the matrices lie behind one: whole sectors
  double memory_bytes;  ///< read and written
};

/// A run of one shape on one rank.
struct TransposeCase : Placement {
  double a_bytes = 0, b_bytes = 0;  ///< of the matrices' memory
  double element_bytes = 4;
  std::int64_t iterations = 1;
  std::vector<TransposeVariant> variants = {};  ///< each makes all iterations, one after the other

  double bytes() const { return a_bytes + b_bytes; }
};

/// All phases; docs/lab/transpose.md has the parts of the copy bandwidth that variants reach.
Prediction predict(const TransposeCase& run, const MachineRates& rates);

}  // namespace memstencil::compare::model

namespace memstencil::compare {

/// Where the arrays of a recorded run lie.
model::Placement placement_of(const Record& record);
/// The run of a grid code.
model::GridCase grid_case_of(const Record& record);
/// The run of this record on one GPU or several, measured or not: of a transpose with all its
/// variants.
/// @throws Failure(Other) if a member that is needed is missing
model::Prediction predict_run(const Record& record, const model::MachineRates& rates);

/// The same of a measured run. What no rate could predict has one phase, which says why.
model::Prediction predict(const Sample& sample, const model::MachineRates& rates);

using ProbedRates = std::map<std::string, model::MachineRates>;
/// By the rates of its GPU: membench's, and what these leave open from the side's description.
/// @param probed of the side's runs
model::Prediction predict(const Side& side, const ProbedRates& probed, const Sample& sample);

/// The speed of the sweeps, in the unit of the sample; nothing if they are not predicted.
std::optional<double> predicted_rate(const model::Prediction& prediction, const Sample& sample);

/// [{side, case, predicted, measured, error, causes, not_predicted, ...}] of the sides that
/// membench has measured, a row a case.
Record model_rows(const std::vector<Side>& sides);

}  // namespace memstencil::compare
