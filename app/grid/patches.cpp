// Which points of a rank are compared after the time loop: where faults of it would stand.
#include "app/grid/cone.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

namespace memstencil {

namespace {

/// Updates that all patches of a rank take, about: less than half a second of a core.
constexpr std::int64_t most_updates = std::int64_t{1} << 24;
/// Points that are evaluated at once, with all that they depend on: 29 MB of 14 arrays of
/// floats.
constexpr std::int64_t most_points = std::int64_t{1} << 19;
constexpr std::int64_t patch_side = 8;
constexpr std::size_t most_random_patches = 1000;

/// Patches at corners, edges and faces, anywhere, and at faces behind which another rank owns the
/// points: of each kind in random order.
using ByKind = std::array<std::vector<Box>, 5>;

ByKind all_patches(const Subdomain& subdomain) {
  const Box& owned = subdomain.grid.owned;
  std::mt19937_64 random(static_cast<std::uint64_t>(subdomain.rank()));
  // By direction: the lowest place (-1), the highest (1), or a random one (0).
  const auto patch = [&](const std::array<int, 3>& places) {
    Box box{};
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t room = std::max<std::int64_t>(owned.hi[d] - owned.lo[d] - patch_side, 0);
      std::int64_t further = places[d] < 0 ? 0 : room;
      if (places[d] == 0) further = std::uniform_int_distribution<std::int64_t>(0, room)(random);
      box.lo[d] = owned.lo[d] + further;
      box.hi[d] = std::min(box.lo[d] + patch_side, owned.hi[d]);
    }
    return box;
  };
  ByKind out;
  for (int n = 0; n < 27; ++n) {
    const std::array places{n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
    const auto kind = std::count(places.begin(), places.end(), 0);
    out.at(static_cast<std::size_t>(kind)).push_back(patch(places));
  }
  std::vector<std::array<int, 3>> joints;
  for (int d = 0; d < 3; ++d)
    for (const int end : {-1, 1})
      if (subdomain.neighbour(d, end)) joints.emplace_back().at(static_cast<std::size_t>(d)) = end;
  for (std::size_t n = 0; n < most_random_patches; ++n)
    if (n % 2 == 0 && !joints.empty())
      out[4].push_back(patch(joints[n / 2 % joints.size()]));
    else
      out[3].push_back(patch({}));
  for (std::vector<Box>& boxes : out) std::shuffle(boxes.begin(), boxes.end(), random);
  return out;
}

}  // namespace

bool evaluated_quickly(const Subdomain& subdomain, std::int64_t sweeps) {
  const Box owned = subdomain.global_box(subdomain.grid.owned);
  if (sweeps > most_updates / owned.points()) return false;
  const int count = static_cast<int>(sweeps);
  return updates(subdomain.global, owned, count) <= most_updates &&
         kept_points(subdomain.global, owned, count) <= most_points;
}

double most_kept_points(const Triple& global, int sweeps) {
  double whole = 1, of_patch = 1;  // 64 bits may not count the points before the check of memory
  for (const std::int64_t extent : global) {
    whole *= static_cast<double>(extent);
    of_patch *= static_cast<double>(std::min<std::int64_t>(extent, patch_side + 2 * sweeps));
  }
  return std::max(std::min(whole, static_cast<double>(most_points)), of_patch);
}

std::vector<Box> patches(const Subdomain& subdomain, int sweeps) {
  if (evaluated_quickly(subdomain, sweeps)) return {subdomain.grid.owned};
  const auto cost = [&](const Box& box) {
    return updates(subdomain.global, subdomain.global_box(box), sweeps);
  };
  const ByKind by_kind = all_patches(subdomain);
  std::vector<Box> out;
  std::int64_t left = most_updates;
  for (std::size_t n = 0; n <= most_random_patches; ++n)  // as many as a kind may have
    for (const std::vector<Box>& boxes : by_kind)
      if (n < boxes.size() && (n == 0 || cost(boxes[n]) <= left)) {
        left -= cost(boxes[n]);
        out.push_back(boxes[n]);
      }
  return out;
}

}  // namespace memstencil
