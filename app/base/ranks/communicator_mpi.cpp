// The communicator over MPI.
#include "app/base/ranks/communicator.hpp"

#include "kernels/shared_library.hpp"

// The C bindings alone: the C++ ones left the standard with MPI 3.0 and would have to be linked.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace memstencil {

namespace {

bool started() {
  int started = 0;
  MPI_Initialized(&started);
  return started != 0;
}

void reduce(std::span<double> values, MPI_Op operation) {
  if (!started()) return;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, operation,
                MPI_COMM_WORLD);
}

/// A variable by which the library is steered, as it stands now; nothing if the
/// library has none of this name.
std::optional<std::string> control_variable(const char* wanted) {
  int index = 0, length = 0, verbosity = 0, description = 0, bind = 0, scope = 0, count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum names = nullptr;
  MPI_T_cvar_handle handle = nullptr;
  if (MPI_T_cvar_get_index(wanted, &index) != MPI_SUCCESS ||
      MPI_T_cvar_get_info(index, nullptr, &length, &verbosity, &type, &names, nullptr, &description,
                          &bind, &scope) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS)
    return {};
  std::optional<std::string> value;
  if (type == MPI_CHAR) {
    std::vector<char> text(static_cast<std::size_t>(count) + 1, '\0');
    if (MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS) value = text.data();
  } else if ((type == MPI_INT || type == MPI_C_BOOL) && count == 1) {
    int number = 0;  // its first byte is a bool
    if (MPI_T_cvar_read(handle, &number) == MPI_SUCCESS) value = std::to_string(number);
  }
  MPI_T_cvar_handle_free(&handle);
  return value;
}

/// Its text needs no MPI, which may not start on a login node.
bool asks_for_text(int argc, const char* const* argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view each) {
    return each == "--help" || each == "-h" || each == "--version";
  });
}

}  // namespace

ParallelRuntime::ParallelRuntime(int& argc, char**& argv) {
  if (asks_for_text(argc, argv)) return;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
}

ParallelRuntime::~ParallelRuntime() {
  if (!started()) return;
  // Open MPI 4.1 unloads its modules while a thread of PMIx may still call the handler of an event
  // in one of them: seen on busy machines, as signal 11 after a good run or a right refusal
  // (docs/reference/robustness.md).
  keep_loaded("/mca_");
  MPI_Finalize();
}

Communicator::Communicator() {
  if (!started()) {
    if (const auto launched = launched_rank()) rank_ = launched->rank;
    return;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &node_rank_);
  MPI_Comm_size(node, &node_size_);
  MPI_Comm_free(&node);
}

std::string Communicator::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return mpi_name(text.data());
}

std::map<std::string, std::string> Communicator::gpu_switches() {
  std::map<std::string, std::string> switches;
  int provided = 0;
  if (!started() || MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return switches;
  // Of Open MPI 4, of both, of Open MPI 5, of MPICH.
  for (const char* name :
       {"opal_cuda_support", "opal_built_with_cuda_support", "accelerator", "MPIR_CVAR_ENABLE_GPU"})
    if (const auto value = control_variable(name)) switches[name] = *value;
  MPI_T_finalize();
  return switches;
}

bool Communicator::gpu_aware() {
  if (!started()) return false;  // MPICH 4.2 ends a process that asks before its start
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  int supported = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported) == MPI_SUCCESS && supported != 0;
#else
  return false;
#endif
}

std::array<int, 3> Communicator::dimensions(int ranks) {
  std::array<int, 3> factors{};
  MPI_Dims_create(ranks, 3, factors.data());
  return factors;
}

void Communicator::barrier() const {
  if (started()) MPI_Barrier(MPI_COMM_WORLD);
}
void Communicator::sum(std::span<double> values) const { reduce(values, MPI_SUM); }
/// MPI_MAX does not say what a NaN gives: ranks of MPICH get different values, and Open MPI may
/// lose larger ones. So each number is -infinity in its place, and a second one counts it.
void Communicator::maximum(std::span<double> values) const {
  if (!started()) return;
  std::vector<double> both(values.begin(), values.end());
  both.resize(2 * values.size(), 0.0);
  for (std::size_t n = 0; n < values.size(); ++n)
    if (std::isnan(both[n])) {
      both[n] = -std::numeric_limits<double>::infinity();
      both[values.size() + n] = 1.0;
    }
  reduce(both, MPI_MAX);
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = both[values.size() + n] > 0 ? std::numeric_limits<double>::quiet_NaN() : both[n];
}

void Communicator::broadcast(std::string& text, int root) const {
  if (!started()) return;
  unsigned long long length = text.size();
  MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, root, MPI_COMM_WORLD);
  text.resize(length);
  in_pieces(length, [&](std::size_t offset, int count) {
    MPI_Bcast(text.data() + offset, count, MPI_BYTE, root, MPI_COMM_WORLD);
  });
}

void Communicator::broadcast(std::span<double> values, int root) const {
  if (!started()) return;
  MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, root, MPI_COMM_WORLD);
}

std::vector<std::string> Communicator::all_gather(const std::string& text) const {
  if (!started()) return {text};
  const int length = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(size_)), firsts(lengths.size());
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(lengths.begin(), lengths.end(), firsts.begin(), 0);
  std::string all(static_cast<std::size_t>(firsts.back() + lengths.back()), '\0');
  MPI_Allgatherv(text.data(), length, MPI_BYTE, all.data(), lengths.data(), firsts.data(), MPI_BYTE,
                 MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank)
    texts.push_back(all.substr(static_cast<std::size_t>(firsts[rank]),
                               static_cast<std::size_t>(lengths[rank])));
  return texts;
}

void Communicator::exchange(std::span<const Message> messages) const {
  std::vector<MPI_Request> requests;
  const auto request = [&requests] { return &requests.emplace_back(MPI_REQUEST_NULL); };
  // Receives first: what arrives then finds its place and is not buffered.
  for (const Message& message : messages)
    if (message.peer >= 0)
      in_pieces(message.receive_bytes, [&](std::size_t offset, int count) {
        MPI_Irecv(static_cast<char*>(message.receive) + offset, count, MPI_BYTE, message.peer,
                  message.receive_tag, MPI_COMM_WORLD, request());
      });
  for (const Message& message : messages)
    if (message.peer >= 0)
      in_pieces(message.send_bytes, [&](std::size_t offset, int count) {
        MPI_Isend(static_cast<const char*>(message.send) + offset, count, MPI_BYTE, message.peer,
                  message.send_tag, MPI_COMM_WORLD, request());
      });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void Communicator::abort(int code) const noexcept {
  if (started()) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace memstencil
