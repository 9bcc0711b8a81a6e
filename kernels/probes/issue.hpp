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
  // Mixes: a step is so many FP32 FMAs and one other instruction, none of which waits for another
  // of the step. If each unit keeps the rate that it has alone, they fill all four schedulers.
  Fp32AndFp64,        ///< 1 and an FP64 FMA
  Fp32AndSharedLoad,  ///< 3 and a SharedLoad
  Fp32AndRsqrt,       ///< 7 and a Rsqrt
  // Shuffles of 32 bits over the whole warp
  ShuffleIdx,   ///< from the next lane, cyclic
  ShuffleUp,    ///< from the lane below
  ShuffleDown,  ///< from the lane above
  ShuffleXor    ///< as ShuffleIdx, by the mask that brings a lane there
};
inline constexpr std::array all_instructions{
    Instruction::Fp32Fma,      Instruction::Fp64Fma,     Instruction::Fp16x2Fma,
    Instruction::Int32Add,     Instruction::Int32Mad,    Instruction::Exp2,
    Instruction::Rsqrt,        Instruction::SharedLoad,  Instruction::SharedStore,
    Instruction::L1Load,       Instruction::Fp32AndFp64, Instruction::Fp32AndSharedLoad,
    Instruction::Fp32AndRsqrt, Instruction::ShuffleIdx,  Instruction::ShuffleUp,
    Instruction::ShuffleDown,  Instruction::ShuffleXor};

/// Independent instructions that are compiled: all divide the loop's body.
inline constexpr std::array issue_ilps{1, 2, 3, 4, 6, 8};
/// Instructions of the kind in the body of the timed loop.
inline constexpr int issue_body = 240;
/// Loads walk a ring of so many rows of 32 addresses, a row an instruction.
inline constexpr int ring_rows = 16;

/// Instructions that a step of a chain consists of: independent
/// instructions come in multiples of it.
constexpr int instructions_a_step(Instruction instruction) {
  switch (instruction) {
    case Instruction::Fp32AndFp64:
      return 2;
    case Instruction::Fp32AndSharedLoad:
      return 4;
    case Instruction::Fp32AndRsqrt:
      return 8;
    default:
      return 1;
  }
}

/// An SM has four quarters, each with a scheduler. Warp n of a block runs on quarter n % 4.
inline constexpr int quarters = 4;

/// One launch: on each of `multiprocessors` SMs `warps` warps (1..64; above 32 an even number; in
/// one quarter 1..8).
struct IssueJob {
  Instruction instruction = Instruction::Fp32Fma;
  int ilp = 1;  ///< independent instructions: of issue_ilps, a multiple of instructions_a_step()
  int warps = 1;
  bool one_quarter = false;  ///< all of them, and not spread over four
  int iterations = 1;        ///< of the timed loop; one more goes before
  int multiprocessors = 1;
  const std::uint64_t* ring =
      nullptr;                 ///< device: [row][lane] holds the address of [row + 1][lane], cyclic
  double* results = nullptr;   ///< device: a value a thread: the sum of its chains' ends
  WarpTimes* times = nullptr;  ///< device: one a warp
};

/// Runs it and waits. @throws CudaError where the launch or the kernel failed
void run_issue(const IssueJob& job);

}  // namespace memstencil::probes
