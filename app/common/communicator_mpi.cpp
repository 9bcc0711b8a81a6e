// Communicator over MPI.
#include "app/common/communicator.hpp"

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <vector>

namespace memstencil {

namespace {

/// MPI counts are int: a larger message goes in pieces of this size.
constexpr std::size_t largest_piece = std::size_t{1} << 30;

void check(int error, const char* what) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  throw std::runtime_error(std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

void reduce(std::span<double> values, MPI_Op op) {
  for (std::size_t done = 0; done < values.size();) {
    const std::size_t n = std::min(values.size() - done, largest_piece / sizeof(double));
    check(MPI_Allreduce(MPI_IN_PLACE, values.data() + done, static_cast<int>(n), MPI_DOUBLE, op, MPI_COMM_WORLD),
          "MPI_Allreduce");
    done += n;
  }
}

/// Calls post(offset, count) for every piece of a message.
template <class Post>
void in_pieces(std::size_t bytes, Post post) {
  for (std::size_t done = 0; done < bytes; done += largest_piece)
    post(done, static_cast<int>(std::min(bytes - done, largest_piece)));
}

}  // namespace

ParallelRuntime::ParallelRuntime(int& argc, char**& argv) {
  int provided = 0;
  // Only the main thread calls MPI, while Kokkos' host threads compute.
  check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

ParallelRuntime::~ParallelRuntime() { MPI_Finalize(); }

Communicator::Communicator() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm node = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
        "MPI_Comm_split_type");
  MPI_Comm_rank(node, &node_rank_);
  MPI_Comm_size(node, &node_size_);
  MPI_Comm_free(&node);
}

std::string Communicator::library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

bool Communicator::gpu_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  // MPICH and its relatives say it by the variable that switches it on.
  const char* mpich = std::getenv("MPICH_GPU_SUPPORT_ENABLED");
  const char* mvapich = std::getenv("MV2_USE_CUDA");
  return (mpich != nullptr && std::string(mpich) == "1") || (mvapich != nullptr && std::string(mvapich) == "1");
#endif
}

void Communicator::barrier() const { check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }
void Communicator::sum(std::span<double> values) const { reduce(values, MPI_SUM); }
void Communicator::maximum(std::span<double> values) const { reduce(values, MPI_MAX); }
void Communicator::minimum(std::span<double> values) const { reduce(values, MPI_MIN); }

void Communicator::broadcast(std::string& text, int root) const {
  unsigned long long length = text.size();
  check(MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, root, MPI_COMM_WORLD), "MPI_Bcast");
  text.resize(length);
  in_pieces(length, [&](std::size_t at, int n) {
    check(MPI_Bcast(text.data() + at, n, MPI_CHAR, root, MPI_COMM_WORLD), "MPI_Bcast");
  });
}

void Communicator::exchange(std::span<const Message> messages) const {
  std::vector<MPI_Request> requests;
  for (const Message& m : messages)
    in_pieces(m.receive_bytes, [&](std::size_t at, int n) {
      check(MPI_Irecv(static_cast<char*>(m.receive) + at, n, MPI_BYTE, m.peer, m.receive_tag, MPI_COMM_WORLD,
                      &requests.emplace_back()),
            "MPI_Irecv");
    });
  for (const Message& m : messages)
    in_pieces(m.send_bytes, [&](std::size_t at, int n) {
      check(MPI_Isend(static_cast<const char*>(m.send) + at, n, MPI_BYTE, m.peer, m.send_tag, MPI_COMM_WORLD,
                      &requests.emplace_back()),
            "MPI_Isend");
    });
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

void Communicator::send(const void* data, std::size_t bytes, int to) const {
  in_pieces(bytes, [&](std::size_t at, int n) {
    check(MPI_Send(static_cast<const char*>(data) + at, n, MPI_BYTE, to, 0, MPI_COMM_WORLD), "MPI_Send");
  });
}

void Communicator::receive(void* data, std::size_t bytes, int from) const {
  in_pieces(bytes, [&](std::size_t at, int n) {
    check(MPI_Recv(static_cast<char*>(data) + at, n, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "MPI_Recv");
  });
}

void Communicator::abort(int code) const noexcept {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace memstencil
