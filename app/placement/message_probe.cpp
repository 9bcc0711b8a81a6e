// A first message that proves MPI's claim to take device pointers.
#include "app/placement/message_probe.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/ranks/wait_limit.hpp"
#include "app/common/runtime/failure.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <errno.h>  // program_invocation_short_name
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <vector>

namespace memstencil {

namespace {

constexpr std::size_t probe_bytes = 1024;
using Content = std::array<std::uint8_t, probe_bytes>;

/// No two messages of a run's probe are alike in all bytes.
Content content_from(int rank, int distance) {
  Content content{};
  for (std::size_t n = 0; n < content.size(); ++n)
    content[n] = static_cast<std::uint8_t>(static_cast<std::size_t>(rank * 7 + distance) + n * 13);
  return content;
}

// A handler can reach nothing but what is static.
std::array<char, 512> last_line{};
volatile std::sig_atomic_t patience = 0;

extern "C" void tell_crash(int) {
  // The first rank speaks, and mpirun ends the others meanwhile.
  usleep(static_cast<useconds_t>(patience) * 200000);
  const std::size_t length = std::char_traits<char>::length(last_line.data());
  if (write(STDERR_FILENO, last_line.data(), length) < 0) _exit(1);
  _exit(static_cast<int>(ExitCode::Machine));
}

/// While it lives, a crash of this process is one line.
class CrashLine {
public:
  explicit CrashLine(int rank) {
    const std::string line = fmt::format(
        "{}: MPI ({}) says that it takes device pointers, and crashed at the first such message; "
        "use nccl or staged messages\n",
        program_invocation_short_name, Communicator::library());
    line.copy(last_line.data(), last_line.size() - 1);
    patience = std::min(rank, 50);
    struct sigaction action {};
    action.sa_handler = tell_crash;
    sigemptyset(&action.sa_mask);
    for (std::size_t n = 0; n < crashes.size(); ++n) sigaction(crashes[n], &action, &before_[n]);
  }
  ~CrashLine() {
    for (std::size_t n = 0; n < crashes.size(); ++n) sigaction(crashes[n], &before_[n], nullptr);
  }
  CrashLine(const CrashLine&) = delete;
  CrashLine& operator=(const CrashLine&) = delete;

private:
  static constexpr std::array crashes{SIGSEGV, SIGBUS};
  std::array<struct sigaction, 2> before_{};
};

}  // namespace

std::string refuse_messages(MemorySpace space, const Communicator& communicator,
                            const TryExchange& exchange, double seconds) {
  const int rank = communicator.rank(), size = communicator.size();
  std::vector<int> distances;
  for (int distance = 1; distance < size; distance *= 2) distances.push_back(distance);
  // Never released: MPI may still write where a message came too late, and Kokkos, which a
  // release waits for, need not have started.
  static auto& never_released = *new std::vector<std::unique_ptr<Buffer>>;
  const Buffer* const memory = collectively(communicator, [&] {
    const std::size_t bytes = 2 * probe_bytes * distances.size() + 1;
    return never_released.emplace_back(std::make_unique<Buffer>(space, bytes)).get();
  });
  auto* const first = static_cast<std::byte*>(memory->data());
  const auto place = [&](std::size_t n) { return first + n * probe_bytes; };
  std::vector<Message> messages;
  collectively(communicator, [&] {
    fill(first, 0, memory->bytes());
    for (std::size_t n = 0; n < distances.size(); ++n) {
      const Content content = content_from(rank, distances[n]);
      copy(place(2 * n), content.data(), content.size());
      const int up = (rank + distances[n]) % size, down = (rank - distances[n] + size) % size;
      const int tag = static_cast<int>(2 * n);
      messages.push_back(
          {.peer = up, .send_tag = tag, .send = place(2 * n), .send_bytes = probe_bytes});
      messages.push_back({.peer = down,
                          .receive_tag = tag,
                          .receive = place(2 * n + 1),
                          .receive_bytes = probe_bytes});
    }
  });
  bool arrived = false;
  {
    const CrashLine line(rank);
    arrived = exchange(messages, seconds);
  }
  bool right = arrived;
  for (std::size_t n = 0; arrived && n < distances.size(); ++n) {
    Content found{};
    copy(found.data(), place(2 * n + 1), found.size());
    right = right && found == content_from((rank - distances[n] + size) % size, distances[n]);
  }
  std::array<double, 2> all{arrived ? 1.0 : 0.0, right ? 1.0 : 0.0};
  communicator.minimum(all);
  if (all[1] != 0.0) return {};
  return all[0] != 0.0 ? "a first message arrived with wrong content"
                       : fmt::format("a first message did not arrive in {:g} s", seconds);
}

std::string refuse_device_messages(const Communicator& communicator) {
  const auto by_mpi = [&](std::span<const Message> messages, double seconds) {
    return communicator.try_exchange(messages, seconds);
  };
  // The others wait for the rank that gives up last.
  const double patience_of_mpi = waits_are_limited() ? std::min(20.0, wait_limit() / 2) : 20.0;
  static const std::string refused =
      refuse_messages(MemorySpace::Device, communicator, by_mpi, patience_of_mpi);
  return refused;
}

}  // namespace memstencil
