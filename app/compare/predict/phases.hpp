// A predicted run: the path by which the GPU reads and writes its arrays, the time of each phase by
// cause, and the time of each step.
#pragma once

#include "app/compare/predict/rates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

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
  void add(const TimeByCause& step, std::int64_t count = 1) {
    if (!alike_.empty() && alike_.back().step == step)
      alike_.back().count += count;
    else if (count > 0)
      alike_.push_back({step, count});
  }

  std::int64_t size() const {
    std::int64_t steps = 0;
    for (const Alike& each : alike_) steps += each.count;
    return steps;
  }
  const TimeByCause& back() const { return alike_.back().step; }
  const TimeByCause& operator[](std::int64_t n) const {
    for (const Alike& each : alike_) {
      if (n < each.count) return each.step;
      n -= each.count;
    }
    throw std::logic_error("a prediction has no such step");
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
};

struct Phase {
  std::string name;
  TimeByCause time = {};
  std::string missing = {};  ///< the figure without which it is not predicted
};

struct Prediction {
  std::vector<Phase> phases = {};  ///< in the order in which they run
  Steps steps = {};                ///< none if a figure is missing

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

/// The phase, or the figure that it lacks.
template <class Of>
Phase phase(const std::string& name, Of of) {
  try {
    return {name, of()};
  } catch (const Missing& missing) {
    return {name, {}, missing.what()};
  }
}

/// Where the arrays of a run lie, who wrote them first, and whether they are prefetched to the GPU:
/// before its own first touch, or after the host's.
struct Placement {
  MemorySpace space = MemorySpace::Device;
  bool filled_by_host = false;
  bool prefetch = false;
  int host_threads = 16;
  bool registered = false;  ///< host-pinned memory: pages of the host that were registered

  /// A prefetch concerns memory that migrates, nothing else.
  bool prefetches() const { return prefetch && home(space) == Home::Migrates; }
  bool prefetches_untouched() const { return prefetches() && !filled_by_host; }
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
  /// Goes on by equal steps of `seconds` seconds and `sweeps` sweeps each. At most a thousandth of
  /// the arrays moves in a call, if it has several steps: a run may have 10^9 of them.
  /// @returns the number of steps: 1 to `most`, at first 1
  std::int64_t move(double seconds, int sweeps, std::int64_t most);

private:
  AccessPath path_;
  bool thrash_, first_ = true;
  double bytes_;
  double stays_far_;  ///< fraction of the arrays that the GPU's memory cannot hold
  double to_move_;    ///< bytes
  double uncounted_;  ///< sweeps until the counters reach their threshold
  double rate_ = 0;   ///< bytes a second
};

/// The arrays of a run, as the phases before and after the steps see them.
struct Arrays {
  int count = 1;
  double bytes = 0;    ///< of all
  double largest = 0;  ///< of one: the buffer through which they pass has its size, and the host
                       ///< reads so much at the end
};
/// A run: allocate, initialise, upload; its steps, by this name, and what follows them; download,
/// free.
/// @throws nothing: a figure that is missing stands in its phase
Prediction whole_run(const Arrays& arrays, const Placement& placement, const MachineRates& rates,
                     const char* name, const std::function<Steps()>& steps,
                     const std::vector<Phase>& after = {});

}  // namespace memstencil::compare::model
