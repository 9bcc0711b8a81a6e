// The energy of a run's timed part: that of its GPUs and of its hosts, where they count it.
#pragma once

#include "app/base/machine/nvml.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"
#include "memory_spaces/memory_space.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// "SM 1755 MHz, memory 3200 MHz at the end; throttled: power cap"
std::string clocks_text(const GpuClocks& clocks);

/// The record `energy`.
struct Energy {
  /// All GPUs of the run with their clocks at the end of the timed part, or all its hosts; each
  /// once.
  struct Part : GpuClocks {
    int count = 0;
    /// Nothing where the timed part was too short; the clocks hold for any time.
    std::optional<double> joules, mean_watts;
    std::optional<double> joules_per_iteration;  ///< a sweep's, a transpose's
    std::optional<double> gflops_per_watt;
    void describe(Archive& a) const;
  };
  double seconds = 0;                   ///< that were measured
  std::optional<std::string> left_out;  ///< why there is no figure
  std::optional<Part> gpus, hosts;

  /// Were the clocks of a GPU held down?
  bool throttled() const { return gpus && gpus->throttled && !gpus->throttled->empty(); }
  /// Adds what the iterations cost, each of so many operations (0: none that count).
  void divide(double iterations, double flops_of_one);
  MEMSTENCIL_DESCRIBED(seconds, left_out, gpus, hosts)
};

/// Lines for a person.
std::vector<std::pair<std::string, std::string>> lines_of(const Energy& energy);

/// A GPU, or a host, that counts its joules. `joules` may give nothing, `clocks` be empty.
struct EnergySource {
  std::string name;                               ///< one that several ranks see counts once
  std::function<std::optional<double>()> joules;  ///< since some time in the past
  std::function<GpuClocks()> clocks;
  std::optional<double> before = {};  ///< joules at the start
};

/// The energy of a host's processors, where their counters of joules are readable: RAPL, of the
/// packages that the kernel's power capping names (`intel-rapl:N`, on AMD's processors, too). Most
/// systems let root alone read them.
class HostEnergy {
public:
  using Clock = std::chrono::steady_clock;

  /// A test puts another folder in its place, whose counters it knows.
  static inline std::filesystem::path system = "/";
  /// Reads sys/class/powercap under `root`.
  explicit HostEnergy(const std::filesystem::path& root = system);

  bool readable() const { return !packages_.empty(); }
  /// Joules of all packages since the first call. A counter begins anew at the end of its range:
  /// nothing where that may have happened more than once since the call before.
  std::optional<double> joules(Clock::time_point now = Clock::now());

private:
  struct Package {
    std::filesystem::path counter;
    double range = 0, last = 0;  ///< in microjoules
  };
  std::vector<Package> packages_;
  std::optional<Clock::time_point> before_;
  double joules_ = 0;
};

/// Reads the counters at start() and stop(), and nothing between them.
class EnergyMeter {
public:
  /// The GPU where it computes, and the host where its counters are readable.
  EnergyMeter(Executor executor, const Communicator& communicator);
  /// Of given sources; null: none. `refused` says why there is no figure where neither gives one.
  EnergyMeter(std::optional<EnergySource> gpu, std::optional<EnergySource> host,
              std::string refused, const Communicator& communicator);

  void start();
  /// On all ranks the whole. Under a second of it gives no joules, because a counter is renewed
  /// every 20 to 100 ms, and the clocks alone. Collective.
  Energy stop();

private:
  std::optional<EnergySource> gpu_, host_;
  std::string refused_;
  const Communicator& communicator_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace memstencil
