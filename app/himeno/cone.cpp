// A few points after some sweeps, evaluated on one core of the host.
#include "app/himeno/cone.hpp"

namespace memstencil::himeno {

std::vector<float> evaluate(const Dependence& its, const Box& target, int sweeps) {
  const auto loop = [](const Box& box, const auto& body) {
    double sum = 0;
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
      for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
#pragma omp simd reduction(+ : sum)
        for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) sum += body(i, j, k);
    return sum;
  };
  std::vector<double> gosa(static_cast<std::size_t>(sweeps));
  const Piece piece(depended_on(its, target, gosa.size()), [](std::int64_t k) { return k; });
  std::vector<float> arrays(arrays_of_piece * piece.grid.elements());
  const Block block(piece.box);
  const float* const p = evaluate_piece(loop, its, piece, target, arrays.data(), gosa);
  return Block(target).values([&](auto i, auto j, auto k) { return p[block.at(i, j, k)]; });
}

}  // namespace memstencil::himeno
