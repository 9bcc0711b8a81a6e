// Runs on two H200 of one node (docs/lab/many-gpus.md), set beside what the model says of them
// from the rates that were measured in the same days: the bounds are the errors that we state.
#include "app/compare/model/ranks_model.hpp"
#include "app/transpose/model_case.hpp"
#include "tests/app/compare/model/model_checks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace memstencil::model {
namespace {

/// The exchange's samples of 1 KiB, 4 MiB, 64 MiB and 1 GiB; between two ranks both patterns are
/// the same exchange.
MachineRates two_h200() {
  constexpr double kib = 1024, mib = 1024 * kib;
  MachineRates rates = assumed_rates();
  rates.rates[Rate::DeviceCopy].value = 4276 * giga;
  rates.multiprocessors = 132;
  const auto add = [&](const std::string& path, double smallest, double mib_4, double mib_64,
                       double gib) {
    for (const std::string pattern : {"neighbours", "all-to-all"}) {
      rates.messages.push_back({path, pattern, false, kib, smallest});
      for (const auto& [bytes, gbs] :
           {std::pair(4 * mib, mib_4), std::pair(64 * mib, mib_64), std::pair(1024 * mib, gib)})
        rates.messages.push_back({path, pattern, false, bytes, bytes / (gbs * giga)});
    }
  };
  add("peer", 17.7e-6, 129, 324, 362);
  add("nccl", 17.5e-6, 123, 314, 363);
  return rates;
}

/// predicted / measured - 1 of a sweep; `extents` as the program counts them.
double error_of_himeno(std::array<std::int64_t, 3> extents, int fused, const std::string& path,
                       double tflops) {
  const MachineRates rates = two_h200();
  HimenoCase run;
  run.extents = extents;
  run.fused = fused;
  run.access = {Executor::Device, Executor::Device, false};
  const auto messages = measured_message_rates(rates, {path, "neighbours", 4 << 20}, false);
  const PassOnRanks pass = pass_on_ranks(run, {2, 1, 1}, 2, rates, *messages);
  double flops = 34.0 * fused;
  for (const std::int64_t points : extents) flops *= static_cast<double>(points - 3);
  return pass.total / (flops / (tflops * 1e12)) - 1.0;
}

double error_of_transpose(transpose::Shape shape, std::size_t element, const std::string& path,
                          double milliseconds) {
  const transpose::Distribution part{shape, 0, 2, element};
  const double asked = 2 * part.bytes(part.a());
  const TransposeCase run{.a_bytes = part.bytes(part.a()),
                          .b_bytes = part.bytes(part.b()),
                          .element_bytes = static_cast<double>(element),
                          .variants = {{"tuned", asked, asked}},
                          .access = {Executor::Device, Executor::Device, false},
                          .messages = messages_of(part, 2, path, path == "peer")};
  return predict(run, two_h200()).sweeps.front().total() / (1e-3 * milliseconds) - 1.0;
}

struct Himeno {
  const char* name;
  std::array<std::int64_t, 3> extents;
  int fused;
  const char* path;
  double tflops;
};

TEST(TwoGpus, HimenoIsPredictedWithinFifteenPercent) {
  constexpr std::array<std::int64_t, 3> m{128, 128, 256}, l{256, 256, 512}, xl{512, 512, 1024},
      weak{1024, 512, 1024};
  const std::vector<Himeno> runs{
      {"XL single", xl, 1, "peer", 5.079},     {"XL single", xl, 1, "nccl", 4.965},
      {"L single", l, 1, "peer", 4.674},       {"L single", l, 1, "nccl", 4.607},
      {"M single", m, 1, "peer", 2.704},       {"M single", m, 1, "nccl", 2.791},
      {"XL temporal:3", xl, 3, "peer", 12.00}, {"XL temporal:3", xl, 3, "nccl", 11.59},
      {"L temporal:3", l, 3, "peer", 11.23},   {"L temporal:3", l, 3, "nccl", 11.00},
      {"M temporal:3", m, 3, "peer", 6.379},   {"M temporal:3", m, 3, "nccl", 6.222},
      {"weak single", weak, 1, "peer", 5.100}, {"weak temporal:3", weak, 3, "peer", 12.36}};
  for (const Himeno& each : runs) {
    const double error = error_of_himeno(each.extents, each.fused, each.path, each.tflops);
    EXPECT_NEAR(error, 0.0, 0.15) << each.name << " by " << each.path;
  }
}

struct Transpose {
  transpose::Shape shape;
  std::size_t element;
  const char* path;
  double milliseconds;
};

TEST(TwoGpus, TransposesArePredictedWithinFifteenPercent) {
  constexpr transpose::Shape square{32768, 32768}, oblong{20000, 30000}, primes{20011, 30011};
  const std::vector<Transpose> runs{{square, 4, "peer", 2.974}, {square, 4, "nccl", 3.481},
                                    {square, 8, "peer", 5.865}, {square, 8, "nccl", 6.723},
                                    {oblong, 4, "peer", 1.742}, {oblong, 4, "nccl", 2.093},
                                    {primes, 4, "peer", 1.737}, {primes, 4, "nccl", 2.287}};
  for (const Transpose& each : runs) {
    const double error = error_of_transpose(each.shape, each.element, each.path, each.milliseconds);
    EXPECT_NEAR(error, 0.0, 0.15) << size_name(each.shape) << " by " << each.path;
  }
}

}  // namespace
}  // namespace memstencil::model
