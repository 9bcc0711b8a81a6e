// A file that appears whole or not at all: written under a hidden name beside, then renamed.
#pragma once

#include "app/common/record/output_lock.hpp"
#include "app/common/record/removal_on_signal.hpp"
#include "app/common/runtime/failure.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// The treatment of an output file that exists already.
enum class Existing { Refuse, Replace, Append };

/// Checks what can be known before anything is computed: the folder takes files, and the path is
/// free, or a regular file that may be replaced or appended to.
/// @param bytes that are to be written, for which there has to be room beside what is there
/// @throws Failure(Other)
void check_output_path(const std::string& path, Existing existing, std::size_t bytes = 0);

/// A run never replaces a file that it reads: `read` are its files, empty names
/// among them for those not given.
/// @throws Failure(Usage)
void check_not_read(const std::string& path, const std::vector<std::string>& read);

/// For Append: the file is no longer the one that was copied. A new
/// OutputFile starts from the newer one.
struct ChangedMeanwhile : Failure {
  explicit ChangedMeanwhile(const Failure& failure) : Failure(failure) {}
};

/// The file while it is written, by one program at a time: from the copy to the new name it holds
/// a lock. It vanishes with this object unless publish() was called, and with the process where
/// an ending signal ends that; what SIGKILL leaves, the next on the same path removes.
/// One at a time in a process.
class OutputFile {
public:
  /// Creates the hidden file; for Append it starts as a copy of the file at `path`.
  /// @param patience how long other programs that write the file are waited for
  /// @throws Failure(Other) as check_output_path, where there is no room, and where patience ends
  OutputFile(const std::string& path, Existing existing,
             std::chrono::milliseconds patience = std::chrono::minutes(10));
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// The path to write to.
  const std::string& hidden_path() const { return hidden_; }
  /// Does the hidden file start as a copy of an older one?
  bool continues() const { return older_.number != 0; }

  /// Is there room for so many bytes more? A question alone: nothing is kept.
  void check_room(std::size_t bytes) const;
  /// Takes real disk blocks for the file's whole length now, so that a full disk is found here.
  void reserve() const;
  /// Gives the blocks back: for a library that insists on writing what a full disk did not take.
  void empty() const noexcept;
  /// To disk, then to its name.
  /// @throws Failure(Other); ChangedMeanwhile by a program that takes no lock
  void publish();

private:
  /// Tells a file from what another program has put in its place.
  struct Identity {
    ino_t number = 0;
    off_t bytes = 0;
    time_t seconds = 0;
    long nanoseconds = 0;
    bool operator==(const Identity&) const = default;
  };
  Identity identity() const;
  void copy_older();

  std::string path_;
  Existing existing_;
  std::optional<OutputLock> lock_;
  std::string hidden_;
  std::optional<RemovalOnSignal> removal_;
  Identity older_;  ///< for Append: the file that was copied; all zero where there was none
  bool published_ = false;
};

}  // namespace memstencil
