// The energy of a run's timed part: that of its GPUs, whose drivers count it.
#pragma once

#include "app/base/machine/nvml.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/memory_space.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace memstencil {

void describe(Archive& a, GpuClocks& clocks);
/// Of the GPU in use, now; nothing where its driver does not answer.
std::optional<GpuClocks> clocks_of_gpu();
/// "SM 1755 MHz, memory 3200 MHz at the end; throttled: power cap"
std::string clocks_text(const GpuClocks& clocks);

/// The record `energy`.
struct Energy {
  /// All GPUs of the run, each once, with their clocks at the end of the timed part.
  struct Gpus : GpuClocks {
    int count = 0;
    /// Nothing where the timed part was too short; the clocks hold for any time.
    std::optional<double> joules, mean_watts;
    std::optional<double> joules_per_iteration;  ///< a sweep's, a transpose's
    std::optional<double> gflops_per_watt;
  };
  double seconds = 0;                   ///< that were measured
  std::optional<std::string> left_out;  ///< why there is no figure
  std::optional<Gpus> gpus;

  /// Were the clocks of a GPU held down?
  bool throttled() const { return gpus && gpus->throttled && !gpus->throttled->empty(); }
  /// Adds what the iterations cost, each of so many operations (0: none that count).
  void divide(double iterations, double flops_of_one);
};
void describe(Archive& a, Energy& energy);

/// Lines for a person.
Lines lines_of(const Energy& energy);

/// A GPU that counts its joules, where its driver does.
struct EnergySource {
  std::string name;                               ///< one that several ranks see counts once
  std::function<std::optional<double>()> joules;  ///< since some time in the past
  std::function<GpuClocks()> clocks;
};

/// Reads the counters at start() and stop(), and nothing between them.
class EnergyMeter {
public:
  /// Of the GPU where it computes.
  EnergyMeter(Executor executor, const Communicator& communicator);
  /// Of a given source; without one `refused` says why there is no figure.
  EnergyMeter(std::optional<EnergySource> gpu, const std::string& refused,
              const Communicator& communicator)
      : gpu_(std::move(gpu)), refused_(refused), communicator_(communicator) {}

  void start();
  /// On all ranks the whole. Under a second of it gives no joules, because a counter is renewed
  /// every 20 to 100 ms, and the clocks alone. Collective.
  Energy stop();

private:
  std::optional<EnergySource> gpu_;
  std::string refused_;
  const Communicator& communicator_;
  std::optional<double> joules_before_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace memstencil
