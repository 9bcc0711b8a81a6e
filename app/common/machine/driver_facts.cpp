// Facts of NVIDIA's driver that CUDA does not tell: limits, clocks, addressing mode, page migration.
#include "app/common/machine/driver_facts.hpp"

#include "app/common/machine/host_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

std::string stripped(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \r") - first + 1);
}

/// "    Section\n        Key : value" as {"Section/Key": "value"}; keys outside a section alone.
std::map<std::string, std::string> sections(const std::string& text) {
  std::map<std::string, std::string> found;
  std::string section;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t colon = line.find(" : ");
    if (indent == std::string::npos) continue;
    if (colon == std::string::npos) {
      section = stripped(line);
    } else {
      // The GPU's own lines are indented by four; what belongs to a section, by more.
      const std::string key = stripped(line.substr(0, colon));
      found.emplace(indent > 4 ? section + "/" + key : key, stripped(line.substr(colon + 3)));
    }
  }
  return found;
}

/// The leading number of the first key that is there and has one.
MachineFacts::Number number_of(const std::map<std::string, std::string>& facts,
                               std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = facts.find(key);
    if (found == facts.end()) continue;
    double number = 0;
    std::istringstream stream(found->second);
    if (stream >> number) return number;
  }
  return std::nullopt;
}

MachineFacts::Text text_of(const std::map<std::string, std::string>& facts, const char* key) {
  const auto found = facts.find(key);
  return found == facts.end() || found->second == "N/A" ? MachineFacts::Text() : found->second;
}

/// nvidia-smi's name of CUDA's GPU, or nothing where it cannot be told.
std::string visible_gpu(int index) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return std::to_string(index);
  std::istringstream list(visible);
  std::string item;
  for (int n = 0; n <= index; ++n)
    if (!std::getline(list, item, ',')) return "";
  const bool plain =
      std::all_of(item.begin(), item.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
  return plain ? item : "";
}

std::string output_of(const std::string& command) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 4096> part{};
  while (pipe && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();
  return text;
}

}  // namespace

MachineFacts::Driver parse_nvidia_smi(const std::string& text) {
  const auto facts = sections(text);
  return {
      .power_limit_watts = number_of(facts, {"GPU Power Readings/Current Power Limit",
                                             "GPU Power Readings/Power Limit", "Power Readings/Power Limit"}),
      .max_sm_clock_mhz = number_of(facts, {"Max Clocks/SM"}),
      .max_memory_clock_mhz = number_of(facts, {"Max Clocks/Memory"}),
      .addressing_mode = text_of(facts, "Addressing Mode"),
      .c2c_mode = text_of(facts, "GPU C2C Mode")};
}

MachineFacts::Driver nvidia_smi_facts(int index) {
  const std::string gpu = visible_gpu(index);
  if (gpu.empty()) return {};
  return parse_nvidia_smi(output_of("timeout 10 nvidia-smi -q -i " + gpu + " 2>/dev/null"));
}

Record uvm_parameters(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "sys/module/nvidia_uvm/parameters", none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("uvm_perf_access_counter_") || name == "uvm_ats_mode" || name == "uvm_disable_hmm")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Record parameters = Record::object();
  for (const fs::path& file : files)
    parameters[file.filename().string()] = first_line(file).value_or("not readable");
  return parameters.empty() ? Record("not readable") : parameters;
}

}  // namespace memstencil
