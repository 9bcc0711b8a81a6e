// Each side at its best: its fastest runs of one work, of any kind, in any memory, on any number of
// GPUs.
#pragma once

#include "app/compare/judge/ranking.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// A row of a problem; no row where a side has none.
struct Best {
  const Ranked* row = nullptr;
  const Problem* problem = nullptr;

  explicit operator bool() const { return row != nullptr; }
};

/// The side's fastest row of the work.
/// @param ranks only on this number
Best best_of(const std::vector<Problem>& problems, const std::string& work, std::size_t side,
             std::optional<int> ranks = {});

/// A side and the base with one kind of step in one memory on as many ranks: the base's fastest row
/// that the side has, too, of the first such problem.
/// @param work only of this one, on one GPU; empty: of any
struct Like {
  Best here, there;
};
std::optional<Like> like_with_like(const std::vector<Problem>& problems, std::size_t side,
                                   const std::string& work = "");

/// The seconds of `slow` over those of `fast`, of one work. Of predictions on one machine both are
/// at the same end of its figures, on two machines each at either.
Ratio times_as_fast(const Best& fast, const Best& slow);

/// Half the interval of a row's time as a fraction: of its repeats, or of its prediction.
std::optional<double> half_width(const Best& best);

}  // namespace memstencil::compare
