// The ranks of a run: one contract, two backends, MPI, and a single rank where there is no MPI. And
// their launcher (mpirun, srun), as the environment tells: before MPI starts, and where MPI knows
// nothing of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil {

/// Starts and ends the message-passing library: one object, in main, outliving everything else.
/// If --help or --version is asked for, it starts nothing.
class ParallelRuntime {
public:
  ParallelRuntime(int& argc, char**& argv);
  ~ParallelRuntime();
  ParallelRuntime& operator=(ParallelRuntime&&) = delete;  // nor any copy
};

/// One message of an exchange: both directions with one neighbour. Sizes in bytes.
struct Message {
  int peer = -1;
  int send_tag = 0;
  int receive_tag = 0;
  const void* send = nullptr;
  void* receive = nullptr;
  std::size_t send_bytes = 0;
  std::size_t receive_bytes = 0;
};

/// The longest message that goes in one piece, because MPI's counts are int; the same on every
/// rank. Tests make it small.
inline std::size_t longest_piece = std::size_t{1} << 30;

/// Calls use(offset, count) for each piece of a message: in the same order on both sides.
template <class Use>
void in_pieces(std::size_t bytes, Use use) {
  for (std::size_t offset = 0; offset < bytes; offset += longest_piece)
    use(offset, static_cast<int>(std::min(longest_piece, bytes - offset)));
}

/// All ranks of the run; without a ParallelRuntime that has started MPI this process is a run of
/// its own, which the root of its launcher's ranks prints (root()). Every function but rank(),
/// size(), abort() and the facts is collective.
class Communicator {
public:
  Communicator();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool root() const { return rank_ == 0; }
  /// Index of this rank among the ranks of its node, and how many there are.
  int node_rank() const { return node_rank_; }
  int node_size() const { return node_size_; }

  /// "Open MPI v4.1.4", or "none".
  static std::string library();
  /// Does the library say that it takes device pointers?
  static bool gpu_aware();
  /// What it says of its handling of GPU pointers, by the names that it gives to its own variables;
  /// empty if it has none or has not started.
  static std::map<std::string, std::string> gpu_switches();
  /// Balanced factors of a number of ranks, the largest first (MPI_Dims_create).
  static std::array<int, 3> dimensions(int ranks);

  void barrier() const;
  /// Element by element over all ranks, in place; NaN on all ranks if it is NaN on one.
  void sum(std::span<double> values) const;
  void maximum(std::span<double> values) const;
  /// Of one number of each rank.
  [[nodiscard]] double sum(double own) const {
    sum({&own, 1});
    return own;
  }
  [[nodiscard]] double maximum(double own) const {
    maximum({&own, 1});
    return own;
  }
  [[nodiscard]] double minimum(double own) const { return -maximum(-own); }
  /// Is it true on every rank?
  [[nodiscard]] bool all(bool own) const { return minimum(own ? 1.0 : 0.0) > 0.0; }
  /// Rank `root`'s text, or its numbers, equally many on every rank, on every rank.
  void broadcast(std::string& text, int root = 0) const;
  void broadcast(std::span<double> values, int root = 0) const;
  /// Every rank's text, in the order of the ranks, on every rank. 2 GB at most.
  std::vector<std::string> all_gather(const std::string& text) const;
  /// All messages at once; returns when all have been sent and received. Not collective.
  void exchange(std::span<const Message> messages) const;
  /// Ends all ranks with the code.
  [[noreturn]] void abort(int code) const noexcept;

private:
  int rank_ = 0, size_ = 1, node_rank_ = 0, node_size_ = 1;
};

struct Launcher {
  const char* size;  ///< the variable that has the number of ranks that it started
  const char* rank;  ///< the variable that has this one's number
  std::string_view name, remedy;
};

/// One of so many ranks.
struct LaunchedRank {
  const Launcher* launcher;
  int rank, ranks;
};

/// The nearest launcher that started several ranks: mpirun may run inside a step of srun. A shell
/// in a step of srun has the same variables.
std::optional<LaunchedRank> launched_rank();

/// Name and version out of what MPI_Get_library_version says: "Open MPI v4.1.4", "MPICH 4.0.2" (of
/// "MPICH Version:\t4.0.2"). The rest tells who built the package.
std::string mpi_name(const std::string& library_version);

}  // namespace memstencil
