// Copies word by word, as the rules of coalescing distinguish them: a part of probe copy.
#include "app/membench/hierarchy/word_copies.hpp"

#include "app/membench/core/gpu.hpp"
#include "app/membench/hierarchy/coalescing.hpp"
#include "app/membench/hierarchy/copy.hpp"
#include "kernels/probes/pattern.hpp"
#include "kernels/probes/word_copy.hpp"

#include <algorithm>
#include <cstddef>

namespace memstencil::membench::copy_probe {

namespace {

using coalescing::Case;
using coalescing::Transactions;

constexpr std::uint64_t words_seed = 3;
/// Behind the words: room for the largest shift, and bytes that nobody may write.
constexpr std::size_t room_behind = 512;
constexpr std::size_t largest_warp = 16 * probes::lanes_of_warp;

/// Two arrays in device memory, and the source once more on the host.
class WordArrays {
public:
  explicit WordArrays(std::size_t bytes)
      : bytes_(bytes), from_(bytes + room_behind), to_(bytes + room_behind) {
    const std::size_t doubles = (bytes + room_behind) / sizeof(double);
    probes::device_pattern().write(reinterpret_cast<double*>(from_.data()), doubles, 1, words_seed);
    source_ = from_.all();
  }

  std::int64_t warps(const probes::WarpAccess& access) const {
    return static_cast<std::int64_t>(bytes_) / (access.word_bytes * probes::lanes_of_warp);
  }

  double seconds(const probes::WarpAccess& access, int times) const {
    return in_cuda<probes::seconds_of>([&] {
      for (int n = 0; n < times; ++n)
        in_cuda<probes::copy_words>(to_.data(), from_.data(), warps(access), access);
    });
  }

  /// Copies once and looks at every byte: those that no lane takes must stay as they were.
  /// @throws Failure(Verification)
  void check(const std::string& name, const probes::WarpAccess& access) {
    to_.spoil();
    seconds(access, 1);
    const std::vector<unsigned char> found = to_.all();
    const std::vector<unsigned char> idle = idle_bytes(access);
    const auto first = static_cast<std::size_t>(access.shift * access.word_bytes);
    const std::size_t end = first + static_cast<std::size_t>(warps(access)) * idle.size();
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < first; ++n) wrong += found[n] != 0xFF ? 1 : 0;
    for (std::size_t warp = first; warp < end; warp += idle.size())
      for (std::size_t n = 0; n < idle.size(); ++n)
        wrong += found[warp + n] != (source_[warp + n] | idle[n]) ? 1 : 0;
    for (std::size_t n = end; n < found.size(); ++n) wrong += found[n] != 0xFF ? 1 : 0;
    verify(wrong == 0, "{}: {} of {} bytes are wrong", name, wrong, found.size());
  }

private:
  std::size_t bytes_;
  DeviceArray<unsigned char> from_, to_;
  std::vector<unsigned char> source_;

  /// Of the words of a warp: 0xFF for each byte that no lane takes, otherwise 0.
  static std::vector<unsigned char> idle_bytes(const probes::WarpAccess& access) {
    const auto word = static_cast<std::size_t>(access.word_bytes);
    std::vector<unsigned char> idle(word * probes::lanes_of_warp, 0xFF);
    for (unsigned lane = 0; lane < probes::lanes_of_warp; ++lane) {
      if (!probes::takes_part(access, lane)) continue;
      const std::int64_t in_warp = probes::copied_word(access, 0, lane) - access.shift;
      std::fill_n(idle.begin() + in_warp * access.word_bytes, word, static_cast<unsigned char>(0));
    }
    return idle;
  }
};

/// Of one warp: all are alike, which a test pins.
Transactions counted(const Case& each) { return coalescing::transactions_of(each.access); }

}  // namespace

void measure_words(std::size_t bytes, Collector& collector) {
  const std::size_t whole = std::max(bytes / largest_warp, std::size_t{1}) * largest_warp;
  require_memory(MemorySpace::Device, 2 * (whole + room_behind));
  WordArrays arrays(whole);
  for (const Case& each : coalescing::all_cases()) {
    const std::string name =
        fmt::format("words of {} bytes, {}, {} bytes", each.access.word_bytes, each.name, whole);
    const double asked = 2.0 * static_cast<double>(counted(each).asked_bytes) *
                         static_cast<double>(arrays.warps(each.access));
    const int times = back_to_back(asked);
    arrays.check(name, each.access);
    collector.measure(
        name, {{"access", each.name}, {"word_bytes", each.access.word_bytes}, {"bytes", whole}},
        "GB/s", [&] { return times * asked / arrays.seconds(each.access, times) * 1e-9; });
  }
}

bool is_of_words(const Measurement& measurement) {
  return measurement.parameters.contains("word_bytes");
}

void add_word_tables(ProbeResult& result) {
  const std::vector<Case> cases = coalescing::all_cases();
  for (const Measurement& m : result.measurements) {
    if (!is_of_words(m)) continue;
    const auto each = std::find_if(cases.begin(), cases.end(), [&](const Case& c) {
      return m.parameters["access"] == c.name && m.parameters["word_bytes"] == c.access.word_bytes;
    });
    const Transactions count = counted(*each);
    const auto asked = static_cast<double>(count.asked_bytes);
    const double gbs = median(m.samples);
    const double l2_gbs = gbs * static_cast<double>(sector_bytes * count.sectors) / asked;
    const auto bytes = m.parameters["bytes"].get<std::size_t>();
    result.derived[fmt::format("l2_gbs of {} bytes", bytes)][each->name]
                  [fmt::format("words of {}", each->access.word_bytes)] = l2_gbs;
    add_row(result.tables[fmt::format("coalescing, {}, {} bytes", each->name, bytes)],
            {{"word_bytes", each->access.word_bytes},
             {"gbs", gbs},
             {"asked_bytes", count.asked_bytes},
             {"segments_cc12", count.segments},
             {"segment_bytes_cc12", count.segment_bytes},
             {"sectors", count.sectors},
             {"l2_gbs", l2_gbs}});
  }
}

}  // namespace memstencil::membench::copy_probe
