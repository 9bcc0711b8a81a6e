// The right to write one file: held by one program at a time, on all nodes that share the folder.
#include "app/common/record/output_lock.hpp"

#include "app/common/runtime/failure.hpp"
#include "app/common/runtime/printable.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <thread>
#include <utility>

namespace memstencil {

namespace {

/// A link is not followed: it may lead to any file of this user. A pipe is not waited for.
constexpr int as_a_plain_file = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

/// An empty file with one name, or with none any more: nobody else's content is in the way.
bool is_a_lock(const struct stat& found) {
  return S_ISREG(found.st_mode) && found.st_size == 0 && found.st_nlink <= 1;
}

int open_lock(const std::string& path) {
  const int file = open(path.c_str(), as_a_plain_file | O_CREAT, 0666);
  struct stat found {};
  if (file < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR) return file;
  if (file < 0 || fstat(file, &found) != 0 || !is_a_lock(found)) {
    if (file >= 0) close(file);
    throw Failure(ExitCode::Other, fmt::format("{} is in the way: it is not an empty file", path));
  }
  // Whoever may write in the folder may wait here.
  if (found.st_uid == geteuid()) fchmod(file, 0666);
  return file;
}

/// Locks that open files own (Linux 3.15), not flock: these reach the other nodes on NFS, and on
/// Lustre mounted with flock, and no file that this process closes gives them up.
bool take(int file) {
  struct flock all {};
  all.l_type = F_WRLCK;
  all.l_whence = SEEK_SET;
  return fcntl(file, F_OFD_SETLK, &all) == 0;
}

/// Its last owner may have removed the file while we waited, and another program have made it anew.
/// It is opened for that, because NFS may answer stat from what it remembers.
bool is_still_at(const std::string& path, int file) {
  const int now = open(path.c_str(), as_a_plain_file);
  struct stat ours {
  }, there{};
  const bool same = now >= 0 && fstat(now, &there) == 0 && fstat(file, &ours) == 0 &&
                    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (now >= 0) close(now);
  return same;
}

constexpr std::chrono::seconds silent_wait{5};

void tell_wait(const std::string& lock, std::chrono::duration<double> most) {
  fmt::print(stderr,
             "{}: waiting for at most {:.0f} s: another program writes the output, and holds {}\n",
             program_invocation_short_name, most.count(), printable(lock));
}

}  // namespace

OutputLock::OutputLock(std::string path, std::chrono::milliseconds patience)
    : path_(std::move(path)) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now(), end = start + patience;
  for (bool told = false;;) {
    file_ = open_lock(path_);
    if (!held()) return;
    if (take(file_)) {
      if (is_still_at(path_, file_)) return;
    } else if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL) {
      unlink(path_.c_str());  // this file system, or kernel, cannot lock
      close(std::exchange(file_, -1));
      return;
    }
    close(std::exchange(file_, -1));
    if (Clock::now() >= end)
      throw LockIsTaken(ExitCode::Other,
                        fmt::format("another program has been writing it for {} s",
                                    std::chrono::duration<double>(patience).count()));
    if (!told && Clock::now() >= start + silent_wait) {
      tell_wait(path_, end - start);
      told = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

OutputLock::~OutputLock() {
  if (!held()) return;
  unlink(path_.c_str());  // while it is still ours
  close(file_);
}

}  // namespace memstencil
