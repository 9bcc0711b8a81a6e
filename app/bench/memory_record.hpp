// The part of a result that all applications have: who computed, and the memory of the arrays; and
// its lines in a report.
#pragma once

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"
#include "app/base/record/statistics.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/memory_space.hpp"
#include "memory_spaces/residency.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace memstencil {

/// `execution`: the execution space, and how the host's threads are bound.
struct ExecutionRecord {
  std::string space;
  std::optional<int> host_threads;
  std::optional<std::string> proc_bind, places;  ///< OMP_PROC_BIND, OMP_PLACES
  void describe(Archive& a) const;
};

/// `memspace`.
struct MemspaceRecord {
  std::string requested, effective, allocation;
  std::optional<std::string> warm;  ///< why the first repeat finds its memory in a pool
  MEMSTENCIL_DESCRIBED(requested, effective, allocation, warm)
};

/// Pages by the side on which they lie: numbers of them, or shares of all.
struct PageSides {
  double on_host = 0;
  std::optional<double> on_gpu = {};  ///< if the GPU's memory is a NUMA node
  double not_mapped = 0;              ///< by the host: at a GPU that is no node, or untouched

  double all() const { return on_host + on_gpu.value_or(0) + not_mapped; }
  /// Adds a buffer's. @param gpu_node the NUMA node that is the GPU's memory; negative: it is none
  void add(const Residency& residency, int gpu_node);
  void describe(Archive& a) const;
};

/// Arrays whose pages can move. Asking touches no page and moves none.
struct PageMoves {
  PageSides before, after;  ///< the timed part
  std::string unknown;      ///< why the system does not know; the sides then mean nothing

  /// Adds the places of a buffer's pages to `places`, which is `before` or `after`; of each of its
  /// arrays up to 4096 are asked about. Does nothing if pages cannot move.
  void look(PageSides& places, const Buffer& buffer, std::size_t arrays = 1);
};

/// `residency`: the places of pages that can move, over all ranks.
struct ResidencyRecord {
  std::optional<std::string> unknown;      ///< why the system does not know; then the rest is empty
  std::int64_t pages = 0;                  ///< asked about
  std::optional<PageSides> before, after;  ///< shares
  /// Did pages move to the executor? Nothing if all were with it from the start.
  std::optional<bool> moved;
  void describe(Archive& a) const;
};
/// For pages that `executor` worked on; nothing if no page was asked about.
std::optional<ResidencyRecord> residency_record(const PageMoves& moves, int gpu_node,
                                                Executor executor);
/// The same of all ranks. Collective.
std::optional<ResidencyRecord> residency_of_ranks(PageMoves moves, Executor executor,
                                                  const Communicator& communicator);

/// `staging`: the buffer through which arrays pass between the host and memory that it cannot
/// reach, and the bytes that pass it in a run, of rank 0. Nothing if the host reaches all.
struct StagingRecord {
  std::string memspace;
  double bytes = 0, copied_bytes = 0;
  MEMSTENCIL_DESCRIBED(memspace, bytes, copied_bytes)
};

/// The members that the results of all programs that measure have.
struct MeasuredResult {
  Origin origin;
  ExecutionRecord execution;
  Record options = Record::object();
  MachineFacts machine;
  std::optional<Provenance> provenance;  ///< set when all has run
  Named<double> own_seconds;  ///< of this rank, part of `provenance`: not written by itself
};

/// Applications have these as well.
struct ApplicationResult : MeasuredResult {
  std::string size, exec;
  MemspaceRecord memspace;
};

/// The text of an option as the result has it; or empty.
std::string option(const ApplicationResult& result, const char* name);

/// One line for a person.
std::string text(const ResidencyRecord& residency, const std::string& executor);
/// "1.074 GB in host-pinned, 16.1 GB copied through it".
std::string text(const StagingRecord& staging);
/// The memory and the processor: "device memory of NVIDIA H100 80GB HBM3", "managed memory,
/// computed by NVIDIA H100 80GB HBM3", "host memory (device requested), computed by 2 threads of
/// Xeon".
std::string processor_text(const ApplicationResult& result);
/// The lines that all applications have: executor, memory, its placement, and the memory system of
/// the machine.
Lines memory_lines(const ApplicationResult& result, const std::string& first_touch);
/// A line with the phases of the first of several repeats, if it made the pool in which later ones
/// found its memory.
void add_first_life(Lines& lines, const ApplicationResult& result, const Named<double>& phases);

}  // namespace memstencil
