// Probe overlap: does work of the multiprocessors hide a copy over the link? ([ufrgs-thesis],
// chapter 1)
#include "app/membench/core/gpu.hpp"
#include "app/membench/link/link.hpp"
#include "kernels/probes/link.hpp"

#include <algorithm>
#include <cmath>

namespace memstencil::membench::overlap_probe {

using link_probe::ArrayPair;
using link_probe::Leg;
using link_probe::new_seed;
using probes::Work;

namespace {

/// [ufrgs-thesis], 4.1: at least 20 iterations.
constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 40};
constexpr std::size_t usual_bytes = std::size_t{256} << 20;

/// An array of the link's copies at both ends, one inside the GPU's memory, and words to compute
/// on.
struct Arrays {
  explicit Arrays(std::size_t bytes)
      : count(bytes / sizeof(double)),
        host(MemorySpace::HostPinned, bytes),
        device(MemorySpace::Device, bytes),
        inside(MemorySpace::Device, bytes),
        words(static_cast<std::size_t>(resident_threads * gpu_facts().multiprocessors)) {}

  std::size_t count;
  ArrayPair host, device, inside;
  DeviceArray<std::uint32_t> words;
};

probes::Transfer transfer_of(const Leg& leg, std::size_t count) {
  return {leg.to.data, leg.from.data, count};
}

/// Runs what is given as a sample, and holds the data of each part against what is right.
class Run {
public:
  Run(Arrays& arrays, const Leg* copy, const Work* work)
      : arrays_(arrays), copy_(copy), work_(work), seed_(new_seed()) {
    if (copy_) copy_->from.pattern->write(copy_->from.data, arrays_.count, 1, seed_);
    if (!work_) return;
    inside().from.pattern->write(inside().from.data, arrays_.count, 1, seed_);
    arrays_.words.spoil();  // ~0 in all
  }

  double seconds() {
    const probes::Transfer transfer =
        copy_ ? transfer_of(*copy_, arrays_.count) : probes::Transfer{};
    if (work_) passes_ += static_cast<std::uint64_t>(work_->passes);
    return in_cuda<probes::seconds_beside>(copy_ ? &transfer : nullptr, work_);
  }

  /// @throws Failure(Verification)
  void check(const std::string& name) const {
    if (copy_) check_copy(name, *copy_);
    if (!work_) return;
    if (work_->kind == Work::Kind::Memory) {
      check_copy(name + ", work", inside());
      return;
    }
    const std::uint32_t right = after_steps(passes_ * probes::work_steps);
    verify_all(name + ", work", arrays_.words.all(), [&](std::size_t) { return right; });
  }

private:
  Leg inside() const { return {arrays_.inside.first(), arrays_.inside.second()}; }
  void check_copy(const std::string& name, const Leg& leg) const {
    const std::size_t wrong = leg.to.pattern->wrong(leg.to.data, arrays_.count, 1, seed_);
    verify(wrong == 0, "{}: {} of {} elements are not what was copied", name, wrong, arrays_.count);
  }
  /// A step is x -> a x + c; so are two, and so on: by the bits of the number.
  static std::uint32_t after_steps(std::uint64_t steps) {
    std::uint32_t c = probes::work_step(0), a = probes::work_step(1) - c, x = ~std::uint32_t{0};
    for (; steps > 0; steps /= 2) {
      if (steps % 2 == 1) x = a * x + c;
      c = a * c + c;
      a *= a;
    }
    return x;
  }

  Arrays& arrays_;
  const Leg* copy_;
  const Work* work_;
  std::uint64_t seed_, passes_ = 0;
};

/// Of the parts, each that is given. Gives the median seconds of this experiment.
double measure(const std::string& name, const Record& parameters, Arrays& arrays, const Leg* copy,
               const Work* work, Collector& collector) {
  Run run(arrays, copy, work);
  const Samples samples = collector.measure(name, parameters, "s", [&] { return run.seconds(); });
  run.check(name);
  return median(samples);
}

/// Of so many passes that it takes about as long as the copy.
Work work_as_long_as(double seconds, Work::Kind kind, Arrays& arrays) {
  Work work{.kind = kind,
            .inside = transfer_of({arrays.inside.first(), arrays.inside.second()}, arrays.count),
            .first = arrays.words.data(),
            .words = static_cast<std::uint32_t>(resident_threads * gpu_facts().multiprocessors),
            .passes = kind == Work::Kind::Arithmetic ? 64 : 8};
  Run trial(arrays, nullptr, &work);  // fills what the kernel reads
  trial.seconds();
  const double of_pass = trial.seconds() / work.passes;
  work.passes = static_cast<int>(std::clamp(std::round(seconds / of_pass), 1.0, 1e6));
  return work;
}

void measure_direction(const std::string& direction, const Leg& copy, Arrays& arrays,
                       Collector& collector) {
  const double alone = measure(direction + ", copy alone",
                               {{"direction", direction}, {"work", "none"}, {"part", "copy"}},
                               arrays, &copy, nullptr, collector);
  for (const auto kind : {Work::Kind::Arithmetic, Work::Kind::Memory}) {
    const std::string name = kind == Work::Kind::Arithmetic ? "arithmetic" : "memory";
    const Work work = work_as_long_as(alone, kind, arrays);
    const auto measure_part = [&](const std::string& part, const Leg* leg) {
      measure(fmt::format("{}, {}, {}", direction, name, part),
              {{"direction", direction}, {"work", name}, {"part", part}}, arrays, leg, &work,
              collector);
    };
    measure_part("kernel alone", nullptr);
    measure_part("both", &copy);
  }
}

/// From the medians over all experiments.
Record hidden_shares(const std::vector<Measurement>& measurements) {
  Record seconds, derived = Record::object();
  for (const Measurement& m : measurements) {
    const std::string direction = m.parameters["direction"], work = m.parameters["work"],
                      part = m.parameters["part"];
    seconds[direction][work][part] = median(m.samples);
  }
  for (const auto& [direction, of_work] : seconds.items()) {
    const double alone = of_work["none"]["copy"];
    for (const auto& [work, of_part] : of_work.items()) {
      if (work == "none") continue;
      const double kernel = of_part["kernel alone"], both = of_part["both"];
      derived[direction][work] = {{"copy_seconds", alone},
                                  {"kernel_seconds", kernel},
                                  {"both_seconds", both},
                                  {"hidden", (alone + kernel - both) / std::min(alone, kernel)}};
    }
  }
  return derived;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  const std::size_t bytes = settings.bytes.value_or(usual_bytes) / 16 * 16;
  require_memory(MemorySpace::HostPinned, 2 * bytes);
  require_memory(MemorySpace::Device, 4 * bytes);
  for (int n = settings.experiment_count(); n > 0; --n) {
    Arrays arrays(bytes);
    measure_direction("HtoD", {arrays.host.first(), arrays.device.first()}, arrays, collector);
    measure_direction("DtoH", {arrays.device.second(), arrays.host.second()}, arrays, collector);
  }
  collector.result.derived = hidden_shares(collector.result.measurements);
  collector.result.notes = {
      "copies by the copy engine, between pinned and device memory; the kernel is as long as the "
      "copy, about: 'arithmetic' in registers, 'memory' copies inside device memory",
      "hidden: the part of the shorter one that the other hides; 1: both take what the longer one "
      "takes, 0: they go one after the other"};
  return collector.result;
}

}  // namespace

extern const Probe probe{.name = "overlap",
                         .summary = "a copy over the link beside a kernel",
                         .source = "[ufrgs-thesis], chapter 1",
                         .counted = "seconds of each alone and of both",
                         .options = {&size_option},
                         .refused = refuse_without_cuda,
                         .run = run};

}  // namespace memstencil::membench::overlap_probe
