// Probe block: cost of a barrier, of divergent paths, and of strides in shared memory
// ([ufrgs-thesis], 3.1.1, 3.1.2, 4.3.1).
#include "kernels/probes/block.hpp"

#include "app/membench/core/gpu.hpp"

namespace memstencil::membench::block_probe {

namespace {

/// [ufrgs-thesis], 4.1: at least 20 iterations.
constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 100};
constexpr int iterations = 64;
/// Bodies of the timed loop, that before the clock starts included.
constexpr std::uint32_t bodies = iterations + 1;
constexpr int powers[]{1, 2, 4, 8, 16, 32};

/// One block, its results and the times of its warps.
class Block {
public:
  Block(int warps, std::size_t results)
      : results_(results), times_(static_cast<std::size_t>(warps)) {}

  probes::BlockJob job() {
    results_.spoil();
    return {iterations, results_.data(), times_.data()};
  }
  /// From the first warp's begin to the last one's end, by the multiprocessor's clock.
  double cycles() const {
    const std::vector<probes::WarpTimes> times = times_.all();
    return sm_cycles(times, static_cast<int>(times.size())).longest;
  }
  std::vector<std::uint32_t> results() const { return results_.all(); }

private:
  DeviceArray<std::uint32_t> results_;
  DeviceArray<probes::WarpTimes> times_;
};

/// The barriers of all warps, alone and with a word that each thread hands on.
void measure_barriers(Collector& collector) {
  for (const bool exchange : {false, true})
    for (const int warps : powers) {
      const auto threads = static_cast<std::size_t>(32 * warps);
      const std::string kind = exchange ? "exchange by a barrier" : "barrier";
      const std::string name = fmt::format("{}, {} warps", kind, warps);
      Block block(warps, threads);
      const Samples samples =
          collector.measure(name, {{"kind", kind}, {"warps", warps}}, "cycles", [&] {
            if (exchange)
              in_cuda<probes::run_exchanges>(block.job(), warps);
            else
              in_cuda<probes::run_barriers>(block.job(), warps);
            return block.cycles() / (iterations * probes::barrier_body);
          });
      if (exchange)
        verify_all(name, block.results(), [&](std::size_t thread) {
          constexpr std::size_t steps = std::size_t{bodies} * probes::barrier_body;
          return static_cast<std::uint32_t>((thread + steps) % threads + steps);
        });
      add_row(collector.result.tables[kind], {{"warps", warps}, {"cycles", median(samples)}});
    }
}

/// A warp whose lanes take several paths, against one whose lanes take the same.
void measure_paths(Collector& collector) {
  double one_path = 0;
  for (const int paths : powers) {
    const std::string name = fmt::format("{} paths in a warp", paths);
    Block block(1, 32);
    const Samples samples =
        collector.measure(name, {{"kind", "paths"}, {"paths", paths}}, "cycles", [&] {
          in_cuda<probes::run_paths>(block.job(), paths);
          return block.cycles() / iterations;
        });
    verify_all(name, block.results(), [&](std::size_t lane) {
      auto x = static_cast<std::uint32_t>(lane);
      for (std::uint32_t n = 0; n < bodies * probes::path_body; ++n)
        x = probes::path_step(x, static_cast<std::uint32_t>(lane) % static_cast<unsigned>(paths));
      return x;
    });
    const double cycles = median(samples);
    if (paths == 1) one_path = cycles;
    add_row(collector.result.tables["divergence"],
            {{"paths", paths}, {"cycles", cycles}, {"of_one_path", cycles / one_path}});
  }
}

std::uint32_t sum_of_loads(std::uint32_t lane, std::uint32_t stride) {
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < probes::stride_body; ++k)
    sum += probes::loaded_word(lane * stride + k);
  return bodies * sum;
}

/// Each word is what the last access that reaches it stores there: access k of lane n reaches word
/// n * stride + k, and a lane's later accesses come later.
void verify_stores(const std::string& name, const std::vector<std::uint32_t>& words,
                   std::uint32_t stride) {
  for (std::size_t n = 0; n < words.size(); ++n) {
    const auto word = static_cast<std::uint32_t>(n % probes::stride_words);
    bool right = false, reached = false;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (word < lane * stride || word - lane * stride >= probes::stride_body) continue;
      reached = true;
      right = right || words[n] == probes::stored_word(lane, word - lane * stride);
    }
    verify(reached ? right : words[n] == 0, "{}: word {} is {}, which no lane stores there", name,
           n, words[n]);
  }
}

/// Accesses of 32-bit words that are so many words apart from lane to lane; 0: all of one word.
void measure_strides(Collector& collector) {
  for (const bool store : {false, true})
    for (const int stride : {0, 1, 2, 4, 8, 16, 32}) {
      const std::string kind = store ? "shared store" : "shared load";
      const std::string name =
          kind + (stride == 0 ? ", one address" : fmt::format(", stride {}", stride));
      constexpr std::size_t threads = 32 * probes::stride_warps;
      Block block(probes::stride_warps,
                  store ? std::size_t{probes::stride_warps} * probes::stride_words : threads);
      const Samples samples =
          collector.measure(name, {{"kind", kind}, {"stride", stride}}, "cycles", [&] {
            if (store)
              in_cuda<probes::run_strided_stores>(block.job(), stride);
            else
              in_cuda<probes::run_strided_loads>(block.job(), stride);
            return block.cycles() / (iterations * probes::stride_body * probes::stride_warps);
          });
      if (store)
        verify_stores(name, block.results(), static_cast<std::uint32_t>(stride));
      else
        verify_all(name, block.results(), [&](std::size_t thread) {
          return sum_of_loads(static_cast<std::uint32_t>(thread % 32),
                              static_cast<std::uint32_t>(stride));
        });
      add_row(collector.result.tables[kind], {{"stride", stride}, {"cycles", median(samples)}});
    }
}

/// Cycles of so many paths over those of one.
Record of_one_path(const ProbeResult& result) {
  Record ratios = Record::object();
  double one_path = 0;
  for (const Measurement& m : result.measurements) {
    if (m.parameters["kind"] != "paths") continue;
    const double cycles = median(m.samples);
    if (m.parameters["paths"] == 1) one_path = cycles;
    ratios[m.name] = cycles / one_path;
  }
  return ratios;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual);
  for (int n = settings.experiment_count(); n > 0; --n) {
    measure_barriers(collector);
    measure_paths(collector);
    measure_strides(collector);
  }
  collector.result.derived["of_one_path"] = of_one_path(collector.result);
  collector.result.notes = {
      "cycles of one barrier of a block; of 64 dependent multiply-adds of a warp, once for each "
      "path; of one access of a warp to shared memory, where 8 warps access it all the time",
      "stride 0: all lanes of a warp access one word"};
  return collector.result;
}

}  // namespace

extern const Probe probe{.name = "block",
                         .summary = "a barrier, divergent paths, and strides in shared memory",
                         .source = "[ufrgs-thesis], 3.1 and 4.3.1",
                         .counted = "cycles of a barrier, of a warp's paths, of a warp's access",
                         .refused = refuse_without_cuda,
                         .run = run};

}  // namespace memstencil::membench::block_probe
