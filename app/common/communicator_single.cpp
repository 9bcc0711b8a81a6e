// Communicator for a build without MPI: one rank, and nothing to say to anybody.
#include "app/common/communicator.hpp"

#include <cstdlib>
#include <stdexcept>

namespace memstencil {

ParallelRuntime::ParallelRuntime(int&, char**&) {}
ParallelRuntime::~ParallelRuntime() = default;

Communicator::Communicator() = default;

std::string Communicator::library() { return "none"; }
bool Communicator::gpu_aware() { return false; }

void Communicator::barrier() const {}
void Communicator::sum(std::span<double>) const {}
void Communicator::maximum(std::span<double>) const {}
void Communicator::minimum(std::span<double>) const {}
void Communicator::broadcast(std::string&, int) const {}

void Communicator::exchange(std::span<const Message> messages) const {
  if (!messages.empty()) throw std::logic_error("a message to another rank in a build without MPI");
}
void Communicator::send(const void*, std::size_t, int) const {
  throw std::logic_error("a message to another rank in a build without MPI");
}
void Communicator::receive(void*, std::size_t, int) const {
  throw std::logic_error("a message from another rank in a build without MPI");
}

void Communicator::abort(int code) const noexcept { std::_Exit(code); }

}  // namespace memstencil
