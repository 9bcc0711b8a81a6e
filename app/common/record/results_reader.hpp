// Results files are read by HDF5 in a process of its own, which may die of a damaged one.
#pragma once

#include "app/common/record/record.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace memstencil {

/// Before MPI starts: does not return where this process was started to
/// read a file. Without it a program cannot read results.
void serve_reader(int argc, const char* const* argv);

/// The questions that a reader answers.
enum class Reading {
  Check,  ///< is it a results file of the version that this program knows, and can all of it be
          ///< read? A checksum does not tell: whoever made the damage may have made it, too. Null
  Runs,   ///< all runs, without their fields: {name: record}, in the order of their numbers
  Field,  ///< of arguments RUN and NAME: {"extents": [I, J, K], "values": bytes of floats}
};

/// A process that reads is ended after so long.
extern const std::chrono::seconds longest_reading;

/// Asks another process of this program, which gets 9 s of a processor, 60 s in all (under a
/// sanitizer three times as much) and 1 GB of memory (for a field as much more as the file has).
/// Where the 60 s or something outside ends it, it is asked once more.
/// It compares the file's checksum first, where it has one.
/// @throws Failure(Other) with one line that names the file
Record ask_reader(Reading question, const std::string& path,
                  const std::vector<std::string>& arguments = {});

}  // namespace memstencil
