// MPI's receives taken over, so that what arrives can be spoiled.
#include "tests/app/grid/spoiled_receives.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

using Kind = MessageFault::Kind;
using Bytes = std::vector<char>;

constexpr std::size_t least_bytes = 64;

struct Receive {
  char* to;
  int peer, tag;
  Bytes before, sent = {}, held = {};

  std::size_t bytes() const { return before.size(); }
};

std::optional<MessageFault> wanted;
std::vector<Receive> open_receives;
std::map<std::tuple<int, int, std::size_t>, Bytes> last_sent;  // by peer, tag and size
int received = 0, changed = 0;                                 // since messages were last spoiled

Bytes arriving(const Receive& message, int number) {
  if (wanted->kind == Kind::Late) {
    const auto found = last_sent.find({message.peer, message.tag, message.bytes()});
    return found == last_sent.end() ? message.before : found->second;
  }
  // Not always the same bit: rows have pads, where a wrong one is no fault.
  const std::size_t bit_at = static_cast<std::size_t>(number) * 7919 * sizeof(float);
  return spoiled(wanted->kind, message.before, message.sent, bit_at % message.bytes());
}

bool is_spoiled(int number) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return number >= wanted->first && number <= wanted->last && wanted->rank.value_or(rank) == rank;
}

/// Each gets what another neighbour sent.
void swap_all(const std::vector<std::size_t>& chosen) {
  for (std::size_t n = 0; n + 1 < chosen.size(); n += 2) {
    Receive &a = open_receives[chosen[n]], &b = open_receives[chosen[n + 1]];
    if (a.peer != b.peer && a.bytes() == b.bytes()) std::swap_ranges(a.to, a.to + a.bytes(), b.to);
  }
}

/// Lets a message that is held come at last.
void release(const Receive& message, int number) {
  std::this_thread::sleep_for(std::chrono::microseconds(number * 7919 % 1000));
  std::copy(message.held.begin(), message.held.end(), message.to);
}

/// All that were open have arrived.
void spoil_received() {
  if (!wanted) return;
  std::vector<std::size_t> chosen;
  for (std::size_t n = 0; n < open_receives.size(); ++n) {
    Receive& each = open_receives[n];
    if (!each.held.empty()) release(each, received);
    each.sent.assign(each.to, each.to + each.bytes());
    ++received;
    if (!is_spoiled(received)) continue;
    chosen.push_back(n);
    const Bytes now = arriving(each, received);
    std::copy(now.begin(), now.end(), each.to);
  }
  if (wanted->kind == Kind::Swapped) swap_all(chosen);
  for (Receive& each : open_receives) {
    changed += std::equal(each.sent.begin(), each.sent.end(), each.to) ? 0 : 1;
    last_sent[{each.peer, each.tag, each.bytes()}] = std::move(each.sent);
  }
  open_receives.clear();
}

}  // namespace

SpoiledMessages::SpoiledMessages(const std::optional<MessageFault>& fault) {
  wanted = fault;
  received = changed = 0;
}

SpoiledMessages::~SpoiledMessages() {
  wanted.reset();
  open_receives.clear();
  last_sent.clear();
}

int received_messages() { return received; }
int changed_messages() { return changed; }

}  // namespace memstencil

// The linker takes these instead of the library's, as MPI's profiling interface allows.
extern "C" int MPI_Irecv(void* to, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
  int size = 0;
  PMPI_Type_size(type, &size);
  const std::size_t bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
  using namespace memstencil;
  if (wanted && bytes >= least_bytes) {
    char* const first = static_cast<char*>(to);
    Receive& open =
        open_receives.emplace_back(Receive{first, peer, tag, Bytes(first, first + bytes)});
    if (wanted->kind == MessageFault::Kind::Held) {
      std::fill_n(first, bytes, '\xFF');
      open.held.resize(bytes);
      to = open.held.data();
    }
  }
  return PMPI_Irecv(to, count, type, peer, tag, communicator, request);
}

extern "C" int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const int result = PMPI_Waitall(count, requests, statuses);
  memstencil::spoil_received();
  return result;
}
