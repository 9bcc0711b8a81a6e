// Probe l2: which multiprocessors and which blocks of memory belong together, equal shares, and
// what follows from the samples.
#include "app/membench/hierarchy/l2_data.hpp"

#include <algorithm>

namespace memstencil::membench::l2_probe {

namespace {

/// Medians of the footprints that the L2 holds in each half, and of those far beyond it.
Record levels(const Record& table, std::size_t l2_bytes) {
  Record record = Record::object();
  const auto add = [&](const char* name, std::size_t first, std::size_t last) {
    std::vector<double> gbs;
    for (std::size_t n = 0; n < table["gbs"].size(); ++n) {
      const std::size_t footprint = table["footprint_bytes"][n];
      if (footprint >= first && footprint <= last) gbs.push_back(table["gbs"][n]);
    }
    if (!gbs.empty()) record[name] = statistics(gbs).median;
  };
  add("L2", std::size_t{3} << 19, l2_bytes / 4);
  // A footprint is rounded down to equal shares.
  add("memory", 4 * l2_bytes / 10 * 9, ~std::size_t{0});
  return record;
}

}  // namespace

DataChoice all_data(const L2Halves& halves, std::size_t blocks) {
  DataChoice data{.name = "all", .places = {}, .blocks = {}};
  data.places.resize(probes::stream_identifiers);
  for (std::size_t n = 0; n < halves.half_of.size(); ++n)
    if (halves.half_of[n] >= 0) data.places.at(n) = {.group = 0, .rank = data.members[0]++};
  for (probes::StreamPlace& place : data.places) place.members = data.members[0];
  for (std::size_t n = 0; n < blocks; ++n) data.blocks[0].push_back(static_cast<std::uint32_t>(n));
  return data;
}

DataChoice data_by_half(const L2Halves& halves, const std::vector<int>& half_of_block, bool far) {
  DataChoice data{.name = far ? "far" : "near", .places = {}, .blocks = {}};
  data.places.resize(probes::stream_identifiers);
  for (std::size_t n = 0; n < halves.half_of.size(); ++n) {
    const int half = halves.half_of[n];
    if (half >= 0) data.places.at(n) = {.group = half, .rank = data.members[half]++};
  }
  for (probes::StreamPlace& place : data.places)
    if (place.group >= 0) place.members = data.members[place.group];
  for (std::size_t n = 0; n < half_of_block.size(); ++n)
    if (const int half = half_of_block[n]; half >= 0)
      data.blocks[far ? 1 - half : half].push_back(static_cast<std::uint32_t>(n));
  return data;
}

Shares shares(const DataChoice& data, int arrays, std::size_t footprint) {
  const std::size_t members = data.members[0] + data.members[1];
  const std::size_t a_unit_each =
      members * static_cast<std::size_t>(arrays) * probes::stream_unit_bytes;
  const std::size_t share = std::max<std::size_t>(footprint / a_unit_each, 1);
  Shares dealt{.share = static_cast<std::uint32_t>(share),
               .footprint_bytes = share * a_unit_each,
               .fits = true};
  for (const int group : {0, 1}) {
    const std::uint32_t units = data.members[group] * dealt.share;
    const std::uint32_t blocks = (units + probes::units_of_block - 1) / probes::units_of_block;
    dealt.blocks_an_array[group] = blocks;
    dealt.fits =
        dealt.fits && static_cast<std::size_t>(arrays) * blocks <= data.blocks[group].size();
  }
  return dealt;
}

std::uint32_t sum_of_pass(const DataChoice& data, const Shares& shares) {
  // The words of a unit are an arithmetic series.
  constexpr std::uint32_t words = probes::stream_unit_words;
  const std::uint32_t step = probes::stream_word(1) - probes::stream_word(0);
  std::uint32_t sum = 0;
  for (const int group : {0, 1})
    for (std::uint32_t unit = 0; unit < data.members[group] * shares.share; ++unit) {
      const std::uint32_t block = data.blocks[group][unit / probes::units_of_block];
      const std::uint32_t first =
          (block * probes::units_of_block + unit % probes::units_of_block) * words;
      sum += words * probes::stream_word(first) + words * (words - 1) / 2 * step;
    }
  return sum;
}

void derive(const Footprints& measured, std::size_t l2_bytes, ProbeResult& result) {
  Record cycles = Record::object();
  for (const Measurement& m : result.measurements) {
    const std::string data = m.parameters["data"];
    const double of_all = median(m.samples);
    if (m.parameters.contains("access")) {
      cycles[m.parameters["access"].get<std::string>()][data] = of_all;
    } else {
      const std::string operation = m.parameters["operation"];
      add_row(result.tables[operation + ", " + data],
              {{"footprint_bytes", measured.at(m.name)}, {"gbs", of_all}});
    }
  }
  result.derived["cycles"] = cycles;
  result.derived["l2_bytes"] = l2_bytes;
  for (const auto& [kind, table] : result.tables.items())
    if (table.contains("gbs")) result.derived["gbs"][kind] = levels(table, l2_bytes);
}

}  // namespace memstencil::membench::l2_probe
