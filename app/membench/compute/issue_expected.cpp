// What the threads of probe issue have to end with, worked out on the host.
#include "app/membench/compute/issue.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace memstencil::membench::issue_probe {

using probes::Instruction;

namespace {

/// The solution of 2^-x = x.
constexpr double fixed_point_of_exp2 = 0.641185744504986;
/// ex2.approx.ftz.f32 is within 2 units of the last place, rsqrt.approx.ftz.f32 within
/// 2^-22.9 relative (PTX ISA, ex2 and rsqrt); each step of the chains halves the errors
/// of earlier ones, or nearly.
constexpr double approximation = 1e-6;

double tribonacci_like(std::uint32_t x, int steps) {
  std::uint32_t last = 1;
  for (int n = 0; n < steps; ++n) last = std::exchange(x, x + last + 1);
  return x;
}

/// The end of chain number `chain` after so many steps from its start, chain + lane.
double chain_end(Instruction instruction, int chain, int lane, int steps) {
  const double start = chain + lane;
  switch (instruction) {
    case Instruction::Fp32Fma:
    case Instruction::Fp64Fma:
    case Instruction::Int32Mad:
      return start + steps;
    case Instruction::Fp32AndFp64:
      return 2 * (start + steps);
    case Instruction::Fp32AndSharedLoad:
    case Instruction::Fp32AndRsqrt: {
      const int singles = probes::instructions_a_step(instruction) - 1;
      double sum = 0;
      for (int n = 0; n < singles; ++n) sum += singles * chain + n + lane + steps;
      return sum;
    }
    // A half has 11 bits: at 2048 adding 1 changes nothing any more.
    case Instruction::Fp16x2Fma:
      return 2 * std::min(start + steps, 2048.0);
    case Instruction::Int32Add:
      return tribonacci_like(static_cast<std::uint32_t>(chain + lane), steps);
    case Instruction::Exp2:
      return fixed_point_of_exp2;
    case Instruction::Rsqrt:
      return 1;
    case Instruction::SharedStore:
      return start + 1;
    case Instruction::SharedLoad:
    case Instruction::L1Load:
      return (chain + steps) % probes::ring_rows;
    case Instruction::ShuffleIdx:
    case Instruction::ShuffleXor:
      return chain + (lane + steps) % 32;
    case Instruction::ShuffleUp:
      return chain + std::max(lane - steps, 0);
    case Instruction::ShuffleDown:
      return chain + std::min(lane + steps, 31);
  }
  return 0;
}

}  // namespace

double expected_result(Instruction instruction, int ilp, int lane, int executed) {
  const int chains = ilp / probes::instructions_a_step(instruction);
  double sum = 0;
  for (int c = 0; c < chains; ++c) sum += chain_end(instruction, c, lane, executed / ilp);
  return sum;
}

double allowed_error(Instruction instruction, int ilp) {
  switch (instruction) {
    case Instruction::Exp2:
    case Instruction::Rsqrt:
      return approximation * ilp;
    case Instruction::Fp32AndRsqrt:
      // Each of n steps multiplies by a root of 1, which is off by up to 2.6e-7: together n^2 / 2
      // times that, so about half a step in each chain of the probe.
      return 0.6 * ilp * 7 / 8;
    default:
      return 0;
  }
}

}  // namespace memstencil::membench::issue_probe
