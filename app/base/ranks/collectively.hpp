// Errors on many ranks: all ranks fail together with one line, and one code leaves the program.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/runtime/failure.hpp"

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace memstencil {

/// A failure that every rank has thrown: rank 0 alone prints it.
class CollectiveFailure : public Failure {
public:
  using Failure::Failure;
};

/// Text for a terminal: names and texts out of files may hold anything. Each control character
/// becomes a '?', those of U+0080 to U+009F as well, so that none of a file's begins an escape
/// sequence. Ends of lines and tabs stay.
std::string printable(std::string text);

/// The line and the exit code of any exception: what this machine cannot serve is Machine, an
/// exception nobody meant for the user is Other. what() is made one line.
Failure as_failure(const std::exception_ptr& error);

/// Runs the step on every rank. Collective; the step itself must not communicate, since a rank that
/// threw would be waited for.
/// @throws CollectiveFailure on all ranks, that of the lowest failing rank, where any rank threw
void run_collectively(const Communicator& communicator, const std::function<void()>& step);

/// The same for a step with a result.
template <class Step>
auto collectively(const Communicator& communicator, Step&& step) {
  using Result = std::invoke_result_t<Step&>;
  if constexpr (std::is_void_v<Result>) {
    run_collectively(communicator, step);
  } else {
    std::optional<Result> result;
    run_collectively(communicator, [&] { result.emplace(step()); });
    return std::move(*result);
  }
}

/// The body of every main: runs it and turns what it throws into one line on stderr
/// ("himeno: LINE") and the exit code to return. A failure that is not collective ends all ranks.
int run_program(std::string_view program, const Communicator& communicator,
                const std::function<ExitCode()>& body);

}  // namespace memstencil
