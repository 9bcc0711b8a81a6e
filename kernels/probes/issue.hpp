// Probe issue: streams of one instruction, by so many warps of an SM, so many of them independent.
#pragma once

#include "kernels/probes/clocks.hpp"

#include <array>
#include <cstdint>

namespace memstencil::probes {

/// The instructions of the timed loop. Each instruction needs the result of
/// the one before in its chain.
enum class Instruction {
  Fp32Fma,
  Fp64Fma,
  Fp16x2Fma,
  Int32Add,  ///< of three operands
  Int32Mad,
  Exp2,
  Rsqrt,
  SharedLoad,   ///< 4 bytes a lane, no bank conflict
  SharedStore,  ///< 4 bytes a lane, no bank conflict; nothing depends on a store
  L1Load,       ///< 8 bytes a lane, neighbouring
  Fp32AndFp64   ///< a chain is a pair: one FP32 and one FP64 FMA, independent of each other
};
inline constexpr std::array all_instructions{
    Instruction::Fp32Fma,  Instruction::Fp64Fma,    Instruction::Fp16x2Fma,
    Instruction::Int32Add, Instruction::Int32Mad,   Instruction::Exp2,
    Instruction::Rsqrt,    Instruction::SharedLoad, Instruction::SharedStore,
    Instruction::L1Load,   Instruction::Fp32AndFp64};

/// Independent instructions that are compiled: all divide the loop's body.
inline constexpr std::array issue_ilps{1, 2, 3, 4, 6, 8};
/// Instructions of the kind in the body of the timed loop.
inline constexpr int issue_body = 240;
/// Loads walk a ring of so many rows of 32 addresses, a row an instruction.
inline constexpr int ring_rows = 16;

/// Instructions that a step of a chain consists of: independent
/// instructions come in multiples of it.
constexpr int instructions_a_step(Instruction instruction) {
  return instruction == Instruction::Fp32AndFp64 ? 2 : 1;
}

/// One launch: on each of `multiprocessors` SMs `warps` warps (1..64; above 32 an even number).
struct IssueJob {
  Instruction instruction = Instruction::Fp32Fma;
  int ilp = 1;  ///< independent instructions: of issue_ilps, a multiple of instructions_a_step()
  int warps = 1;
  int iterations = 1;  ///< of the timed loop; one more goes before
  int multiprocessors = 1;
  const std::uint64_t* ring =
      nullptr;                 ///< device: [row][lane] holds the address of [row + 1][lane], cyclic
  double* results = nullptr;   ///< device: a value a thread: the sum of its chains' ends
  WarpTimes* times = nullptr;  ///< device: one a warp
};

/// Runs it and waits. @throws CudaError where the launch or the kernel failed
void run_issue(const IssueJob& job);

}  // namespace memstencil::probes
