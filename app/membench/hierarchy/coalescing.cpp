// The transactions of a warp's access to global memory: by the rules of compute capability 1.2
// ([ufrgs-thesis], section 4.2.1), and by today's sectors of 32 bytes. Plain arithmetic.
#include "app/membench/hierarchy/coalescing.hpp"

#include "app/membench/hierarchy/copy.hpp"

#include <algorithm>
#include <set>

namespace memstencil::membench::coalescing {

using copy_probe::sector_bytes;

namespace {

constexpr int least_bytes = 32;

int segment_bytes_of(int word_bytes) {
  if (word_bytes == 1) return 32;
  return word_bytes == 2 ? 64 : 128;
}

/// The half of the segment that holds [low, high), if one does, and so on.
Segment cut(Segment segment, std::int64_t low, std::int64_t high) {
  while (segment.bytes > least_bytes) {
    const int half = segment.bytes / 2;
    const std::int64_t middle = segment.first + half;
    if (low < middle && high > middle) break;
    segment = {low < middle ? segment.first : middle, half};
  }
  return segment;
}

/// Of the active lanes [first, end).
std::vector<std::int64_t> addresses_of(const probes::WarpAccess& access, std::int64_t warp,
                                       unsigned first, unsigned end) {
  std::vector<std::int64_t> addresses;
  for (unsigned lane = first; lane < end; ++lane)
    if (probes::takes_part(access, lane))
      addresses.push_back(probes::copied_word(access, warp, lane) * access.word_bytes);
  return addresses;
}

}  // namespace

std::vector<Segment> segments_of_half_warp(std::span<const std::int64_t> addresses,
                                           int word_bytes) {
  const std::int64_t whole = segment_bytes_of(word_bytes);
  std::vector<std::int64_t> waiting(addresses.begin(), addresses.end());
  std::vector<Segment> out;
  while (!waiting.empty()) {
    const std::int64_t first = waiting.front() / whole * whole;
    const auto served = [&](std::int64_t address) { return address / whole * whole == first; };
    std::int64_t low = waiting.front(), high = low;
    for (const std::int64_t address : waiting) {
      if (!served(address)) continue;
      low = std::min(low, address);
      high = std::max(high, address);
    }
    out.push_back(cut({first, static_cast<int>(whole)}, low, high + word_bytes));
    std::erase_if(waiting, served);
  }
  return out;
}

std::int64_t sectors_of_warp(std::span<const std::int64_t> addresses, int word_bytes) {
  std::set<std::int64_t> touched;
  for (const std::int64_t address : addresses)
    for (std::int64_t at = address / sector_bytes; at * sector_bytes < address + word_bytes; ++at)
      touched.insert(at);
  return static_cast<std::int64_t>(touched.size());
}

Transactions transactions_of(const probes::WarpAccess& access, std::int64_t warp) {
  constexpr unsigned lanes = probes::lanes_of_warp;
  Transactions out;
  for (const unsigned first : {0U, lanes / 2})
    for (const Segment& segment : segments_of_half_warp(
             addresses_of(access, warp, first, first + lanes / 2), access.word_bytes)) {
      ++out.segments;
      out.segment_bytes += segment.bytes;
    }
  const std::vector<std::int64_t> all = addresses_of(access, warp, 0, lanes);
  out.sectors = sectors_of_warp(all, access.word_bytes);
  out.asked_bytes = static_cast<std::int64_t>(all.size()) * access.word_bytes;
  return out;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    const auto add = [&](const std::string& name, probes::WarpAccess access) {
      access.word_bytes = bytes;
      cases.push_back({name, access});
    };
    add("in order", {});
    add("reversed", {.multiplier = 31, .rotation = 31});
    add("rotated by 8 lanes", {.rotation = 8});
    add("scattered over the warp", {.multiplier = 5});
    add("every second lane", {.active = 0x55555555});
    add("every eighth lane", {.active = 0x01010101});
    add("first half-warp", {.active = 0x0000FFFF});
    add("shifted by a word", {.shift = 1});
    // The first lane is at byte 116, so that three words lie in the first segment.
    if (bytes == 4) add("figure 4.3", {.shift = 29});
  }
  return cases;
}

}  // namespace memstencil::membench::coalescing
