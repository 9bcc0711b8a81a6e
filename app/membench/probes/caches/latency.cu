// Probe latency: dependent loads of one thread of the GPU or of the CPU over footprints from L1 to
// beyond all caches ([ufrgs-thesis], table 3.1). First the links are written, by CPU or GPU, which
// so touches the memory first; then one thread follows them between two clock reads.
#include "app/base/machine/machine_facts.hpp"
#include "app/membench/probes/caches/latency_chase.cuh"
#include "kernels/host_caches.hpp"
#include "memory_spaces/movement.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace memstencil::membench {

namespace {

/// Beyond the last cache of a host, whose lines a chase of less finds there.
std::size_t most_of_host() {
  return std::max(512 * mib, std::bit_ceil(4 * host_caches().last_level));
}

/// A curve of chases: the usual footprints that are powers of `powers`; 0: all. Other footprints
/// that a user asks for are measured from `least` to `most`.
struct Course {
  const char *path, *memory, *chain;
  std::size_t least, most;
  int powers;
};
const Course courses[]{
    {"global", "device", "random line", kib, gib, 0},
    {"global", "host-pinned", "random line", 4 * kib, 256 * mib, 4},
    {"global", "managed", "random line", 4 * kib, 256 * mib, 4},
    {"global", "system", "random line", 4 * kib, 256 * mib, 4},
    {"global past L1", "device", "random line", 64 * kib, 32 * mib, 2},
    {"global past L1", "device", "one a page", 4 * mib, 16 * gib, 2},
    {"texture", "device", "random line", kib, 512 * mib, 2},
    {"constant", "own", "random line", 256, chase_constant_bytes, 2},
    // The shared memory that a block has without an opt-in.
    {"shared", "own", "random line", kib, 48 * kib, 2},
    {"cpu", "system", "random line", 4 * kib, most_of_host(), 2},
    {"cpu", "system", "one a page", mib, most_of_host(), 2},
    {"cpu", "managed", "random line", 4 * kib, 256 * mib, 4},
    {"cpu", "managed", "one a page", mib, 256 * mib, 4},
    {"cpu", "host-pinned", "random line", 4 * kib, 256 * mib, 4},
};

/// One point an octave; two from 32 KiB to 1 GiB, four from 8 to 128 MiB, where L2s end.
std::vector<double> usual_footprints() {
  std::vector<double> all;
  for (std::size_t octave = 256; octave <= 16 * gib; octave *= 2) {
    const int points = octave < 32 * kib || octave >= gib        ? 1
                       : octave >= 8 * mib && octave < 128 * mib ? 4
                                                                 : 2;
    for (int n = 0; n < points; ++n)
      all.push_back(chase_line * std::floor(static_cast<double>(octave / chase_line) *
                                            std::exp2(static_cast<double>(n) / points)));
  }
  return all;
}

bool has(const Course& course, std::size_t footprint) {
  static const std::vector<double> usual = usual_footprints();
  if (footprint < course.least || footprint > course.most) return false;
  const bool asked_for =
      std::find(usual.begin(), usual.end(), static_cast<double>(footprint)) == usual.end();
  const bool power = std::has_single_bit(footprint) &&
                     (course.powers == 2 || std::countr_zero(footprint) % 2 == 0);
  return asked_for || course.powers == 0 || power;
}

/// Without a GPU all spaces are the same host memory; its honest name is system. The host touches
/// memory that it pins, and the GPU its own.
bool is_there(const Row& row, const std::vector<Axis>&) {
  const std::string memory = row.text("memory");
  const bool by_host = row.is("touched", "host"), cpu = row.is("path", "cpu");
  const bool system = memory == "system", moves = memory == "managed" || system;
  if (!moves && by_host != (memory == "host-pinned")) return false;
  if (gpu_count() == 0 && !(system && by_host && cpu)) return false;
  return std::ranges::any_of(courses, [&](const Course& each) {
    return row.is("path", each.path) && memory == each.memory && row.is("chain", each.chain) &&
           has(each, row.bytes("footprint"));
  });
}

constexpr std::size_t gpu_page_bytes = 2 * mib;
/// Steps of a sample: a millisecond and more in memory, and many ticks of the GPU's timer in L1.
constexpr std::uint32_t steps_of_sample = 4096;
/// No L1 holds more: such a chain is walked once in every launch before the clock starts. A launch
/// finds L1 empty, and the misses of 512 lines would double the time of 4096 hits.
constexpr std::size_t most_of_l1 = 512 * kib;

/// Cycles through slots by their number, made once for all chains of an experiment.
using Cycles = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// A chain of one footprint, linked in memory, and a thread that walks it on and on. It never
/// starts again: the lines that it has just left would be in the caches.
class Walk {
public:
  /// @param next the cycle through the chain's slots
  /// @param memory nothing: the path's own
  Walk(ChasePath path, const Chain& chain, const std::vector<std::uint32_t>& next,
       std::optional<Buffer> memory, bool touched_by_host)
      : path_(path),
        chain_(chain),
        next_(next),
        next_on_gpu_(scratch_space(Executor::Device), next.size() * sizeof next[0]),
        memory_(std::move(memory)) {
    const auto* const on_gpu = static_cast<std::uint32_t*>(next_on_gpu_.data());
    copy(next_on_gpu_.data(), next.data(), next_on_gpu_.bytes());
    if (next.size() * chase_line <= most_of_l1) again_ = chain_.slots;
    chain_.next = touched_by_host || path == ChasePath::Constant ? next.data() : on_gpu;
    if (touched_by_host)
      link_by_host(chain_, base());
    else
      link_on_gpu(path, chain_, base());
    chain_.next = on_gpu;
  }

  /// Once through the footprint, or as many lines as L2 (of a host the last cache) holds and a
  /// quarter more; near its size three times: at 27 MiB of 50 the latency still rose after one. No
  /// longer than a quarter of a second: over a link, where that is less, no cache holds much.
  void warm_up() {
    constexpr std::uint64_t most_ns = 250'000'000;
    constexpr std::size_t part = 32768;
    const std::size_t l2 = path_ == ChasePath::Cpu ? host_caches().last_level
                                                   : std::max(gpu_facts().l2_bytes, 64 * mib);
    const std::size_t footprint = chain_.slots * chain_.slot_bytes;
    std::size_t links = std::min<std::size_t>(chain_.slots, l2 / chase_line * 5 / 4);
    if (footprint > l2 / 4 && footprint < 2 * l2) links *= 3;
    links = (links + chase_unroll - 1) / chase_unroll * chase_unroll;
    for (std::uint64_t taken = 0; links > 0 && taken < most_ns;) {
      const std::size_t now = std::min(links, part);
      taken += take(static_cast<std::uint32_t>(now)).nanoseconds;
      links -= now;
    }
  }

  ChaseTime take(std::uint32_t steps) {
    const ChaseSteps both{.untimed = again_, .timed = steps};
    const ChaseTime time = path_ == ChasePath::Cpu
                               ? chase_on_host(base(), place_, both)
                               : chase_on_gpu(path_, chain_, base(), place_, both);
    place_ = time.end;
    taken_ += again_ + steps;
    return time;
  }

  /// @throws Failure(Verification) if the thread is not where its steps lead
  void check(const std::string& title) const {
    const std::uint64_t expected = chain_.place(follow(next_, 0, taken_));
    verify(place_ == expected, title + ": the chase is at byte " + std::to_string(place_) +
                                   ", and its chain leads to " + std::to_string(expected));
  }

private:
  void* base() const { return memory_ ? memory_->data() : nullptr; }

  ChasePath path_;
  Chain chain_;
  const std::vector<std::uint32_t>& next_;
  Buffer next_on_gpu_;
  std::optional<Buffer> memory_;
  std::uint32_t again_ = 0;  ///< untimed steps before a sample
  std::uint64_t place_ = 0, taken_ = 0;
};

/// The memory of the links: nothing for a path's own. Leaves out a memory that is not served.
std::optional<Buffer> memory_of(State& state) {
  const std::string memory = state.text("memory");
  const std::size_t footprint = state.bytes("footprint");
  const bool by_host = state.is("touched", "host"), cpu = state.is("path", "cpu");
  if (memory == "own") return {};
  const MemorySpace space = *memory_space_from_name(memory);
  for (const bool host : {cpu, by_host})
    require_access(state, space, host ? Executor::Host : Executor::Device);
  if (state.is("chain", "one a page") && !cpu && footprint > available_bytes(space) / 2)
    state.leave_out();
  require_memory(space, footprint);
  return std::optional<Buffer>(std::in_place, space, footprint);
}

double of_step(std::uint64_t sum) { return static_cast<double>(sum) / steps_of_sample; }

void measure_chase(State& state, Cycles& cycles) {
  const ChasePath path = static_cast<ChasePath>(state.index("path"));
  const bool cpu = path == ChasePath::Cpu;
  Chain chain;
  if (state.is("chain", "one a page"))
    chain.slot_bytes = cpu ? static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : gpu_page_bytes;
  chain.slots = static_cast<std::uint32_t>(state.bytes("footprint") / chain.slot_bytes);
  std::optional<Buffer> memory = memory_of(state);
  std::vector<std::uint32_t>& next = cycles[chain.slots];
  if (next.empty()) next = random_cycle(chain.slots, 3);
  Walk walk(path, chain, next, std::move(memory), state.is("touched", "host"));
  walk.warm_up();
  using Columns = std::vector<std::string>;
  state.sample(cpu ? Columns{"ns"} : Columns{"cycles", "ns"}, [&] {
    const ChaseTime time = walk.take(steps_of_sample);
    const double ns = of_step(time.nanoseconds);
    return cpu ? std::vector{ns} : std::vector{of_step(time.cycles), ns};
  });
  walk.check(state.title());
}

/// The name of a plateau. Caches are counted if the first one is among the footprints. A GPU's
/// third plateau is no cache of its own: it lies between the L2 that is near and memory. Loads of a
/// host that go through all of its memory in small pages wait for the translation of their address,
/// too.
/// @param first footprint of the first plateau
std::string level_name(const Row& like, const Level& level, bool last, std::size_t number,
                       std::size_t first) {
  const bool cpu = like.is("path", "cpu"), past_l1 = like.is("path", "global past L1");
  const std::size_t memory = cpu ? 2 * host_caches().last_level : 0;
  if (last && level.last >= std::max(256 * mib, memory)) {
    const auto huge = first_line("/sys/kernel/mm/transparent_hugepage/enabled").value_or("");
    const bool small = cpu && huge.find("[always]") == std::string::npos;
    return small ? "memory and translation" : "memory";
  }
  const bool cache =
      !like.is("memory", "own") && number <= (cpu ? 3U : 2U) && first <= (past_l1 ? mib : 32 * kib);
  return (cache ? "L" : "plateau ") + std::to_string(number);
}

/// The levels of the curve of random lines of one path, memory and first toucher, and their
/// capacities.
void add_levels(const Group& of, std::vector<Row>& more) {
  const bool cpu = of.like.is("path", "cpu"), past_l1 = of.like.is("path", "global past L1");
  std::map<std::size_t, double> curve, ns;
  for (const Row* row : of.rows) {
    if (!row->is("chain", "random line")) continue;
    curve[row->bytes("footprint")] = row->number(cpu ? "ns" : "cycles");
    ns[row->bytes("footprint")] = row->number("ns");
  }
  const std::vector<Level> levels = levels_of(curve);
  for (const Level& level : levels) {
    std::vector<double> of_level;
    for (const auto& [footprint, value] : ns)
      if (footprint >= level.first && footprint <= level.last) of_level.push_back(value);
    const auto number = static_cast<std::size_t>(&level - levels.data()) + (past_l1 ? 2 : 1);
    Row& row = more.emplace_back(of.like);
    const bool last = &level == &levels.back();
    row.set({{"level", level_name(of.like, level, last, number, levels.front().first)},
             {"from_bytes", static_cast<double>(level.first)},
             {"to_bytes", static_cast<double>(level.last)},
             {"holds_bytes", static_cast<double>(level.holds)}});
    if (!cpu) row.set("cycles", level.latency);
    row.set("ns", median(of_level));
  }
  // A load from page to page takes longer than one within a page by the translation: its lines are
  // few and lie in L2.
  for (Row* row : of.rows)
    if (past_l1 && row->is("chain", "one a page") && !curve.empty() &&
        curve.begin()->first <= gpu_page_bytes)
      row->set("translation_cycles", row->number("cycles") - curve.begin()->second);
}

void derive(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& group : groups(rows, {"path", "memory", "touched"})) add_levels(group, more);
}

}  // namespace

extern const Probe latency_probe{
    .name = "latency",
    .summary = "the time of one dependent load of GPU and CPU, from L1 to the other's memory",
    .source = "[ufrgs-thesis], table 3.1",
    .counted = "dependent loads of one thread",
    .needs = Needs::Host,
    .axes =
        always({names("path",  // in the order of ChasePath
                      {"global", "global past L1", "texture", "constant", "shared", "cpu"}),
                names("memory", {"own", "device", "host-pinned", "managed", "system"}),
                names("touched", {"device", "host"}), names("chain", {"random line", "one a page"}),
                sizes("footprint", usual_footprints(), 256, 16.0 * gib)}),
    .is_there = is_there,
    .start = each_sharing<Cycles, measure_chase>,
    .derive = derive,
    .notes =
        {"touched: who wrote the links, and so touched the memory first: where pages lie that "
         "move to their first toucher; a load may move them again",
         "a figure is of one load of a chain through all lines of its footprint in random order",
         "levels are plateaus of the curve; holds_bytes: the largest footprint still nearer to "
         "the level than to the next",
         "global: cycles by clock64, ns by globaltimer; a chain of up to 512 KiB is walked once "
         "in every launch before the clock starts, because a launch finds L1 empty"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 40}};

}  // namespace memstencil::membench
