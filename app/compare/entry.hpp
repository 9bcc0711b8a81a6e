// A figure of a run with all that another figure must share to be set beside it.
#pragma once

#include "app/compare/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

struct Entry {
  std::string program = {};
  std::string table = {};  ///< "himeno: speed": figures of one kind, in one unit
  Record identity =
      {};  ///< flat; two entries of a table are one case where their identities are equal
  std::string label = {};  ///< the identity as a person reads it
  /// The memory spaces asked for where they are all the host's memory: a
  /// build without GPU has no other.
  std::vector<std::string> requested = {};
  std::string unit = {};
  Spread value = {};
  const Run* run = nullptr;  ///< that stands for the case; Side's entries have one
  Spread over_runs = {};     ///< of the figures of the runs of the case
  std::size_t runs = 1;      ///< of the case
  bool primary = false;      ///< stands for its case in lists of cases
  /// The level that a series settles at whose first repeats move pages.
  std::optional<double> settled = {};
  std::optional<double> of_limit = {};   ///< fraction of the limit measured in the same run
  std::optional<double> bandwidth = {};  ///< GB/s, to be set against theory
  /// The figures of a machine's description that bound it, added up (both
  /// ways of a link); empty: none.
  std::vector<std::string> theory = {};
};

/// The speed of a himeno run stands first.
std::vector<Entry> entries_of(const himeno::Result& run);
std::vector<Entry> entries_of(const himeno::TuneResult& run);
std::vector<Entry> entries_of(const transpose::Result& run);
std::vector<Entry> entries_of(const probed::Result& run);
std::vector<Entry> entries_of(const Run& run);

/// A member of an identity or of a measurement's parameters as text; empty where there is none.
std::string text_of(const Record& flat, const std::string& name);

/// The members that distinguish himeno runs and transpose runs of one problem: executor, memory
/// as it was got, pages; host threads where the host computes; between GPUs the messages' path.
Record placement_identity(const himeno::Result& run);
Record placement_identity(const himeno::TuneResult& run);
Record placement_identity(const transpose::Result& run);
/// The part of placement_identity() that a reader needs: "device, filled by host". The executor
/// fills, and so touches first, where nothing is said.
std::string memory_label(const Record& identity);
/// ", in device, filled by host"; ", by the host in managed".
std::string placement_label(const Record& identity);
/// "NCCL", "stores", "MPI from GPU", "MPI via host"; nothing for no path.
std::string path_in_words(const std::string& path);
/// " by NCCL"; nothing where the identity has no messages.
std::string messages_label(const Record& identity);
/// The memory space that the run asked for, if it got the host's memory instead; otherwise nothing.
std::vector<std::string> requested_memory(const MemspaceRecord& memspace);

/// Host threads of a rank as a case names them: "all cores" (then machines of different sizes have
/// a case in common), "8 threads", "8 threads on 1 CPU". Nothing where the result does not tell.
std::string threads_text(const ExecutionRecord& execution, const MachineFacts& machine);

/// ", 8192 x 8192 float, in managed": what the variants of a transpose run share, for a person.
std::string problem_label(const transpose::Result& run);
/// The same without rows and columns: ", float, in managed".
std::string label_of_any_size(const transpose::Result& run);

/// Entries of one case from several runs, as one: that of the run that stands for it, or the one in
/// the middle where `stands` is none of them, with the widest spread.
Entry merged(std::vector<Entry> same, const Run* stands = nullptr);
/// Adds to `to` what `from`, of the same case, asked for.
void add_requested(const Entry& from, Entry& to);
/// The label, and the memory spaces that were asked for.
std::string full_label(const Entry& entry);

}  // namespace memstencil::compare
