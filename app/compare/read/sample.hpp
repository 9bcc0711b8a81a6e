// One timed thing of one run, and its identity: the sweeps of a grid code, or the iterations of one
// transpose; and the sides of the comparison, with those of their runs by case.
#pragma once

#include "app/base/machine/machine_description.hpp"
#include "app/compare/read/run.hpp"
#include "memory_spaces/memory_space.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <numeric>
#include <set>

namespace memstencil::compare {

/// Keys and values, in the order in which a person reads them.
using Members = std::vector<std::pair<std::string, std::string>>;

/// The identity of what was timed: problem, number of steps, memory. Two runs are one case where
/// these are equal, and labels are equal only then.
struct Case {
  std::string program;
  Members problem;    ///< size, kind of sweep, ranks, ...
  std::string steps;  ///< "x 100", or "for 10 s"
  Members memory;     ///< where arrays lie, who touched them first, hints, pages, threads
  Members settings;   ///< the driver and so on, where the runs of a side differ in it
};

/// The value of a member; empty if there is none.
inline std::string value_of(const Members& members, const std::string& key) {
  const auto found = std::ranges::find(members, key, &Members::value_type::first);
  return found == members.end() ? "" : found->second;
}

/// Settings agree where both name them alike: a side whose runs agree in one does not name it.
inline bool agree(const Members& settings, const Members& others) {
  return std::ranges::all_of(settings, [&](const auto& each) {
    const std::string other = value_of(others, each.first);
    return other.empty() || other == each.second;
  });
}

/// The members but those of these keys.
inline Members without(Members members, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    std::erase_if(members, [&](const auto& each) { return each.first == key; });
  return members;
}

inline constexpr int most_fused = 256;
/// Sweeps a pass: 1 of "single", 3 of "temporal:3", up to most_fused; nothing of other texts.
std::optional<int> fused_of(const std::string& sweep);

/// The members as a person reads them: "temporal:3, layout packed".
std::string joined(const Members& members);
/// "himeno XL (512x512x1024), single": what does not depend on the memory.
std::string problem_label(const Case& of);
/// "managed, filled by host, driver 570.1".
std::string memory_label(const Case& of);
/// All of it: "himeno XL (512x512x1024), single, x 100, in managed, filled by host".
std::string label(const Case& of);

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

/// Seconds by cause. Pace: the steps at their median. Beyond: what they took more.
enum class Part { Allocate, Initialise, Upload, PreTouch, Pace, Beyond, Messages, Download, Free };
/// As in the JSON.
inline constexpr std::array part_names{"allocate", "initialise", "upload",   "pre_touch", "steps",
                                       "beyond",   "messages",   "download", "free"};
inline constexpr auto all_parts = kinds<Part>(part_names);
inline std::string name(Part part) { return part_names.at(static_cast<std::size_t>(part)); }

using Seconds = Sums<Part, all_parts.size()>;

/// What is known of a time that was predicted and not measured.
struct Predicted {
  std::array<double, 2> seconds{};        ///< its range, with the ends of all figures
  std::vector<std::string> assumed = {};  ///< figures behind a hundredth of it or more
};

struct Sample {
  const Run* run = nullptr;
  Case what = {};
  std::string step = {};            ///< "sweep", "transpose"
  double bytes = 0;                 ///< of all arrays
  std::int64_t steps = 0;           ///< that ran
  std::vector<double> series = {};  ///< seconds of each step, as far as they were kept
  double all_steps = 0;             ///< seconds
  double median = 0, first = 0;     ///< seconds of a step
  double tail = 0;                  ///< seconds of a step of the second half, at its median
  Seconds once = {};                ///< what does not grow with the steps, and messages of all
  std::string unit = {};            ///< "GFLOPS", "GB/s"
  double speed = 0, bandwidth = 0;  ///< of the steps; GB/s
  std::string limit_kind = {};      ///< "copy", "link", "read stream"; empty: no one memory
  double limit = 0, fraction = 0;   ///< GB/s; bandwidth / limit
  int fused = 1;                    ///< sweeps a pass
  const Record* energy = nullptr;   ///< of the run's record, where it has one
  int ranks = 1, nodes = 1;
  /// Nothing: in a build without GPU, whose spaces are one; or of a name that is not known.
  std::optional<MemorySpace> space = {};
  double processors = 1;               ///< GPUs, or cores where the host computes
  std::optional<double> exposed = {};  ///< messages that nothing hides, of the time of the steps
  std::optional<Predicted> predicted = {};

  bool by_gpu() const { return executor == "device"; }
  std::string executor = {};
  bool lies(Home where) const { return space && home(*space) == where; }
  /// Do its pages follow who touches them?
  bool pages_move() const { return by_gpu() && lies(Home::Migrates); }
  /// Is the second half as fast as the whole, so that more steps would go on like it?
  bool steady() const {
    constexpr std::int64_t least = 6;
    constexpr double equal = 0.05;
    return steps >= least && std::abs(tail - median) <= equal * median;
  }
  /// Of a run of `count` steps: with its first steps, or with more at the pace of the second half.
  Seconds at(std::int64_t count) const {
    Seconds parts = once;
    const auto of_first = [&](std::ptrdiff_t n) {
      return std::accumulate(series.begin(), series.begin() + n, 0.0);
    };
    const auto kept = std::max<std::ptrdiff_t>(1, std::ssize(series) * count / steps);
    const double all = count < steps ? all_steps * of_first(kept) / of_first(std::ssize(series))
                                     : all_steps + static_cast<double>(count - steps) * tail;
    parts[Part::Pace] = std::min(all, median * static_cast<double>(count));
    parts[Part::Beyond] = all - parts[Part::Pace];
    parts[Part::Messages] *= static_cast<double>(count) / static_cast<double>(steps);
    return parts;
  }
  double seconds() const { return at(steps).total(); }
  /// What a further step costs, its messages included.
  double per_step() const { return tail + once[Part::Messages] / static_cast<double>(steps); }
  /// Of the limit, by a step at the median: more than the fraction where some steps took longer.
  double pace_fraction() const {
    if (step != "sweep") return fraction;  // its bandwidth is the median's
    return fraction * all_steps / (median * static_cast<double>(steps));
  }
};

/// What an application repeats, and of a grid code its arrays and the operations of a point.
struct Application {
  const char* program;
  const char* step;          ///< what its time loop repeats
  const char* size;          ///< that is predicted where none is named
  std::int64_t steps;        ///< and so many steps of it
  double element_bytes = 0;  ///< this and what follows: of a grid code
  int fields = 0;            ///< read and written in turns: p and its next
  int coefficients = 0;      ///< read alone
  double flops = 0;          ///< of a point
  int uncounted = 0;   ///< points of each extent that the program's count of operations leaves out
  int most_fused = 1;  ///< sweeps of a pass
  double of_copy = 1;  ///< part of the copy bandwidth that a single sweep reaches

  bool is_grid() const { return fields > 0; }
  int arrays() const { return fields + coefficients; }
  double near_bytes() const { return (2 + coefficients) * element_bytes; }  ///< of a point
};
namespace model {
/// himeno: 1.00 on an H100, 0.98 on an H200; heat: 0.94 and 0.80 (docs/lab/gpu-sweeps.md).
inline constexpr Application himeno{"himeno", "sweep", "XL", 3000, 4, 2, 12, 34, 3, 4, 0.99};
inline constexpr Application heat{"heat", "sweep", "768x768x768", 3000, 8, 2, 0, 9, 2, 1, 0.94};
}  // namespace model
inline constexpr std::array applications{model::himeno, model::heat,
                                         Application{"transpose", "transpose", "32768", 100}};
/// Null if there is none of this name.
const Application* application(const std::string& program);
/// "himeno", "heat", ..., "membench": whose results can be read.
std::vector<std::string> programs();

/// Everything that a run of an application timed; none of membench.
/// @throws Failure(Other) if a member that is needed is missing
std::vector<Sample> samples_of(const Run& run);

/// Hosts of the run's ranks; 1 where the result does not tell.
int nodes_of(const Record& record);

/// Host threads of a rank as a case names them: "all cores" (then machines of different sizes have
/// a case in common), "8 threads", "8 threads on 1 CPU". Empty if the result does not tell.
std::string threads_text(const Record& record);

/// More are no longer read side by side.
inline constexpr std::size_t most_sides = 8;

/// The runs of one case: at least one.
struct Group {
  Case what;
  std::vector<Sample> samples;  ///< a run each, the one in the middle by its wall time first

  /// It stands for all: every figure of the case is this run's. Of two it is the faster one.
  const Sample& middle() const { return samples.front(); }
  /// The least and the most of its runs.
  std::array<double, 2> speeds() const {
    const auto [least, most] = std::ranges::minmax_element(samples, {}, &Sample::speed);
    return {least->speed, most->speed};
  }
};

struct Side {
  std::string name = {};  ///< differs from the other sides'
  std::vector<const Run*> runs = {};
  std::set<std::string> copies = {};  ///< files that are copies of others: they are left out
  std::optional<MachineDescription> description = {};
  std::vector<Group> groups = {};  ///< in the order of the runs

  std::string gpu() const { return text_or(runs.front()->record, "machine.gpu.name"); }
  /// The values of a member in the records of the runs; "" of one without it.
  std::set<std::string> values(const char* path) const {
    std::set<std::string> all;
    for (const Run* run : runs) all.insert(text_or(run->record, path));
    return all;
  }
};

/// Runs of membench by GPU: those with the same --numa and --gpu, without these if there are any.
std::map<std::string, std::vector<const Run*>> runs_of_probes(std::vector<const Run*> runs);

/// Every folder and every file that was named is a side, and all of one NAME=PATH are one.
/// @throws Failure(Usage) for more than most_sides; where a description fits no machine, or two fit
///   one whose site names neither
std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions);

}  // namespace memstencil::compare
