// Results of machines that do not exist, as records, and as runs that were read. Their members are
// those of results.json, from which synthetic.py makes its results, too.
#pragma once

#include "app/compare/predict/applications.hpp"
#include "app/compare/show/show.hpp"
#include "tests/source_folder.hpp"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

/// Inside a test the name Run is GoogleTest's.
using Runs = std::vector<Run>;

/// The machine, or the result of that program, of results.json.
inline Record plain(const std::string& name) {
  static const Record all = [] {
    std::ifstream file(source_folder() + "/tests/app/compare/results.json");
    return Record::parse(file);
  }();
  return all.at(name);
}

inline Record machine(const std::string& host, const std::string& gpu, int page_bytes = 4096) {
  Record made = plain("machine");
  made["hostname"] = host;
  made["cpu"]["model"] = "CPU of " + gpu;
  made["memory"]["page_bytes"] = page_bytes;
  made["gpu"]["name"] = gpu;
  return made;
}

inline const Record one = machine("n1", "GPU one");

/// A himeno result at `gflops` in device memory, whose limit of 3000 GB/s it reaches to the half.
inline Record himeno(const Record& on, double gflops, const std::vector<int>& ranks = {1, 1, 1}) {
  Record result = plain("himeno");
  result["ranks"] = ranks;
  result["mflops"] = 1000 * gflops;
  result["machine"] = on;
  return result;
}

/// The same of heat, which has no layout and no coefficients.
inline Record heat(const Record& on, double gflops, const std::vector<int>& ranks = {1, 1, 1}) {
  Record result = himeno(on, gflops, ranks);
  result["program"] = "heat";
  result["options"].erase("coefficients");
  return result;
}

/// The same by the host of a build without GPU: whatever space was asked
/// for, the memory is the host's.
inline Record by_host(Record record, int threads, const std::string& requested = "device") {
  record["exec"] = "host";
  record["execution"] = {{"host_threads", threads}};
  record["memspace"] = {{"requested", requested}, {"effective", "host"}};
  return record;
}

/// A transpose result with one variant at `gbs`, by `exec`, whose limit is a copy of this kind.
inline Record transpose(const Record& on, const std::string& exec, const std::string& kind,
                        double gbs) {
  Record result = plain("transpose");
  result["exec"] = exec;
  result["limit"]["kind"] = kind;
  result["variants"][0]["gbs"] = {{"min", gbs}, {"median", gbs}, {"max", gbs}};
  result["machine"] = on;
  return result;
}

/// A membench result with one row of the probe link.
inline Record membench(const Record& on, double gbs) {
  Record result = plain("membench");
  Record& row = result["probes"][0]["rows"][0];
  row["gbs"] = {gbs};
  row["samples"]["gbs"] = {gbs - 1, gbs, gbs + 1};
  result["machine"] = on;
  return result;
}

inline Run run(const std::string& file, const Record& record, const std::string& folder = "") {
  return read_run(file, folder, record);
}

/// himeno in this memory: so many seconds of filling, these sweeps, and nothing else.
inline Record sweeps(const std::string& memory, double seconds, std::vector<double> series) {
  Record record = himeno(one, 1000);
  record["memspace"] = {{"requested", memory}, {"effective", memory}};
  double all = 0;
  for (const double each : series) all += each;
  record["iterations"] = series.size();
  record["sweeps"]["seconds"] = series;
  record["phases"] = {{"initialise", seconds}, {"sweeps", all}};
  return record;
}
/// `count` equal sweeps after 0.5 s of filling.
inline Record steady(const std::string& memory, double sweep, std::size_t count = 10) {
  return sweeps(memory, 0.5, std::vector<double>(count, sweep));
}

inline Runs in_folder(const std::string& folder, const std::vector<Record>& records) {
  Runs runs;
  for (std::size_t n = 0; n < records.size(); ++n)
    for (const Record& repeat : repeats_of(records[n]))
      runs.push_back(run(folder + "/" + std::to_string(n) + ".h5", repeat, folder));
  return runs;
}

/// Folders of results side by side; the first is the base.
struct Compared {
  using Folders = std::vector<std::pair<std::string, std::vector<Record>>>;

  explicit Compared(const Folders& folders, const std::vector<MachineDescription>& machines = {}) {
    for (const auto& [name, records] : folders) {
      const Runs of_folder = in_folder(name, records);
      runs.insert(runs.end(), of_folder.begin(), of_folder.end());
    }
    sides = sides_of(runs, machines);
    problems = problems_of(sides);
  }
  Compared(const Compared&) = delete;

  const std::vector<Ranked>& ranked() const { return problems.at(0).sides.at(0); }
  Record answer() const { return answer_of(sides, {}); }
  Record screen() const { return answer_of(sides, {}).at("screen"); }
  std::vector<std::string> said() const { return screen().at("headline"); }

  Runs runs;
  std::vector<Side> sides;
  std::vector<Problem> problems;
};

}  // namespace memstencil::compare
