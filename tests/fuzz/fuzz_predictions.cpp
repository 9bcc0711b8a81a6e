// Random machines, assumptions, sizes and numbers of nodes as predictions: the bytes are the seed,
// so that every input is a description that can be read, with figures between sense and nonsense.
#include "app/base/runtime/failure.hpp"
#include "app/compare/predict/predictions.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/show/show.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

namespace memstencil::compare {
namespace {

class Made {
public:
  explicit Made(const std::string& bytes) : random_(bytes.begin(), bytes.end()), engine_(random_) {}

  bool maybe() { return number(0, 1) > 0; }
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  /// From 1e-9 to 1e15, usually between 1 and 10^4.
  double figure() {
    const double power = maybe() ? std::uniform_real_distribution(0.0, 4.0)(engine_)
                                 : std::uniform_real_distribution(-9.0, 15.0)(engine_);
    return std::pow(10.0, power);
  }

  MachineDescription machine() {
    MachineDescription made{.name = "m", .title = "M", .gpu = "G"};
    if (maybe()) made.cores = number(1, 1000);
    for (const char* key :
         {"host_memory", "device_memory", "link_host_to_device", "link_device_to_host",
          "kernel_reads_host", "kernel_writes_host", "between_gpus", "network"}) {
      if (number(0, 9) > 0) made.figures[key] = {figure(), maybe(), "s"};
      if (maybe()) made.measured[key] = {figure(), true, "s"};
    }
    const auto set = [&](const char* key, const Record& value) {
      if (number(0, 9) > 0) made.parameters[key] = {value, "s"};
    };
    set("address_translation", maybe() ? "ATS" : maybe() ? "HMM" : "none");
    set("memory_mode", maybe() ? "numa" : "driver");
    set("gpu_memory_bytes", 1e7 * figure());
    for (const char* key :
         {"gpu_multiprocessors", "host_cores", "nodes", "gpus_per_node", "nodes_a_job"})
      set(key, number(0, 9) > 0 ? Record(number(1, key == std::string("gpus_per_node") ? 4 : 16))
                                : Record(figure()));
    for (const char* key : {"fault_migration_gbs", "fault_migration_back_gbs", "prefetch_gbs",
                            "access_counter_migration_gbs"})
      set(key, figure());
    return made;
  }

  model::MachineRates assumed() {
    model::MachineRates made{.assumed = "a"};
    for (const auto& [rate, described] : model::all_rates)
      if (number(0, 9) > 0) made.rates[rate] = {model::giga * figure(), model::assumed_source};
    for (const char* operation : model::operations)
      for (const MemorySpace space : all_memory_spaces)
        if (number(0, 9) > 0) made.costs[{operation, space}] = {1e-9 * figure(), 1e-12 * figure()};
    made.paths[{"", false}] = {1e-9 * figure(), model::giga * figure()};
    made.paths[{"", true}] = {1e-9 * figure(), model::giga * figure()};
    return made;
  }

  PredictedTask task() {
    PredictedTask made{.application = &applications[static_cast<std::size_t>(number(0, 2))]};
    const auto extent = [&] {
      return std::to_string(number(0, 9) > 0 ? number(1, 2000) : number(1, 2147483647));
    };
    const bool grid = made.application->is_grid();
    if (maybe())
      made.size = grid ? extent() + "x" + extent() + "x" + extent() : extent() + "x" + extent();
    made.iterations = maybe() ? number(1, 1000) : number(1, 1000000000);
    if (grid && maybe()) made.nodes = number(0, 9) > 0 ? number(1, 4) : number(0, 16);
    made.first_touch = maybe() ? Executor::Host : Executor::Device;
    made.prefetch = maybe();
    if (grid && maybe()) made.fused = number(1, made.application->most_fused > 1 ? 256 : 1);
    if (maybe()) made.assumed = assumed();
    return made;
  }

private:
  std::seed_seq random_;
  std::mt19937_64 engine_;
};

/// Every number is one, and none is negative, but a fixed cost of 0 by rounding.
void check(const Record& value) {
  for (const auto& [name, each] : value.items()) {
    if (each.is_structured()) check(each);
    if (each.is_number() &&
        !(std::isfinite(each.get<double>()) && (each.get<double>() >= 0 || name == "once")))
      std::abort();
  }
}

}  // namespace
}  // namespace memstencil::compare

/// Bytes may be refused, by a Failure of one line. Any other exception is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memstencil::compare;
  Made made(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const PredictedTask task = made.task();
    const memstencil::Record answer = answer_of(predictions_of(task, {made.machine()}), {});
    check(answer);
    to_text(answer, 100, true);
  } catch (const memstencil::Failure& failure) {
    if (std::string_view(failure.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
