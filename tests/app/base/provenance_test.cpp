// The origin of a result: the variables that it keeps, every rank with its own figures, and its
// lines in a report.
#include "app/base/machine/provenance.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <list>

namespace memstencil {
namespace {

/// Sets a variable for the length of a test; null takes it away.
class Variable {
public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Variable() { set(old_ ? old_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

private:
  void set(const char* value) {
    if (value != nullptr)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }
  const char* name_;
  std::optional<std::string> old_;
};

Provenance taken(const Named<double>& seconds = {}) {
  const std::array arguments{"build/bin/himeno", "--size",   "S",       "--place",
                             "p=device",         "--output", "a b'c.h5"};
  const ProgramStart start(static_cast<int>(arguments.size()), arguments.data());
  return provenance_of(start, {1, "0"}, seconds, Communicator());
}

Provenance on_hosts(const std::vector<std::pair<std::string, double>>& ranks) {
  Record p{{"started", "2026-11-22T08:00:00Z"},
           {"seconds", 12.5},
           {"job", nullptr},
           {"launcher", nullptr},
           {"ranks_share_cpus", nullptr},
           {"hosts", Record::array()},
           {"ranks", Record::array()}};
  for (const auto& [host, seconds] : ranks) {
    p["ranks"].push_back({{"host", host},
                          {"gpu", "GPU-1"},
                          {"gpu_pci", "0000:0f:00.0"},
                          {"cpus", "0-3"},
                          {"threads", 2},
                          {"seconds", {{"sweep", seconds}}}});
    if (p["hosts"].empty() || p["hosts"].back() != host) p["hosts"].push_back(host);
  }
  p["ranks_share_hosts"] = p["hosts"].size() < ranks.size();
  return {p};
}

std::string line(const Provenance& p, const std::string& name) {
  for (const Line& each : lines_of(p))
    if (each.name == name) return each.value;
  return "";
}

TEST(ProvenanceRecord, HasTheCommandLineAsTyped) {
  EXPECT_EQ(taken().record["command_line"],
            "build/bin/himeno --size S --place p=device --output 'a b'\\''c.h5'");
}

TEST(ProvenanceRecord, KeepsTheVariablesThatChangeResultsAndNoOther) {
  const auto kept = {"OMP_NUM_THREADS",
                     "UCX_TLS",
                     "OMPI_MCA_pml",
                     "GOMP_CPU_AFFINITY",
                     "KMP_BLOCKTIME",
                     "MPICH_GPU_SUPPORT_ENABLED",
                     "FI_PROVIDER",
                     "NCCL_ALGO",
                     "PRTE_MCA_rmaps_default_mapping_policy",
                     "PMIX_MCA_gds",
                     "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
                     "I_MPI_FABRICS"};
  const auto not_kept = {"HOME", "PMIX_SERVER_URI41", "OMPI_MCA_PREFIXES",
                         "PMIX_MCA_mca_base_component_path",
                         "OMPI_MCA_orte_precondition_transports"};  // a key of mpirun's
  std::list<Variable> set;
  for (const auto& names : {kept, not_kept})
    for (const char* name : names) set.emplace_back(name, name);  // so no value is that of another
  const Record environment = taken().record["environment"];
  for (const char* name : kept) EXPECT_EQ(environment.value(name, ""), name);
  for (const char* name : not_kept) EXPECT_FALSE(environment.contains(name)) << name;
  EXPECT_FALSE(environment.contains("OMPI_MCA_ess")) << "set by the library for a lone rank";
}

TEST(ProvenanceRecord, IsTakenWhateverBytesTheEnvironmentHas) {
  const Variable odd("OMP_PLACES", "cores\xff"), job("SLURM_JOB_ID", "\xfe");
  const Provenance p = taken();
  EXPECT_EQ(p.record["environment"]["OMP_PLACES"].get<std::string>(), "cores\xff");
  EXPECT_TRUE(contains(to_json(to_record(p)), "cores\xef\xbf\xbd"));
  EXPECT_EQ(line(p, "job"), "Slurm \xfe");
}

TEST(ProvenanceRecord, NamesTheSchedulersJob) {
  const Variable none("SLURM_JOB_ID", nullptr), not_pbs("PBS_JOBID", nullptr);
  EXPECT_TRUE(taken().record["job"].is_null());
  {
    const Variable pbs("PBS_JOBID", "1234.opbs");
    EXPECT_EQ(line(taken(), "job"), "PBS 1234.opbs");
  }
  {
    const Variable nqsv("PBS_JOBID", "0:123.nqsv");
    EXPECT_EQ(line(taken(), "job"), "NQSV 123.nqsv");
  }
  const Variable slurm("SLURM_JOB_ID", "77");
  EXPECT_EQ(line(taken(), "job"), "Slurm 77");
}

TEST(ProvenanceRecord, NamesTheLauncherOfSeveralRanks) {
  const Variable open_mpi("OMPI_COMM_WORLD_SIZE", nullptr), pmi("PMI_SIZE", nullptr),
      no_step("SLURM_STEP_NUM_TASKS", nullptr), job("SLURM_JOB_ID", "77");
  EXPECT_TRUE(taken().record["launcher"].is_null()) << "a batch script is no launcher";
  const Variable step("SLURM_STEP_NUM_TASKS", "2"), pmix("SLURM_MPI_TYPE", "pmix");
  EXPECT_EQ(taken().record["launcher"], "srun --mpi=pmix");
  const Variable inside("OMPI_COMM_WORLD_SIZE", "2");
  EXPECT_EQ(taken().record["launcher"], "Open MPI's mpirun");
}

TEST(ProvenanceText, NamesTheLauncherOfSeveralRanksAndTheirCpus) {
  Provenance p = on_hosts({{"a", 1}, {"a", 1}});
  EXPECT_EQ(line(p, "started by"), "");
  p.record["launcher"] = "srun --mpi=pmix";
  EXPECT_EQ(line(p, "started by"), "srun --mpi=pmix");
  p.record["ranks_share_cpus"] = true;
  EXPECT_EQ(line(p, "started by"), "srun --mpi=pmix, ranks of a host share CPUs");
  p.record["ranks_share_cpus"] = false;
  EXPECT_EQ(line(p, "started by"), "srun --mpi=pmix, each rank has CPUs of its own");
}

TEST(ProvenanceText, NamesTheHostsAndWhetherRanksShareThem) {
  EXPECT_EQ(line(on_hosts({{"a", 1}, {"b", 1}}), "ran on"), "2 hosts: a, b");
  EXPECT_EQ(line(on_hosts({{"a", 1}, {"a", 1}}), "ran on"), "1 host: a (2 ranks)");
  EXPECT_EQ(line(on_hosts({{"a", 1}}), "started"), "2026-11-22T08:00:00Z, 12.50 s to the result");
  std::vector<std::pair<std::string, double>> many;
  for (int n = 0; n < 12; ++n) many.emplace_back("n" + std::to_string(n), 1);
  EXPECT_EQ(line(on_hosts(many), "ran on"), "12 hosts: n0, n1, n2, n3, n4, n5, n6, n7, ...");
}

TEST(ProvenanceText, NamesTheSlowestRankWhereItIsMoreThanFivePercentBehind) {
  using Ranks = std::vector<std::pair<std::string, double>>;
  const std::string first = "1 on b, GPU 0000:0f:00.0: sweep takes it ";
  for (const auto& [ranks, says] : std::vector<std::pair<Ranks, std::string>>{
           {{{"a", 1e-3}, {"b", 1.12e-3}, {"c", 1e-3}}, "1.120 ms, 12 %"},
           {{{"a", 1e-3}, {"b", 1.1e-3}}, "1.100 ms, 10 %"},
           {{{"a", 1e-3}, {"b", 1.1e-3}, {"c", 1.1e-3}, {"d", 1e-3}}, "1.100 ms, 10 %"},
           {{{"a", 1e-3}, {"b", 1.04e-3}, {"c", 1e-3}}, ""},
           {{{"a", 1e-3}, {"b", 1.04e-3}}, ""},
           {{{"a", 1e-3}}, ""}})
    EXPECT_EQ(line(on_hosts(ranks), "slowest rank"),
              says.empty() ? "" : first + says + " more than the median of the ranks");
}

TEST(ProvenanceText, NotesCpusThatAreSharedByMoreThreads) {
  EXPECT_EQ(line(on_hosts({{"a", 1}, {"a", 1}}), "note"), "");
  EXPECT_EQ(line(on_hosts({{"a", 1}, {"a", 1}, {"a", 1}}), "note"),
            "6 threads of 3 ranks share 4 CPUs of a: figures of the host are low");
  Provenance unknown = on_hosts({{"a", 1}, {"a", 1}, {"a", 1}});
  unknown.record["ranks"][1]["cpus"] = "";
  EXPECT_EQ(line(unknown, "note"), "") << "its CPUs may be others";
}

TEST(ProvenanceOfRanks, HasEveryRanksHostCpusAndTimes) {
  const Communicator communicator;
  const std::array arguments{"himeno"};
  const ProgramStart start(1, arguments.data());
  const Record p =
      provenance_of(start, {3, "0-3"}, {{"sweep", 1.0 + communicator.rank()}}, communicator).record;
  ASSERT_EQ(p["ranks"].size(), static_cast<std::size_t>(communicator.size()));
  double expected = 1;
  for (const Record& rank : p["ranks"]) {
    EXPECT_EQ(rank["host"], p["hosts"][0]);
    EXPECT_EQ(rank["cpus"], "0-3");
    EXPECT_EQ(rank["threads"], 3);
    EXPECT_EQ(rank["seconds"]["sweep"], expected++);
  }
  EXPECT_EQ(p["hosts"].size(), 1u) << "tests run on one host";
  EXPECT_EQ(p["ranks_share_hosts"], communicator.size() > 1);
  EXPECT_EQ(p["ranks_share_cpus"], communicator.size() > 1);
}

}  // namespace
}  // namespace memstencil
