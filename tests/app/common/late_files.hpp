// What a test does just before a file is on disk, or gets its name:
// between the steps of its writer.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <functional>

namespace memstencil {

inline std::function<void()> before_synchronising, before_renaming;

}  // namespace memstencil

// In place of the C library's, so that the programs need no hook. Weak: several files of a test
// program may include this.
extern "C" [[gnu::weak]] int fsync(int file) {
  if (memstencil::before_synchronising) memstencil::before_synchronising();
  return static_cast<int>(syscall(SYS_fsync, file));
}
extern "C" [[gnu::weak]] int renameat2(int from_folder, const char* from, int to_folder,
                                       const char* to, unsigned flags) noexcept {
  if (memstencil::before_renaming) memstencil::before_renaming();
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
