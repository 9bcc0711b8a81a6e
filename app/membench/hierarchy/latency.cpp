// Probe latency: dependent loads of one thread over footprints from L1 to beyond L2
// ([ufrgs-thesis], table 3.1).
#include "kernels/probes/latency.hpp"

#include "app/common/record/text_report.hpp"
#include "app/membench/core/gpu.hpp"
#include "app/membench/hierarchy/chases.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace memstencil::membench::latency_probe {

namespace {

/// [ufrgs-thesis] gives the table without a count; 4.1 asks for 20 iterations.
constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 100};
/// Steps of a sample: milliseconds in memory, and many ticks of the GPU's timer in L1.
constexpr std::uint32_t steps_of_sample = 8192;
/// No L1 holds more: such a chain is walked once in every launch before the clock starts. A launch
/// finds L1 empty, and the misses of 512 lines would add half to what 8192 hits take.
constexpr std::size_t most_of_l1 = std::size_t{512} << 10;
constexpr std::uint64_t seed = 3;

/// A chain of one footprint, linked in memory, and a thread that walks it on and on. It never
/// starts again: the lines that it has just left would be in the caches.
class Walk {
public:
  Walk(const Chase& chase, std::size_t footprint, const std::optional<Buffer>& memory)
      : chase_(chase),
        next_(random_cycle(static_cast<std::uint32_t>(footprint / chase.slot_bytes), seed)),
        next_on_gpu_(next_.size()),
        time_(1),
        base_(memory ? memory->data() : nullptr),
        again_(next_.size() * probes::chase_line <= most_of_l1
                   ? static_cast<std::uint32_t>(next_.size())
                   : 0) {
    next_on_gpu_.set(next_);
    const bool linked_by_host = chase.by == probes::ChasePath::Constant;
    in_cuda<probes::link_chain>(chase.by,
                                chain(linked_by_host ? next_.data() : next_on_gpu_.data()), base_);
  }

  /// Once through the footprint, so that it is in the caches as far as they hold it; in one that is
  /// larger than L2 as many lines as L2 holds, and a quarter more.
  void warm_up() {
    const std::size_t lines =
        std::min(next_.size(), gpu_facts().l2_bytes / probes::chase_line * 5 / 4);
    take(static_cast<std::uint32_t>((lines + probes::chase_unroll - 1) / probes::chase_unroll) *
         probes::chase_unroll);
  }

  probes::ChaseTime take(std::uint32_t steps) {
    in_cuda<probes::chase>(chase_.by, chain(next_on_gpu_.data()), base_, place_,
                           probes::ChaseSteps{.untimed = again_, .timed = steps}, time_.data());
    const probes::ChaseTime time = time_.all().front();
    place_ = time.end;
    taken_ += again_ + steps;
    return time;
  }

  /// @throws Failure(Verification) where the thread is not where its steps lead
  void check() const {
    const std::uint64_t expected = probes::chase_place(follow(next_, 0, taken_), chase_.slot_bytes);
    verify(place_ == expected,
           "{}: after {} steps the chase is at byte {}, and its chain leads to {}", chase_.name(),
           taken_, place_, expected);
  }

private:
  probes::Chain chain(const std::uint32_t* next) const {
    return {next, static_cast<std::uint32_t>(next_.size()), chase_.slot_bytes};
  }

  const Chase& chase_;
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

/// One experiment: walks each footprint, and adds its samples to its pool.
void walk(const Chase& chase, Collector& collector, Pools& pools) {
  std::optional<Buffer> memory;
  if (chase.space) {
    require_memory(*chase.space, chase.footprints.back());
    memory.emplace(*chase.space, chase.footprints.back());
  }
  for (const std::size_t footprint : chase.footprints) {
    Walk walk(chase, footprint, memory);
    walk.warm_up();
    std::vector<double> nanoseconds;
    const Record parameters{{"path", chase.path},
                            {"memory", chase.memory},
                            {"chase", chase.chain},
                            {"footprint_bytes", footprint}};
    const Samples samples = collector.measure(
        chase.name() + ", " + bytes_text(static_cast<double>(footprint)), parameters, "cycles",
        [&] {
          const probes::ChaseTime time = walk.take(steps_of_sample);
          nanoseconds.push_back(static_cast<double>(time.nanoseconds) / steps_of_sample);
          return static_cast<double>(time.cycles) / steps_of_sample;
        });
    walk.check();
    Pool& pool = pools[footprint];
    pool.cycles.insert(pool.cycles.end(), samples.values.begin(), samples.values.end());
    pool.nanoseconds.insert(pool.nanoseconds.end(),
                            nanoseconds.begin() + collector.sampling.warmups, nanoseconds.end());
  }
}

using Curve = std::vector<LatencyPoint>;

Curve curve_of(const Pools& pools) {
  Curve curve;
  for (const auto& [footprint, pool] : pools)
    curve.push_back(
        {footprint, statistics(pool.cycles).median, statistics(pool.nanoseconds).median});
  return curve;
}

Record table(const Curve& curve) {
  Record columns;
  for (const LatencyPoint& point : curve)
    add_row(columns, {{"footprint_bytes", point.footprint_bytes},
                      {"cycles", point.cycles},
                      {"ns", point.nanoseconds}});
  return columns;
}

/// The levels of a chase as a record; those without a point are left out.
Record levels_record(const Chase& chase, const Curve& curve) {
  Record record = Record::object();
  for (const Level& level : levels(chase, gpu_facts().l2_bytes)) {
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

/// The cost of translation: the lines of a one-a-page chase are few and lie in L2, so what its
/// load takes beyond a load from L2 within one page is spent on translation. `within` and
/// `pages` are the two curves.
void add_translation(ProbeResult& result, const Curve& within, const Curve& pages,
                     Record& columns) {
  const double l2 = plateau(within, 0, gpu_page_bytes).cycles;
  for (const LatencyPoint& point : pages)
    add_row(columns, {{"pages", point.footprint_bytes / gpu_page_bytes},
                      {"translation_cycles", point.cycles - l2}});
  constexpr std::size_t one_gib = std::size_t{1} << 30;
  if (const Plateau p = plateau(pages, one_gib, one_gib); p.points > 0)
    result.derived["translation_cycles_at_1_GiB"] = p.cycles - l2;
  if (!pages.empty()) result.derived["translation_cycles_at_most"] = pages.back().cycles - l2;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  ProbeResult& result = collector.result;
  std::map<std::string, Curve> curves;
  const Chases to_do = chases(settings, result.notes);
  for (const Chase& chase : to_do.all) {
    Pools pools;
    for (int n = settings.experiment_count(); n > 0; --n) walk(chase, collector, pools);
    const Curve& curve = curves[chase.name()] = curve_of(pools);
    result.tables[chase.name()] = table(curve);
    result.derived["plateaus"][chase.name()] = levels_record(chase, curve);
  }
  add_translation(result, curves[to_do.past_l1], curves[to_do.pages], result.tables[to_do.pages]);
  result.notes.push_back(
      fmt::format("a chain of up to {} is walked once in every launch before the clock starts: "
                  "a launch finds L1 empty",
                  bytes_text(static_cast<double>(most_of_l1))));
  result.notes.push_back(
      "levels are stretches of footprints: where one has the figure of the next, its cache "
      "does not hold this memory");
  result.notes.push_back(
      "cycles by clock64 and ns by globaltimer, of one load of a chain that goes through "
      "all lines of its footprint in random order; the GPU writes the links, and so "
      "touches the memory first");
  return result;
}

}  // namespace

extern const Probe probe{
    .name = "latency",
    .summary = "the time of one dependent load over footprints from L1 to host memory",
    .source = "[ufrgs-thesis], table 3.1",
    .counted = "dependent loads of one thread",
    .options = {&size_option},
    .refused = refuse_without_cuda,
    .run = run};

}  // namespace memstencil::membench::latency_probe
