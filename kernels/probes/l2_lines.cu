// Probe l2: accesses to lines and to blocks, timed from the multiprocessors of each half.
#include "kernels/probes/l2_lines.cuh"

namespace memstencil {

std::vector<std::vector<double>> l2_line_cycles(L2Access access, unsigned* memory, void* scratch) {
  switch (access) {
    case L2Access::Load:
      return l2_line_cycles<L2Access::Load>(memory, scratch);
    case L2Access::LoadAfterAtomicAddition:
      return l2_line_cycles<L2Access::LoadAfterAtomicAddition>(memory, scratch);
    case L2Access::AtomicAddition:
      break;
  }
  return l2_line_cycles<L2Access::AtomicAddition>(memory, scratch);
}

void time_l2_blocks(const L2Halves& halves, unsigned* memory, std::size_t blocks, void* scratch,
                    std::vector<double> (&cycles)[2]) {
  constexpr int repeats = 4;
  const int lines = static_cast<int>(2 * blocks);
  std::vector<L2Visit> visits(l2_identifiers);
  int met[2] = {0, 0};
  for (std::size_t n = 0; n < visits.size(); ++n) {
    const int half = halves.half_of[n];
    if (half < 0) continue;
    const int first = met[half]++, step = halves.count(half);
    visits[n] = {
        .row = half, .first = first, .step = step, .count = (lines - first + step - 1) / step};
  }
  const L2Lines ends{memory, lines, l2_block_bytes, l2_block_bytes - 128};
  auto rows = timed_lines<L2Access::AtomicAddition>(ends, visits, 2, repeats, scratch);
  for (int half : {0, 1}) cycles[half] = std::move(rows[static_cast<std::size_t>(half)]);
}

}  // namespace memstencil
