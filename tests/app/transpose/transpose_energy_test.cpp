// Pins the joules of a transpose, by a counter that is given: one that grows by 500 W.
#include "app/base/machine/energy.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace memstencil::transpose {
namespace {

/// The host's counters of energy, as the kernel shows them, for as long as it lives.
class Counter {
public:
  static constexpr double watts = 500;

  Counter() {
    root_.write(folder + "name", "package-0\n");
    root_.write(folder + "max_energy_range_uj", "262143328850\n");
    show();
    HostEnergy::system = root_.path();
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        show();
      }
    });
  }
  ~Counter() { HostEnergy::system = "/"; }

private:
  using Clock = std::chrono::steady_clock;
  const std::string folder = "sys/class/powercap/intel-rapl:0/";

  void show() {
    const std::chrono::duration<double, std::micro> passed = Clock::now() - begin_;
    root_.write(folder + "energy_uj.new", std::to_string(std::llround(watts * passed.count())));
    std::filesystem::rename(root_.path() / (folder + "energy_uj.new"),
                            root_.path() / (folder + "energy_uj"));
  }

  TemporaryFolder root_;
  const Clock::time_point begin_ = Clock::now();
  std::jthread thread_;
};

TEST(TransposeEnergy, IsOfOneIterationAndOfTheTimeThatTheyTook) {
  Options options = options_for(Executor::Host);
  options.rows = options.columns = 2000;
  options.variant = Variant::Portable;
  options.iterations = 100;
  // Of the fastest: while others use the cores too, the median is of no later time.
  const double seconds_of_one = run_of(options).variants.front().iteration_seconds.minimum;
  options.iterations = static_cast<std::int64_t>(2 / seconds_of_one) + 1;
  const Counter counter;
  const TimedVariant v = run_of(options).variants.front();
  ASSERT_TRUE(v.energy && v.energy->hosts) << v.energy.value_or(Energy()).left_out.value_or("");
  const Energy::Part& host = *v.energy->hosts;
  const double joules = host.joules.value_or(0), count = static_cast<double>(options.iterations);
  EXPECT_NEAR(host.joules_per_iteration.value_or(0) * count / joules, 1, 1e-9);
  EXPECT_NEAR(joules / v.energy->seconds / Counter::watts, 1, 0.2);
  EXPECT_NEAR(host.mean_watts.value_or(0) * v.energy->seconds / joules, 1, 1e-9);
  EXPECT_GT(v.energy->seconds, 0.9 * v.iteration_seconds.minimum * count);
}

}  // namespace
}  // namespace memstencil::transpose
