// The latency probe: dependent loads of one thread over footprints from L1 to beyond L2 (thesis 002,
// table 3.1).
#include "kernels/probes/latency.hpp"

#include "app/common/failure.hpp"
#include "app/common/statistics.hpp"
#include "app/common/text_report.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/device_array.hpp"
#include "app/membench/core/memory_check.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/hierarchy/chain.hpp"
#include "app/membench/hierarchy/latency_courses.hpp"
#include "app/membench/hierarchy/latency_curve.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

namespace {

constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 100, .half_width = 0.05};
/// Thesis 002 gives the table without a count; 4.1 asks for 20 iterations.
constexpr int paper_repeats = 20;
/// Steps of a sample: milliseconds in memory, and many ticks of the GPU's timer in L1.
constexpr std::uint32_t steps_of_sample = 8192;
/// No L1 holds more: such a chain is walked once in every launch before the clock starts. A launch finds L1
/// empty, and the misses of 512 lines would add half to what 8192 hits take.
constexpr std::size_t most_of_l1 = std::size_t{512} << 10;
constexpr std::uint64_t seed = 3;

/// A chain of one footprint, linked in memory, and a thread that walks it on and on. It never starts again:
/// the lines that it has just left would be in the caches.
class Walk {
public:
  Walk(const Course& course, std::size_t footprint, const Buffer* memory)
      : course_(course),
        next_(random_cycle(static_cast<std::uint32_t>(footprint / course.slot_bytes), seed)),
        next_on_gpu_(next_.size()),
        time_(1),
        base_(memory != nullptr ? memory->data() : nullptr),
        again_(next_.size() * probes::chase_line <= most_of_l1 ? static_cast<std::uint32_t>(next_.size())
                                                               : 0) {
    next_on_gpu_.set(next_);
    const bool linked_by_host = course.by == probes::ChasePath::Constant;
    probes::link_chain(course.by, chain(linked_by_host ? next_.data() : next_on_gpu_.data()), base_);
  }

  /// Once through the footprint, so that it is in the caches as far as they hold it; in one that is larger
  /// than L2 as many lines as L2 holds, and a quarter more.
  void warm_up() {
    const std::size_t lines = std::min(next_.size(), gpu_facts().l2_bytes / probes::chase_line * 5 / 4);
    take(static_cast<std::uint32_t>((lines + probes::chase_unroll - 1) / probes::chase_unroll) *
         probes::chase_unroll);
  }

  probes::ChaseTime take(std::uint32_t steps) {
    probes::chase(course_.by, chain(next_on_gpu_.data()), base_, place_, {.untimed = again_, .timed = steps},
                  time_.data());
    const probes::ChaseTime time = time_.all().front();
    place_ = time.end;
    taken_ += again_ + steps;
    return time;
  }

  /// @throws Failure(Verification) where the thread is not where its steps lead
  void verify() const {
    const std::uint64_t expected = probes::chase_place(follow(next_, 0, taken_), course_.slot_bytes);
    if (place_ != expected)
      throw Failure(ExitCode::Verification,
                    fmt::format("{}: after {} steps the chase is at byte {}, and its chain leads to {}",
                                course_.name(), taken_, place_, expected));
  }

private:
  probes::Chain chain(const std::uint32_t* next) const {
    return {next, static_cast<std::uint32_t>(next_.size()), course_.slot_bytes};
  }

  const Course& course_;
  std::vector<std::uint32_t> next_;
  DeviceArray<std::uint32_t> next_on_gpu_;
  DeviceArray<probes::ChaseTime> time_;
  void* base_;
  std::uint32_t again_;  ///< untimed steps before those of a sample
  std::uint64_t place_ = 0, taken_ = 0;
};

/// Samples of one footprint over all experiments, of one load.
struct Pool {
  std::vector<double> cycles, nanoseconds;
};
/// By footprint.
using Pools = std::map<std::size_t, Pool>;

/// Walks one footprint; its samples are added to the pool.
Samples measure(const Course& course, std::size_t footprint, const Buffer* memory, const Sampling& sampling,
                Pool& pool) {
  Walk walk(course, footprint, memory);
  walk.warm_up();
  std::vector<double> nanoseconds;
  Samples samples = sample(sampling, [&] {
    const probes::ChaseTime time = walk.take(steps_of_sample);
    nanoseconds.push_back(static_cast<double>(time.nanoseconds) / steps_of_sample);
    return static_cast<double>(time.cycles) / steps_of_sample;
  });
  walk.verify();
  pool.cycles.insert(pool.cycles.end(), samples.values.begin(), samples.values.end());
  pool.nanoseconds.insert(pool.nanoseconds.end(), nanoseconds.begin() + sampling.warmups, nanoseconds.end());
  return samples;
}

void walk_course(const Course& course, const Settings& settings, Collector& collector, Pools& pools) {
  std::optional<Buffer> memory;
  if (course.space) {
    require_memory(*course.space, course.footprints.back());
    memory.emplace(*course.space, course.footprints.back());
  }
  for (const std::size_t footprint : course.footprints) {
    const std::string name = course.name() + ", " + bytes_text(static_cast<double>(footprint));
    settings.progress(name);
    collector.add(name,
                  {{"path", course.path},
                   {"memory", course.memory},
                   {"chase", course.chase},
                   {"footprint_bytes", footprint}},
                  "cycles",
                  measure(course, footprint, memory ? &*memory : nullptr,
                          settings.sampling(usual, paper_repeats), pools[footprint]));
  }
}

using Curve = std::vector<LatencyPoint>;

Curve curve_of(const Pools& pools) {
  Curve curve;
  for (const auto& [footprint, pool] : pools)
    curve.push_back({footprint, statistics(pool.cycles).median, statistics(pool.nanoseconds).median});
  return curve;
}

Record table(const Curve& curve) {
  Record columns;
  for (const LatencyPoint& point : curve) {
    columns["footprint_bytes"].push_back(point.footprint_bytes);
    columns["cycles"].push_back(point.cycles);
    columns["ns"].push_back(point.nanoseconds);
  }
  return columns;
}

/// The levels of a course as a record; those without a point are left out.
Record levels_record(const Course& course, const Curve& curve) {
  Record record = Record::object();
  for (const Level& level : levels(course, gpu_facts().l2_bytes)) {
    const Plateau p = plateau(curve, level.first, level.last);
    if (p.points > 0)
      record[level.name] = {{"cycles", p.cycles},
                            {"lowest", p.lowest},
                            {"highest", p.highest},
                            {"ns", p.nanoseconds},
                            {"points", p.points}};
  }
  return record;
}

/// What translation adds: the lines of a one-a-page chase are few and lie in L2, so what its load takes
/// beyond a load from L2 within one page is spent on translation. `within` and `pages` are the two curves.
void add_translation(ProbeResult& result, const Curve& within, const Curve& pages, Record& columns) {
  const double l2 = plateau(within, 0, gpu_page_bytes).cycles;
  for (const LatencyPoint& point : pages) {
    columns["pages"].push_back(point.footprint_bytes / gpu_page_bytes);
    columns["translation_cycles"].push_back(point.cycles - l2);
  }
  constexpr std::size_t gib = std::size_t{1} << 30;
  if (const Plateau p = plateau(pages, gib, gib); p.points > 0)
    result.derived["translation_cycles_at_1_GiB"] = p.cycles - l2;
  if (!pages.empty()) result.derived["translation_cycles_at_most"] = pages.back().cycles - l2;
}

}  // namespace

ProbeResult run_latency(const Settings& settings) {
  ProbeResult result;
  Collector collector;
  std::map<std::string, Curve> curves;
  for (const Course& course : courses(settings, result.notes)) {
    Pools pools;
    for (int n = settings.experiment_count(1, 1); n > 0; --n) walk_course(course, settings, collector, pools);
    const Curve& curve = curves[course.name()] = curve_of(pools);
    result.tables[course.name()] = table(curve);
    result.derived["plateaus"][course.name()] = levels_record(course, curve);
  }
  result.measurements = collector.measurements();
  const std::string pages = page_course_name();
  add_translation(result, curves[within_page_course_name()], curves[pages], result.tables[pages]);
  result.notes.push_back(fmt::format(
      "a chain of up to {} is walked once in every launch before the clock starts: a launch finds L1 empty",
      bytes_text(static_cast<double>(most_of_l1))));
  result.notes.push_back(
      "levels are stretches of footprints: where one has the figure of the next, its cache does not hold "
      "this memory");
  result.notes.push_back(
      "cycles by clock64 and ns by globaltimer, of one load of a chain that goes through all lines of its "
      "footprint in random order; the GPU writes the links, and so touches the memory first");
  return result;
}

}  // namespace memstencil::membench
