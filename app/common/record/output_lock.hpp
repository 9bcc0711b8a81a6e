// The right to write one file: held by one program at a time, on all nodes that share the folder.
#pragma once

#include "app/common/runtime/failure.hpp"

#include <chrono>
#include <string>

namespace memstencil {

struct LockIsTaken : Failure {
  using Failure::Failure;
};

/// A lock on an empty hidden file beside the one that is written. It ends with this object,
/// and with its process however that ends; what is left of a killed one is an empty hidden
/// file that the next one takes.
class OutputLock {
public:
  /// Waits until no other program has it; after some seconds a line on stderr says so.
  /// @throws LockIsTaken where one still has after so long; Failure(Other) where a link, or
  ///   anything but an empty file, stands in its place
  OutputLock(std::string path, std::chrono::milliseconds patience);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  /// False where the file system cannot lock, or lets no file of another user be opened.
  bool held() const { return file_ >= 0; }
  const std::string& path() const { return path_; }

private:
  std::string path_;
  int file_ = -1;
};

}  // namespace memstencil
