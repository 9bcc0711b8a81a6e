// The energy of a run's timed part: that of its GPUs and of its hosts, where they tell it.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/record/archive.hpp"
#include "memory_spaces/memory_space.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// The record `energy`.
struct Energy {
  /// All GPUs of the run, or all its hosts, each once.
  struct Part {
    int count = 0;
    std::string from;  ///< "counter", or "power, integrated"
    /// Nothing where the timed part was too short; the clocks hold for any time.
    std::optional<double> joules, mean_watts;
    std::optional<double> max_watts;             ///< of the samples; the sum of each one's largest
    std::optional<double> joules_per_iteration;  ///< a sweep's, a transpose's
    std::optional<double> gflops_per_watt;
    std::optional<std::string> sensors;  ///< of the first host
    /// GPUs only: the lowest at the end of the timed part, and the reasons seen for low clocks.
    std::optional<double> sm_clock_mhz, memory_clock_mhz;
    std::optional<std::vector<std::string>> throttled;
  };
  std::string began;                    ///< UTC, ISO 8601 with ms: to set other meters beside it
  double seconds = 0;                   ///< that were measured
  std::optional<std::string> left_out;  ///< why there is no figure
  std::optional<Part> gpus, hosts;

  /// Were the clocks of a GPU held down?
  bool throttled() const { return gpus && gpus->throttled && !gpus->throttled->empty(); }
  /// Adds what the iterations cost, each of so many operations (0: none that count).
  void divide(double iterations, double flops_of_one);
};
void describe(Archive& a, Energy& energy);

/// "SM 1755 MHz, memory 3200 MHz at the end; throttled: power cap", of GPUs.
std::string clocks_text(const Energy::Part& gpus);
/// Lines for a person.
std::vector<std::pair<std::string, std::string>> lines_of(const Energy& energy);

/// The source of a meter: a GPU, or a host. Each function may be empty, or give nothing.
struct PowerSource {
  std::string name;     ///< a source that several ranks see counts once
  std::string sensors;  ///< of a host
  std::function<std::optional<double>()> joules, watts;
  std::function<std::vector<std::string>()> throttle_reasons;
  /// Clocks of the SMs and of the memory in MHz.
  std::function<std::pair<std::optional<double>, std::optional<double>>()> clocks;
};

/// Measures from start() to stop(). A thread of its own takes samples ten times a second; the
/// thread that computes takes none.
class EnergyMeter {
public:
  /// The GPU where it computes, and the host where its sensors are readable.
  EnergyMeter(Executor executor, const Communicator& communicator);
  /// Of given sources; null: none. `refused` says why there is no figure where neither gives one.
  EnergyMeter(std::optional<PowerSource> gpu, std::optional<PowerSource> host, std::string refused,
              const Communicator& communicator);
  ~EnergyMeter();
  EnergyMeter(const EnergyMeter&) = delete;
  EnergyMeter& operator=(const EnergyMeter&) = delete;

  void start();
  /// The whole on rank 0. Under a second of it gives no joules, because a counter is renewed
  /// every 20 to 100 ms, and the clocks alone. Collective.
  Energy stop();

private:
  struct Sampler;
  std::unique_ptr<Sampler> sampler_;
  std::string refused_;
  const Communicator& communicator_;
};

}  // namespace memstencil
