// Facts of the machine and of the program, as every result carries them.
#pragma once

#include "app/base/record/record.hpp"
#include "memory_spaces/system_reach.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace memstencil {

/// The record `machine` (docs/reference/result-format.md). Facts that could not be found are null;
/// sizes in bytes.
struct MachineFacts {
  Record record = Record::object();

  /// The fact at this place, as fact<bool>("/memory/init_on_alloc"); nothing if it is not known.
  template <class T>
  std::optional<T> fact(const char* place) const {
    const Record::json_pointer at(place);
    const bool known = record.contains(at) && !record.at(at).is_null();
    return known ? std::optional(record.at(at).get<T>()) : std::nullopt;
  }
  std::optional<std::string> text(const char* place) const { return fact<std::string>(place); }
  bool has_gpu() const { return text("/gpu/name").has_value(); }
  operator const Record&() const { return record; }
};

/// Asks the driver, which may take a second, so: on rank 0, outside the timed part.
MachineFacts machine_facts();
/// The same without a GPU, from the files of Linux under `root`: "/", or a copy of another
/// machine's.
MachineFacts host_facts(const std::filesystem::path& root);

/// This machine's name, as its kernel has it; "?" if that is not readable.
std::string host_name();
/// The value of the first line "KEY<separator>VALUE"; nothing if there is none.
std::optional<std::string> value_of(const std::filesystem::path& path, const std::string& key,
                                    char separator = ':');
/// The first line of the file without its end; nothing if it cannot be read.
std::optional<std::string> first_line(const std::filesystem::path& path);

/// Parameters of the module nvidia_uvm that decide on migration and address translation.
std::map<std::string, std::string> uvm_parameters(const std::filesystem::path& root);
/// Do access counters move pages to a GPU with these parameters of nvidia_uvm? By default under ATS
/// alone, and to a NUMA node alone. Nothing if the parameters do not tell.
std::optional<bool> counters_migrate(SystemReach reach,
                                     const std::map<std::string, std::string>& uvm_parameters);

}  // namespace memstencil
