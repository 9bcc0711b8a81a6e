// Probe registers: what fewer registers cost and what they buy ([kepler-article], the registers of
// Kepler).
#include "kernels/probes/registers.hpp"

#include "app/membench/compute/expected.hpp"
#include "app/membench/core/gpu.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

namespace memstencil::membench::registers_probe {

namespace {

/// Registers that a thread updates one after the other, the same for any number of live values: so
/// many multiply-adds in FP32, half as many in FP64. A common multiple of what they take.
constexpr int work = 10752;
/// A number that most counts of resident blocks divide: no half-empty last wave.
constexpr int blocks_an_sm = 24;
/// Slower than the fastest by this much: spilling costs.
constexpr double noticeable = 1.05;

constexpr Sampling usual{.warmups = 1, .repeats = 20, .limit = 40};

/// Of one number of live values, a row a limit: the median over all experiments.
struct Row {
  int limit;
  probes::RegistersFacts facts;
  double seconds;
};

template <class T>
constexpr const char* type_name = std::is_same_v<T, float> ? "fp32" : "fp64";

template <class T>
std::string title(int live) {
  return fmt::format("{} live {}values", live, std::is_same_v<T, float> ? "" : "fp64 ");
}

template <class T>
std::vector<T> input_of(int rounds) {
  std::vector<T> input(static_cast<std::size_t>(rounds * probes::registers_block));
  for (std::size_t n = 0; n < input.size(); ++n) input[n] = static_cast<T>(n % 17);
  return input;
}

/// The kernel with one number of live values, its memory, and what is right.
template <class T>
class Values {
public:
  explicit Values(int live)
      : live_(live),
        rounds_(work / (live * static_cast<int>(sizeof(T) / sizeof(float)))),
        blocks_(blocks_an_sm * gpu_facts().multiprocessors),
        input_(static_cast<std::size_t>(rounds_ * probes::registers_block)),
        results_(static_cast<std::size_t>(blocks_ * probes::registers_block)) {
    const std::vector<T> input = input_of<T>(rounds_);
    input_.set(input);
    for (int t = 0; t < probes::registers_block; ++t)
      expected_.push_back(expected_registers(live, t, probes::registers_block, factor, input));
  }

  /// Seconds of the kernel.
  /// @throws Failure(Verification) where a thread's result is not right to the bit
  double seconds(int limit) {
    results_.spoil();
    const probes::RegistersJob<T> job{live_,  limit,         rounds_,        blocks_,
                                      factor, input_.data(), results_.data()};
    const double seconds =
        in_cuda<probes::seconds_of>([&] { in_cuda<probes::start_registers<T>>(job); });
    verify_all(fmt::format("{} with {} registers, threads", title<T>(live_), limit), results_.all(),
               [&](std::size_t n) { return expected_[n % expected_.size()]; });
    return seconds;
  }

private:
  static constexpr T factor = T(0.5);
  int live_, rounds_, blocks_;
  DeviceArray<T> input_, results_;
  std::vector<T> expected_;
};

template <class T>
void measure(int live, Collector& collector) {
  Values<T> values(live);
  for (const int limit : probes::register_limits)
    collector.measure(fmt::format("{}, at most {} registers", title<T>(live), limit),
                      {{"live", live}, {"type", type_name<T>}, {"limit", limit}}, "s",
                      [&] { return values.seconds(limit); });
}

/// The rows under the title of their number of live values.
template <class T>
void add_rows(const std::vector<Measurement>& measurements,
              std::map<std::string, std::vector<Row>>& rows) {
  for (const Measurement& m : measurements) {
    if (m.parameters["type"] != type_name<T>) continue;
    const int live = m.parameters["live"], limit = m.parameters["limit"];
    rows[title<T>(live)].push_back(
        {limit, in_cuda<probes::registers_facts<T>>(live, limit), median(m.samples)});
  }
}

Record table(const std::vector<Row>& rows) {
  Record table = Record::object();
  for (const Row& row : rows)
    add_row(table, {{"limit", row.limit},
                    {"registers", row.facts.registers},
                    {"resident_warps", row.facts.resident_warps},
                    {"spilled_bytes", row.facts.spilled},
                    {"seconds", row.seconds}});
  return table;
}

/// Null where there is no such limit.
Record summary(const std::vector<Row>& rows) {
  double fastest = rows.front().seconds;
  for (const Row& row : rows) fastest = std::min(fastest, row.seconds);
  Record most_with_spilling, most_that_costs, slowdown_there = Record::object();
  for (const Row& row : rows) {
    if (row.facts.spilled == 0) continue;
    most_with_spilling = row.limit;
    if (row.seconds > noticeable * fastest) most_that_costs = row.limit;
    slowdown_there[std::to_string(row.limit)] = row.seconds / fastest;
  }
  return {{"spills_from_limit", most_with_spilling},
          {"spilling_costs_from_limit", most_that_costs},
          {"slowdown_with_spilling_at_limit", slowdown_there}};
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  for (int n = settings.experiment_count(); n > 0; --n) {
    for (const int live : probes::live_values<float>) measure<float>(live, collector);
    for (const int live : probes::live_values<double>) measure<double>(live, collector);
  }
  ProbeResult& result = collector.result;
  std::map<std::string, std::vector<Row>> rows;
  add_rows<float>(result.measurements, rows);
  add_rows<double>(result.measurements, rows);
  for (const auto& [title, of_live] : rows) {
    result.tables[title] = table(of_live);
    result.derived[title] = summary(of_live);
  }
  result.notes = {
      fmt::format("every kernel does the same {} multiply-adds a thread (in FP64 half as many) and "
                  "has the same results to the bit; what the assembler lets it have is all that "
                  "differs",
                  work),
      "an FP64 value takes two registers: 48 and 112 of them as many as 96 and 224 in FP32",
      "24 registers is the least that the assembler takes (the ABI's lower bound), 255 "
      "the most that there are",
      fmt::format("spilling_costs_from_limit: spills, and takes more than {:g} times the fastest",
                  noticeable)};
  return result;
}

}  // namespace

extern const Probe probe{
    .name = "registers",
    .summary = "one kernel at 24 to 255 registers a thread: time, occupancy, spilling",
    .source = "[kepler-article]",
    .counted = "seconds; spilled bytes as the compiler tells",
    .refused = refuse_without_cuda,
    .run = run};

}  // namespace memstencil::membench::registers_probe
