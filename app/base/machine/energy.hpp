// The energy of a run's timed part: the joules that its GPUs count.
#pragma once

#include "app/base/machine/nvml.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/memory_space.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace memstencil {

/// The record `energy` of a run whose GPUs compute.
struct Energy {
  /// All GPUs of the run, each once, with their clocks at the end of the timed part.
  struct Gpus : GpuClocks {
    int count = 0;
    /// Nothing if the timed part was too short; the clocks hold for any time.
    std::optional<double> joules, mean_watts;
    std::optional<double> joules_per_iteration;  ///< a sweep's, a transpose's
    std::optional<double> gflops_per_watt;
    void describe(Archive& a) const;
  };
  double seconds = 0;                   ///< that were measured
  std::optional<std::string> left_out;  ///< why there is no figure
  std::optional<Gpus> gpus;

  /// Were the clocks of a GPU held down?
  bool throttled() const { return gpus && gpus->throttled && !gpus->throttled->empty(); }
  /// Adds the cost of an iteration, of `flops_of_one` operations (0: none that count).
  void divide(double iterations, double flops_of_one);
  MEMSTENCIL_DESCRIBED(seconds, left_out, gpus)
};

/// Lines for a person.
Lines lines_of(const Energy& energy);

/// A GPU that counts its joules; `joules` may give nothing.
struct EnergySource {
  std::string name;                               ///< one that several ranks see counts once
  std::function<std::optional<double>()> joules;  ///< since some time in the past
  std::function<GpuClocks()> clocks;
  std::optional<double> before = {};  ///< joules at the start
};

/// Reads the counters at start() and stop(), and nothing between them.
class EnergyMeter {
public:
  /// Of the GPU, if it computes; otherwise there is no energy to report.
  EnergyMeter(Executor executor, const Communicator& communicator);
  /// Of a given source; null: none, for the reason `refused`.
  EnergyMeter(std::optional<EnergySource> gpu, std::string refused,
              const Communicator& communicator)
      : gpu_(std::move(gpu)), refused_(std::move(refused)), communicator_(communicator) {}

  void start();
  /// The whole on all ranks; nothing if no GPU computes. Under a second gives no joules, because a
  /// counter is renewed every 20 to 100 ms, and the clocks alone. Collective.
  std::optional<Energy> stop();

private:
  std::optional<EnergySource> gpu_;
  std::string refused_;
  const Communicator& communicator_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace memstencil
