// A file that appears whole or not at all: written under a hidden name beside, then renamed.
#include "app/common/record/output_file.hpp"

#include "app/common/machine/host_facts.hpp"
#include "app/common/runtime/failure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

Failure refuse(const std::string& path, const std::string& why) {
  return Failure(ExitCode::Other, fmt::format("cannot write {}: {}", path, why));
}

/// An open file's number, closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

private:
  int number_;
};

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The common prefix of the hidden files beside this one. A file's name has at most 255 bytes.
std::string hidden_stem(const fs::path& path) {
  return fmt::format(".{}.", path.filename().string().substr(0, 180));
}

/// This node's name, as it stands in those of hidden files.
std::string node_name() { return host_name().substr(0, 30); }

/// Creates an empty file that nobody else has, and says its name; returns its number, to be closed.
int create_hidden(const fs::path& path, Existing existing, std::string& name) {
  name = folder_of(path) / fmt::format("{}{}.{}.XXXXXX", hidden_stem(path), getpid(), node_name());
  const int file = mkstemp(name.data());
  if (file < 0)
    throw refuse(path, fmt::format("no file can be created in {}: {}", folder_of(path).string(),
                                   std::strerror(errno)));
  // mkstemp's file is private. The result shall have the mode of any new
  // file, or its predecessor's.
  const mode_t mask = umask(0);
  umask(mask);
  struct stat older {};
  const bool keep = existing != Existing::Refuse && stat(path.c_str(), &older) == 0;
  fchmod(file, keep ? older.st_mode & 07777 : 0666 & ~mask);
  return file;
}

/// The node in a name that create_hidden() gave; nothing for other names.
std::string node_of_hidden(const std::string& name, const std::string& stem) {
  constexpr std::size_t random = 7;  // with its dot
  if (!name.starts_with(stem)) return "";
  const std::size_t dot = name.find_first_not_of("0123456789", stem.size());
  const bool numbered = dot != std::string::npos && dot > stem.size() && name[dot] == '.';
  if (!numbered || name.size() <= dot + 1 + random || name[name.size() - random] != '.') return "";
  return name.substr(dot + 1, name.size() - random - dot - 1);
}

/// For who holds the lock. Nobody else on this node writes, so that hidden files made here are
/// those of killed processes. Locks need not reach other nodes: of these only what has been
/// idle for long is left over.
void remove_leftovers(const fs::path& path) {
  constexpr auto idle = std::chrono::hours(1);
  const std::string stem = hidden_stem(path), here = node_name();
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(folder_of(path), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string node = node_of_hidden(entry->path().filename(), stem);
    if (node.empty()) continue;
    std::error_code gone;
    const auto written = entry->last_write_time(gone);
    if (!gone && (node == here || written + idle < fs::file_time_type::clock::now()))
      left.push_back(entry->path());
  }
  for (const fs::path& each : left) fs::remove(each, error);
}

std::string lock_path(const fs::path& path) {
  return folder_of(path) / (hidden_stem(path) + "lock");
}

/// Before the run: what killed ones left takes room that this one may need.
void sweep(const fs::path& path) {
  try {
    const OutputLock lock(lock_path(path), std::chrono::milliseconds(0));
    if (lock.held()) remove_leftovers(path);
  } catch (const LockIsTaken&) {
    return;  // somebody writes now, and has swept
  } catch (const Failure& failure) {
    throw refuse(path, failure.what());
  }
}

std::size_t length_of(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  return error ? 0 : bytes;
}

/// Of large pieces only the start: enough for all but a field, whose failing HDF5 survives.
bool write_zeros(int file, off_t offset, std::size_t bytes) {
  const std::string zeros(std::size_t{1} << 20, '\0');
  for (std::size_t left = std::min(bytes, 16 * zeros.size()); left > 0;) {
    const ssize_t written = pwrite(file, zeros.data(), std::min(left, zeros.size()), offset);
    if (written <= 0) return false;
    left -= static_cast<std::size_t>(written);
    offset += written;
  }
  return true;
}

/// Takes disk blocks for the hidden file of `path` and so many bytes more, for
/// good or as a question alone.
void take_blocks(const std::string& path, int file, std::size_t more, bool keep) {
  struct stat now {};
  if (file < 0 || fstat(file, &now) != 0) throw refuse(path, std::strerror(errno));
  const off_t length = now.st_size + static_cast<off_t>(more);
  if (length != 0 && fallocate(file, 0, 0, length) != 0) {
    if (errno != EOPNOTSUPP && errno != ENOSYS) throw refuse(path, std::strerror(errno));
    // A file system that cannot reserve (NFS before 4.2) has to be tried.
    if (!write_zeros(file, now.st_size, more)) throw refuse(path, std::strerror(errno));
  }
  if (!keep && ftruncate(file, now.st_size) != 0) throw refuse(path, std::strerror(errno));
}

/// A link stands for the file it points to, whether that is there yet or not: that one is made or
/// replaced, and the link stays.
std::string target_of(const std::string& path) {
  std::error_code none;
  fs::path target = path;
  for (int followed = 0; fs::is_symlink(target, none); ++followed) {
    if (followed == 40) throw refuse(path, std::strerror(ELOOP));  // as the system does
    target = folder_of(target) / fs::read_symlink(target, none);
  }
  return target;
}

}  // namespace

void check_output_path(const std::string& path, Existing existing, std::size_t bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw refuse(path, error.message());
  if (fs::is_directory(status)) throw refuse(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw refuse(path, "it is not a regular file");
  if (fs::exists(status) && existing == Existing::Refuse)
    throw refuse(path, "it exists; --force replaces it, --append adds a run");
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0)
    throw refuse(path, std::strerror(errno));
  const fs::path target = target_of(path);
  if (!fs::is_directory(folder_of(target), error))
    throw refuse(path, fmt::format("there is no folder {}", folder_of(target).string()));
  // Only trying tells: permissions do not bind root, and a file system may be read-only.
  if (bytes != 0) sweep(target);
  std::string hidden;
  const Descriptor file(create_hidden(target, existing, hidden));
  unlink(hidden.c_str());  // at once: its room can be asked for without a name
  if (bytes != 0)
    take_blocks(path, file, bytes + (existing == Existing::Append ? length_of(target) : 0), false);
}

void check_not_read(const std::string& path, const std::vector<std::string>& read) {
  std::error_code none;  // what is not there is no file of this run
  for (const std::string& each : read)
    if (fs::equivalent(path, each, none))
      throw Failure(
          ExitCode::Usage,
          fmt::format("cannot write {}: this run reads it, and --force would replace it", path));
}

OutputFile::OutputFile(const std::string& path, Existing existing,
                       std::chrono::milliseconds patience)
    : path_(target_of(path)), existing_(existing) {
  check_output_path(path_, existing_);
  try {
    lock_.emplace(lock_path(path_), patience);
  } catch (const Failure& failure) {
    throw refuse(path_, failure.what());
  }
  if (lock_->held()) remove_leftovers(path_);
  const Descriptor created(create_hidden(path_, existing_, hidden_));
  try {
    removal_.emplace(hidden_, lock_->held() ? lock_->path() : "");
    if (existing_ == Existing::Append) copy_older();
  } catch (...) {
    unlink(hidden_.c_str());
    throw;
  }
}

OutputFile::~OutputFile() {
  if (!published_) unlink(hidden_.c_str());
}

void OutputFile::copy_older() {
  older_ = identity();
  if (!continues()) return;
  std::error_code error;
  fs::copy_file(path_, hidden_, fs::copy_options::overwrite_existing, error);
  if (error) throw refuse(path_, "copying what is there: " + error.message());
}

OutputFile::Identity OutputFile::identity() const {
  struct stat now {};
  if (stat(path_.c_str(), &now) != 0) return {};
  return {now.st_ino, now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
}

void OutputFile::check_room(std::size_t bytes) const {
  take_blocks(path_, Descriptor(open(hidden_.c_str(), O_WRONLY | O_CLOEXEC)), bytes, false);
}

void OutputFile::reserve() const {
  take_blocks(path_, Descriptor(open(hidden_.c_str(), O_WRONLY | O_CLOEXEC)), 0, true);
}

void OutputFile::empty() const noexcept {
  if (truncate(hidden_.c_str(), 0) != 0) return;  // nothing more can be done for the library
}

void OutputFile::publish() {
  {
    const Descriptor file(open(hidden_.c_str(), O_RDONLY | O_CLOEXEC));
    if (file < 0 || fsync(file) != 0) throw refuse(path_, std::strerror(errno));
  }
  if (existing_ == Existing::Append && identity() != older_)
    throw ChangedMeanwhile(refuse(path_, "another program changed it meanwhile; append again"));
  const unsigned flags = existing_ == Existing::Replace || continues() ? 0 : RENAME_NOREPLACE;
  int failed = renameat2(AT_FDCWD, hidden_.c_str(), AT_FDCWD, path_.c_str(), flags);
  if (failed != 0 && (errno == EINVAL || errno == ENOSYS)) {
    // File systems without the flag: a check just before is the best there is.
    check_output_path(path_, existing_);
    failed = std::rename(hidden_.c_str(), path_.c_str());
  }
  if (failed != 0)
    throw refuse(path_, errno == EEXIST ? "it has appeared meanwhile; --force replaces it"
                                        : std::strerror(errno));
  published_ = true;
  // The name is on disk only once its folder is.
  const Descriptor folder(open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder >= 0) fsync(folder);
}

}  // namespace memstencil
