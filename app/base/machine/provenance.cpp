// The origin of a result: when it was taken, by which command line, on which hosts, GPUs and CPUs.
#include "app/base/machine/provenance.hpp"

#include "app/base/machine/cpus_at_start.hpp"
#include "app/base/machine/machine_facts.hpp"
#include "app/base/record/gathered.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace memstencil {

namespace {

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [text](std::string_view each) { return text.starts_with(each); });
}

bool changes_results(std::string_view variable) {
  // Set by mpirun for itself: addresses and keys of one job.
  if (starts_with_one_of(variable,
                         {"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix", "OMPI_MCA_prte",
                          "OMPI_MCA_plm", "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME"}))
    return false;
  return starts_with_one_of(variable, {"OMP_", "GOMP_", "KMP_", "KOKKOS_", "CUDA_", "NCCL_", "UCX_",
                                       "FI_", "OMPI_MCA_", "MPICH_", "MEMSTENCIL_"});
}

Named<std::string> environment_of_results() {
  Named<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry = *each;
    const std::size_t equals = std::min(entry.find('='), entry.size() - 1);
    const std::string_view name = entry.substr(0, equals);
    if (changes_results(name)) out.emplace_back(name, entry.substr(equals + 1));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<Provenance::Job> job() {
  if (const char* slurm = std::getenv("SLURM_JOB_ID")) return Provenance::Job{"Slurm", slurm};
  const char* pbs = std::getenv("PBS_JOBID");
  if (pbs == nullptr) return std::nullopt;
  // NQSV sets the same variable, with the number of the request's job before it: "0:123.nqsv".
  const std::string number = pbs;
  const std::size_t colon = number.find(':');
  return colon == std::string::npos ? Provenance::Job{"PBS", number}
                                    : Provenance::Job{"NQSV", number.substr(colon + 1)};
}

std::string quoted(const std::string& argument) {
  constexpr const char* plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+@%-";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Provenance::Rank this_rank(int host_threads, const Named<double>& seconds) {
  const GpuFacts gpu = gpu_facts();
  const auto known = [](const std::string& text) {
    return text.empty() ? std::optional<std::string>() : text;
  };
  return {.host = host_name(),
          .gpu = known(gpu.uuid),
          .gpu_pci = known(gpu.pci),
          .cpus = cpus_at_start(),
          .threads = host_threads,
          .seconds = seconds};
}

Provenance::Rank rank_of(const Record& record) {
  const auto known = [&](const char* name) {
    return record[name].is_null() ? std::optional<std::string>() : record[name].get<std::string>();
  };
  Provenance::Rank rank{.host = record["host"],
                        .gpu = known("gpu"),
                        .gpu_pci = known("gpu_pci"),
                        .cpus = record["cpus"],
                        .threads = record["threads"],
                        .seconds = {}};
  for (const auto& [name, seconds] : record["seconds"].items())
    rank.seconds.emplace_back(name, seconds);
  return rank;
}

std::vector<std::string> hosts_of(const std::vector<Provenance::Rank>& ranks) {
  std::vector<std::string> hosts;
  for (const Provenance::Rank& rank : ranks)
    if (std::find(hosts.begin(), hosts.end(), rank.host) == hosts.end()) hosts.push_back(rank.host);
  return hosts;
}

std::string hosts_text(const Provenance& p) {
  constexpr std::size_t most = 8;
  const std::size_t shown = std::min(p.hosts.size(), most);
  return fmt::format(
      "{}: {}{}{}", counted(p.hosts.size(), "host"),
      fmt::join(p.hosts.begin(), p.hosts.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      shown < p.hosts.size() ? ", ..." : "",
      p.ranks_share_hosts ? fmt::format(" ({} ranks)", p.ranks.size()) : "");
}

/// Empty where none is more than 5 % behind the median: of an even number the lower one of the two
/// in the middle, because the slowest of two ranks must not be half of what it is held against.
std::string slowest_rank(const std::vector<Provenance::Rank>& ranks) {
  std::vector<double> own;
  for (const Provenance::Rank& rank : ranks)
    if (!rank.seconds.empty()) own.push_back(rank.seconds.front().second);
  if (ranks.size() < 2 || own.size() < ranks.size()) return {};
  std::vector<double> sorted = own;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[(sorted.size() - 1) / 2];
  const auto slowest = std::max_element(own.begin(), own.end());
  if (*slowest <= 1.05 * median) return {};
  const auto number = slowest - own.begin();
  const Provenance::Rank& rank = ranks[static_cast<std::size_t>(number)];
  return fmt::format("{} on {}{}: {} takes it {}, {:.0f} % more than the median of the ranks",
                     number, rank.host, rank.gpu_pci ? ", GPU " + *rank.gpu_pci : "",
                     rank.seconds.front().first, seconds_text(*slowest),
                     100 * (*slowest / median - 1));
}

}  // namespace

ProgramStart::ProgramStart(int argc, const char* const* argv)
    : time(std::chrono::system_clock::now()), clock(std::chrono::steady_clock::now()) {
  for (int n = 0; n < argc; ++n) command_line += (n > 0 ? " " : "") + quoted(argv[n]);
}

void describe(Archive& a, Provenance::Job& job) {
  a("scheduler", job.scheduler);
  a("number", job.number);
}

void describe(Archive& a, Provenance::Rank& rank) {
  a("host", rank.host);
  a("gpu", rank.gpu);
  a("gpu_pci", rank.gpu_pci);
  a("cpus", rank.cpus);
  a("threads", rank.threads);
  a("seconds", rank.seconds);
}

void describe(Archive& a, Provenance& p) {
  a("started", p.started);
  a("seconds", p.seconds);
  a("command_line", p.command_line);
  a("job", p.job);
  a("environment", p.environment);
  a("hosts", p.hosts);
  a("ranks_share_hosts", p.ranks_share_hosts);
  a("ranks", p.ranks);
}

std::vector<Provenance::Rank> all_ranks(int host_threads, const Named<double>& mine,
                                        const Communicator& communicator) {
  std::vector<Provenance::Rank> ranks;
  for (const Record& each : gathered(communicator, to_record(this_rank(host_threads, mine))))
    ranks.push_back(rank_of(each));
  return ranks;
}

Provenance provenance_of(const ProgramStart& start, int host_threads, const Named<double>& mine,
                         const Communicator& communicator) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start.clock;
  Provenance p{
      .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                             fmt::gmtime(std::chrono::system_clock::to_time_t(start.time))),
      .seconds = elapsed.count(),
      .command_line = start.command_line,
      .job = job(),
      .environment = environment_of_results(),
      .hosts = {},
      .ranks_share_hosts = false,
      .ranks = all_ranks(host_threads, mine, communicator)};
  p.hosts = hosts_of(p.ranks);
  p.ranks_share_hosts = p.hosts.size() < p.ranks.size();
  return p;
}

std::string shared_cpus(const std::vector<Provenance::Rank>& all) {
  for (const std::string& host : hosts_of(all)) {
    int threads = 0, ranks = 0;
    std::string cpus;
    for (const Provenance::Rank& rank : all) {
      if (rank.host != host) continue;
      ++ranks;
      threads += rank.threads;
      cpus += (cpus.empty() || rank.cpus.empty() ? "" : ",") + rank.cpus;
    }
    const int there = count_cpus(cpus);
    if (there > 0 && threads > there)
      return fmt::format("{} threads of {} share {} of {}: figures of the host are low", threads,
                         counted(ranks, "rank"), counted(there, "CPU"), host);
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> lines_of(const Provenance& p) {
  std::vector<std::pair<std::string, std::string>> lines{
      {"started", fmt::format("{}, {} to the result", p.started, seconds_text(p.seconds))}};
  if (p.job) lines.emplace_back("job", p.job->scheduler + " " + p.job->number);
  if (!p.ranks.empty()) lines.emplace_back("ran on", hosts_text(p));
  if (const std::string text = slowest_rank(p.ranks); !text.empty())
    lines.emplace_back("slowest rank", text);
  if (const std::string text = shared_cpus(p.ranks); !text.empty())
    lines.emplace_back("note", text);
  return lines;
}

}  // namespace memstencil
