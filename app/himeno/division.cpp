// The best division of the grid into ranks: by the time that a pass of the slowest
// rank takes, messages included.
#include "app/himeno/division.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/model/ranks_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::himeno {

namespace {

bool allowed(const Triple& extents, const std::array<int, 3>& ranks, int halo) {
  for (std::size_t d = 0; d < 3; ++d)
    if ((extents[d] - 2) / ranks[d] < (ranks[d] > 1 ? halo : 1)) return false;
  return true;
}

}  // namespace

std::vector<Division> divisions(const Triple& extents, int ranks, int ranks_of_node,
                                model::HimenoCase like, const model::MachineRates& rates,
                                const model::MessageRates& messages) {
  like.extents = extents;
  std::vector<Division> out;
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      if (ranks / i % j != 0) continue;
      const std::array<int, 3> each{i, j, ranks / i / j};
      if (!allowed(extents, each, like.fused)) continue;
      out.push_back({each, pass_on_ranks(like, each, ranks_of_node, rates, messages)});
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Division& a, const Division& b) { return a.seconds() < b.seconds(); });
  return out;
}

std::vector<Division> divisions(const Triple& extents, int ranks, int ranks_of_node,
                                const model::HimenoCase& like, const std::string& path) {
  return divisions(extents, ranks, ranks_of_node, like, model::assumed_rates(),
                   model::assumed_message_rates(like.access.executor, path));
}

std::string choice_text(const std::vector<Division>& ranked) {
  const auto one = [](const Division& each) {
    return fmt::format("{} at {}", ranks_text(each.ranks), seconds_text(each.seconds()));
  };
  std::string text = "chosen by an estimated pass: " + one(ranked.front());
  return ranked.size() > 1 ? text + ", next " + one(ranked[1]) : text;
}

}  // namespace memstencil::himeno
