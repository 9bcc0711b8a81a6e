// The end of a run whose ranks wait too long for one of them: --timeout.
//
// A rank whose wait is too long calls all others. A rank that waits hears the call, because a wait
// polls, and calls as well. A rank that computes, is stopped or is gone does not answer.
#include "app/common/ranks/wait_limit.hpp"

#include "app/common/machine/host_facts.hpp"
#include "app/common/ranks/communicator.hpp"
#include "app/common/runtime/failure.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace memstencil {

namespace {

using Seconds = std::chrono::duration<double>;

/// The time in which the other ranks have to answer that they wait, too.
constexpr Seconds time_to_answer{2.0};
/// The time that a rank gives the one below it to end the run.
constexpr Seconds time_to_end{5.0};

struct Limit {
  double seconds = 0;
  Communicator communicator;       ///< a copy: the last wait is in the end of MPI, after main's
  std::vector<std::string> hosts;  ///< by rank
  MPI_Comm calls = MPI_COMM_NULL;  ///< where no other message is met
};

std::optional<Limit>& limit() {
  static std::optional<Limit> set;
  return set;
}

bool called() {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, limit()->calls, &there, MPI_STATUS_IGNORE);
  return there != 0;
}

/// The seconds that each rank has waited; nothing for those that do not answer in time.
std::vector<std::optional<double>> seconds_waited(double mine) {
  const Communicator& ranks = limit()->communicator;
  std::vector<std::optional<double>> waited(static_cast<std::size_t>(ranks.size()));
  waited[static_cast<std::size_t>(ranks.rank())] = mine;
  // Nobody waits for these: the run ends before.
  static double told = 0;
  told = mine;
  for (int other = 0; other < ranks.size(); ++other) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (other != ranks.rank()) MPI_Isend(&told, 1, MPI_DOUBLE, other, 0, limit()->calls, &request);
  }
  const auto end = std::chrono::steady_clock::now() + time_to_answer;
  while (std::chrono::steady_clock::now() < end &&
         std::find(waited.begin(), waited.end(), std::nullopt) != waited.end()) {
    if (!called()) continue;
    double its = 0;
    MPI_Status from{};
    MPI_Recv(&its, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, limit()->calls, &from);
    waited[static_cast<std::size_t>(from.MPI_SOURCE)] = its;
  }
  return waited;
}

/// "rank 2", "ranks 0, 1 and 3".
std::string named(const std::vector<std::string>& each) {
  const std::string last = each.back();
  const std::vector<std::string> before(each.begin(), each.end() - 1);
  if (before.empty()) return "rank " + last;
  return fmt::format("ranks {} and {}", fmt::join(before, ", "), last);
}

/// "rank 2 (on c17) does not come: ranks 0, 1 and 3 have waited for it for more than 60 s".
std::string explanation(const std::vector<std::optional<double>>& waited) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> missing, waiting;
  for (std::size_t rank = 0; rank < waited.size(); ++rank)
    if (waited[rank])
      waiting.push_back(std::to_string(rank));
    else
      missing.push_back(fmt::format("{} (on {})", rank, limit()->hosts[rank]));
  const std::string time = fmt::format("more than {} s (--timeout)", limit()->seconds);
  if (missing.empty()) {
    const auto least = std::min_element(waited.begin(), waited.end());
    if (**least > limit()->seconds) return "all ranks have waited for each other for " + time;
    const auto rank = static_cast<std::size_t>(least - waited.begin());
    return fmt::format("rank {} (on {}) came too late: others have waited for it for {}", rank,
                       limit()->hosts[rank], time);
  }
  const bool one = missing.size() == 1;
  if (missing.size() > most_named) {
    const std::size_t more = missing.size() - most_named + 1;
    missing.resize(most_named - 1);
    missing.push_back(fmt::format("{} more", more));
  }
  return fmt::format(
      "{} {} not come: {} {} waited for {} for {}", named(missing), one ? "does" : "do",
      waiting.size() > most_named ? fmt::format("{} ranks", waiting.size()) : named(waiting),
      waiting.size() == 1 ? "has" : "have", one ? "it" : "them", time);
}

[[noreturn]] void end_the_run(double mine) {
  const auto waited = seconds_waited(mine);
  const Communicator& ranks = limit()->communicator;
  const auto below =
      std::count_if(waited.begin(), waited.begin() + ranks.rank(),
                    [](const std::optional<double>& its) { return its.has_value(); });
  std::this_thread::sleep_for(static_cast<double>(below) * time_to_end);
  // One write, so that it does not mix with mpirun's lines.
  const std::string line =
      fmt::format("{}: {}\n", program_invocation_short_name, explanation(waited));
  std::fputs(line.c_str(), stderr);
  ranks.abort(static_cast<int>(ExitCode::Other));
}

}  // namespace

void limit_waits(double seconds, const Communicator& communicator) {
  std::string all;
  for (const std::string& each : communicator.gather(host_name() + '\n')) all += each;
  communicator.broadcast(all);
  limit() = Limit{.seconds = seconds, .communicator = communicator, .hosts = {}, .calls = {}};
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) limit()->hosts.push_back(line);
  MPI_Comm_dup(MPI_COMM_WORLD, &limit()->calls);
}

bool waits_are_limited() { return limit().has_value(); }

double wait_limit() { return limit()->seconds; }

void LimitedWait::look() {
  // The longest that counts between two looks: more than that this process was stopped.
  constexpr double longest_step = 0.5;
  // Short waits, those of a good run, look for no calls.
  constexpr double short_wait = 0.1;
  const Clock::time_point now = Clock::now();
  waited_ += std::min(Seconds(now - last_).count(), longest_step);
  last_ = now;
  if (waited_ > short_wait && (waited_ > limit()->seconds || called())) end_the_run(waited_);
}

}  // namespace memstencil
