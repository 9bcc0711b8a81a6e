// The origin of a result: when it was taken, by which command line, on which hosts, GPUs and CPUs.
#include "app/base/machine/provenance.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/machine/host_load.hpp"
#include "app/base/machine/machine_facts.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

namespace memstencil {

namespace {

/// Constant-initialised: it is filled before any constructor runs. Empty if nothing is known.
constinit CpuMask mask{};

// No constructor of a library has run, not even a sanitizer's.
__attribute__((no_sanitize("address", "undefined"))) void take_mask(int, char**, char**) {
  sched_getaffinity(0, sizeof(mask), reinterpret_cast<cpu_set_t*>(&mask));
}

// Functions of this section run before the constructors of shared libraries.
__attribute__((section(".preinit_array"), used)) void (*before_libraries)(int, char**,
                                                                          char**) = take_mask;

/// Of rank 0, when the program began.
const Record& load_at_start() {
  static const Record load = host_load("/");
  return load;
}

/// Of rank 0, when the program began: membench's --numa changes it.
const Record& memory_policy_at_start() {
  static const Record policy = memory_policy();
  return policy;
}

bool changes_results(const std::string& variable) {
  static const std::regex wanted(
      "(OMP|GOMP|KMP|KOKKOS|CUDA|NCCL|UCX|FI|OMPI_MCA|PRTE_MCA|PMIX_MCA|MPICH|MPIR_CVAR|I_MPI|"
      "MEMSTENCIL)_.*");
  // Set by mpirun for itself: addresses and keys of one job, and what Open MPI 5 tells its ranks.
  static const std::regex of_job(
      "(OMPI|PRTE|PMIX)_MCA_(orte_|ess|pmix|prte|plm|initial_wdir|shmem_RUNTIME|PREFIXES|num_procs|"
      "num_restarts|cpu_type|mca_base_component_path).*");
  return std::regex_match(variable, wanted) && !std::regex_match(variable, of_job);
}

Record environment_of_results() {
  std::map<std::string, std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string entry = *each;
    const std::size_t equals = std::min(entry.find('='), entry.size() - 1);
    if (const std::string name = entry.substr(0, equals); changes_results(name))
      variables[name] = entry.substr(equals + 1);
  }
  return variables;
}

Record job() {
  const auto named = [](const char* scheduler, const std::string& number) {
    return Record{{"scheduler", scheduler}, {"number", number}};
  };
  if (const char* slurm = std::getenv("SLURM_JOB_ID")) return named("Slurm", slurm);
  const char* pbs = std::getenv("PBS_JOBID");
  if (pbs == nullptr) return nullptr;
  // NQSV sets the same variable, with the number of the request's job before it: "0:123.nqsv".
  const std::string number = pbs;
  const std::size_t colon = number.find(':');
  return colon == std::string::npos ? named("PBS", number)
                                    : named("NQSV", number.substr(colon + 1));
}

Record launcher() {
  const auto launched = launched_rank();
  if (!launched) return nullptr;
  const std::string name(launched->launcher->name);
  const char* mpi = std::getenv("SLURM_MPI_TYPE");
  return name == "srun" && mpi != nullptr ? name + " --mpi=" + mpi : name;
}

std::string quoted(const std::string& argument) {
  constexpr const char* plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+@%-";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Record this_rank(const HostThreads& threads, const Named<double>& seconds) {
  const GpuFacts gpu = gpu_facts();
  const auto known = [](const std::string& text) { return text.empty() ? Record() : Record(text); };
  return {{"host", host_name()},  {"gpu", known(gpu.uuid)},   {"gpu_pci", known(gpu.pci)},
          {"cpus", threads.cpus}, {"threads", threads.count}, {"seconds", to_record(seconds)}};
}

/// Each once, in the order of the ranks.
std::vector<std::string> hosts_of(const Record& ranks) {
  std::vector<std::string> hosts;
  for (const Record& rank : ranks)
    if (const auto host = rank["host"].get<std::string>();
        std::find(hosts.begin(), hosts.end(), host) == hosts.end())
      hosts.push_back(host);
  return hosts;
}

/// Have two ranks of one host a CPU in common? Null if a rank does not know its own.
Record ranks_share_cpus(const Record& ranks) {
  std::map<std::string, std::pair<int, std::string>> of_hosts;  // counted for each rank, and all
  for (const Record& rank : ranks) {
    const auto cpus = rank["cpus"].get<std::string>();
    if (count_cpus(cpus) == 0) return nullptr;
    auto& [count, all] = of_hosts[rank["host"].get<std::string>()];
    count += count_cpus(cpus);
    all += (all.empty() ? "" : ",") + cpus;
  }
  return std::any_of(of_hosts.begin(), of_hosts.end(), [](const auto& each) {
    return each.second.first > count_cpus(each.second.second);
  });
}

std::string launch_text(const Record& p) {
  const Record& shared = p["ranks_share_cpus"];
  return plain_text(p["launcher"]) + (shared.is_null() ? ""
                                      : shared         ? ", ranks of a host share CPUs"
                                                       : ", each rank has CPUs of its own");
}

std::string hosts_text(const Record& p) {
  constexpr std::ptrdiff_t most = 8;
  const std::vector<std::string> hosts = p["hosts"];
  const bool all = std::ssize(hosts) <= most;
  return fmt::format("{}: {}{}{}", counted(hosts.size(), "host"),
                     fmt::join(hosts.begin(), all ? hosts.end() : hosts.begin() + most, ", "),
                     all ? "" : ", ...",
                     p["ranks_share_hosts"] ? fmt::format(" ({} ranks)", p["ranks"].size()) : "");
}

/// Empty if none is more than 5 % behind the median: of an even number the lower one of the two
/// in the middle, because the slowest of two ranks must not be half of what it is held against.
std::string slowest_rank(const Record& ranks) {
  std::vector<double> own;
  for (const Record& rank : ranks)
    if (!rank["seconds"].empty()) own.push_back(rank["seconds"].front());
  if (ranks.size() < 2 || own.size() < ranks.size()) return {};
  std::vector<double> sorted = own;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[(sorted.size() - 1) / 2];
  const auto slowest = std::max_element(own.begin(), own.end());
  if (*slowest <= 1.05 * median) return {};
  const auto number = static_cast<std::size_t>(slowest - own.begin());
  const Record& rank = ranks[number];
  const Record& pci = rank["gpu_pci"];
  return fmt::format("{} on {}{}: {} takes it {}, {:.0f} % more than the median of the ranks",
                     number, plain_text(rank["host"]),
                     pci.is_null() ? "" : ", GPU " + plain_text(pci), rank["seconds"].begin().key(),
                     seconds_text(*slowest), 100 * (*slowest / median - 1));
}

}  // namespace

std::string cpus_at_start() { return cpu_list(mask); }

std::vector<int> numbers_listed(const std::string& list) {
  constexpr int most = 999'999;
  std::set<int> numbers;
  try {
    for (const std::string& part : split(list, ',')) {
      const std::vector<std::string> ends = split(part, '-');
      if (ends.size() > 2) return {};
      const auto first = static_cast<int>(parse_integer(ends.front(), 0, most));
      const auto last = static_cast<int>(parse_integer(ends.back(), first, most));
      for (int number = first; number <= last; ++number) numbers.insert(number);
    }
  } catch (const std::invalid_argument&) {
    return {};
  }
  return {numbers.begin(), numbers.end()};
}

ProgramStart::ProgramStart(int argc, const char* const* argv)
    : time(std::chrono::system_clock::now()), clock(std::chrono::steady_clock::now()) {
  load_at_start();
  memory_policy_at_start();
  for (int n = 0; n < argc; ++n) command_line += (n > 0 ? " " : "") + quoted(argv[n]);
}

std::vector<Record> all_ranks(const HostThreads& threads, const Named<double>& mine,
                              const Communicator& communicator) {
  return gathered(communicator, this_rank(threads, mine));
}

Provenance provenance_of(const ProgramStart& start, const HostThreads& threads,
                         const Named<double>& mine, const Communicator& communicator) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start.clock;
  const std::vector<Record> ranks = all_ranks(threads, mine, communicator);
  const std::vector<std::string> hosts = hosts_of(ranks);
  const auto launched = communicator.size() == 1 ? launched_rank() : std::nullopt;
  return {{{"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                                   fmt::gmtime(std::chrono::system_clock::to_time_t(start.time)))},
           {"seconds", elapsed.count()},
           {"command_line", start.command_line},
           {"job", job()},
           {"launcher", launcher()},
           {"environment", environment_of_results()},
           {"load", {{"before", load_at_start()}, {"after", host_load("/")}}},
           {"memory_policy", memory_policy_at_start()},
           {"scheduling", scheduling()},
           {"hosts", hosts},
           {"lone_rank_of", launched ? Record(launched->ranks) : Record()},
           {"ranks_share_hosts", hosts.size() < ranks.size()},
           {"ranks_share_cpus", ranks_share_cpus(ranks)},
           {"ranks", ranks}}};
}

std::string shared_cpus(const Record& all) {
  for (const std::string& host : hosts_of(all)) {
    int threads = 0, ranks = 0;
    std::string cpus;
    for (const Record& rank : all) {
      if (rank["host"] != host) continue;
      cpus += (ranks++ > 0 ? "," : "") + rank["cpus"].get<std::string>();
      threads += rank["threads"].get<int>();
    }
    const int there = count_cpus(cpus);  // 0 if one does not know its own
    if (there > 0 && threads > there)
      return fmt::format("{} threads of {} share {} of {}: figures of the host are low", threads,
                         counted(ranks, "rank"), counted(there, "CPU"), host);
  }
  return {};
}

Lines lines_of(const Provenance& provenance) {
  const Record& p = provenance.record;
  Lines lines{{"started", fmt::format("{}, {} to the result", plain_text(p["started"]),
                                      seconds_text(p["seconds"]))}};
  if (!p["job"].is_null())
    lines.emplace_back("job",
                       plain_text(p["job"]["scheduler"]) + " " + plain_text(p["job"]["number"]));
  if (!p["ranks"].empty()) lines.emplace_back("ran on", hosts_text(p));
  if (p["ranks"].size() > 1 && !p["launcher"].is_null())
    lines.emplace_back("started by", launch_text(p));
  if (const std::string text = slowest_rank(p["ranks"]); !text.empty())
    lines.emplace_back("slowest rank", text, true);
  if (const std::string text = shared_cpus(p["ranks"]); !text.empty()) lines.push_back(note(text));
  if (p.contains("memory_policy"))  // older results have none
    if (const std::string text = memory_policy_text(p["memory_policy"]); !text.empty())
      lines.push_back(note(text));
  if (p.contains("load"))  // older results have none
    if (const std::string text = busy_text(p["load"]); !text.empty()) lines.push_back(note(text));
  return lines;
}

}  // namespace memstencil
