// The communicator of a program built without MPI: one rank, no messages.
#include "app/base/ranks/communicator.hpp"

#include <cstdlib>
#include <stdexcept>

namespace memstencil {

ParallelRuntime::ParallelRuntime(int&, char**&) {}
ParallelRuntime::~ParallelRuntime() = default;

Communicator::Communicator() = default;

std::string Communicator::library() { return "none"; }
bool Communicator::gpu_aware() { return false; }
std::map<std::string, std::string> Communicator::gpu_switches() { return {}; }
std::array<int, 3> Communicator::dimensions(int ranks) { return {ranks, 1, 1}; }

void Communicator::barrier() const {}
void Communicator::sum(std::span<double>) const {}
void Communicator::maximum(std::span<double>) const {}
void Communicator::broadcast(std::string&, int) const {}
void Communicator::broadcast(std::span<double>, int) const {}

std::vector<std::string> Communicator::all_gather(const std::string& text) const { return {text}; }

void Communicator::exchange(std::span<const Message> messages) const {
  for (const Message& message : messages)
    if (message.peer >= 0) throw std::logic_error("exchange: there is one rank only");
}

void Communicator::abort(int code) const noexcept { std::_Exit(code); }

}  // namespace memstencil
