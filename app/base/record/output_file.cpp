// A file that appears at its name whole, in one step, or not at all.
#include "app/base/record/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

Failure refuse(const std::string& path, const std::string& why, ExitCode code = ExitCode::Other) {
  return Failure(code, fmt::format("cannot write {}: {}", path, why));
}

NameIsTaken taken(const std::string& path) {
  return NameIsTaken(refuse(path, "it exists; --force replaces it"));
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string random_name(const fs::path& folder) {
  std::random_device random;
  return folder / fmt::format(".memstencil-{:08x}{:08x}", random(), random());
}

std::string file_of(int number) { return fmt::format("/proc/self/fd/{}", number); }

int link_from(const std::string& from, const std::string& path) {
  return linkat(AT_FDCWD, from.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
}

/// Negative if the file system has no unnamed files, or would refuse to name one later.
int open_unnamed(const fs::path& folder) {
  // Its name will be made from the one that it has there.
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  const auto open_one = [&folder] {
    return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  };
  const Descriptor tried(open_one());
  const std::string name = random_name(folder);
  if (tried < 0 || link_from(file_of(tried), name) != 0) return -1;
  unlink(name.c_str());
  return open_one();
}

}  // namespace

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void check_output_path(const std::string& path, Existing existing) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw refuse(path, error.message());
  if (fs::is_directory(status)) throw refuse(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw refuse(path, "it is not a regular file");
  if (existing == Existing::Refuse && fs::exists(fs::symlink_status(path, error)))
    throw taken(path);
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0)
    throw refuse(path, std::strerror(errno));
  // Only trying tells: permissions do not bind root, and a file system may be read-only.
  NewFile(path).rehearse_publishing();
}

void check_output_folder(const std::string& folder) {
  std::error_code error;
  fs::path path(folder);
  if (!path.has_filename()) path = path.parent_path();  // without the slash at its end
  const bool is_folder = fs::is_directory(path, error);
  if (fs::exists(path, error) && !is_folder) throw refuse(folder, "it is no folder");
  NewFile(is_folder ? path / "" : path).rehearse_publishing();
}

void check_not_read(const std::string& path, const std::vector<std::string>& read) {
  std::error_code none;  // what is not there is no file of this run
  for (const std::string& each : read)
    if (fs::equivalent(path, each, none))
      throw refuse(path, "this run reads it, and --force would replace it", ExitCode::Usage);
}

NewFile::NewFile(const std::string& path, Name name)
    : path_(path), file_(name == Name::None ? open_unnamed(folder_of(path)) : -1) {
  if (file_ >= 0) return;
  const fs::path folder = folder_of(path);
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown))
    throw refuse(path, fmt::format("there is no folder {}", folder.string()));
  hidden_ = random_name(folder);
  Descriptor made(open(hidden_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
  if (made < 0)
    throw refuse(path, fmt::format("no file can be created in {}: {}", folder.string(),
                                   std::strerror(errno)));
  file_ = std::move(made);
}

NewFile::~NewFile() {
  if (!hidden_.empty()) unlink(hidden_.c_str());
}

void NewFile::write(std::string_view bytes) {
  if (!write_all(file_, bytes)) throw refuse(path_, std::strerror(errno));
}

int NewFile::link_to(const std::string& path) const {
  return link_from(hidden_.empty() ? file_of(file_) : hidden_, path);
}

int NewFile::name_it(const std::string& path) {
  if (link_to(path) == 0) return 0;
  if (errno == EEXIST || hidden_.empty()) return -1;
  // The file system refuses a second name: its only one is changed.
  if (renameat2(AT_FDCWD, hidden_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0)
    return -1;
  hidden_.clear();
  return 0;
}

void NewFile::replace(const std::string& path) {
  if (hidden_.empty()) {
    const std::string hidden = random_name(folder_of(path));
    if (link_to(hidden) != 0) throw refuse(path, std::strerror(errno));
    hidden_ = hidden;
  }
  if (std::rename(hidden_.c_str(), path.c_str()) != 0) throw refuse(path, std::strerror(errno));
  hidden_.clear();
}

void NewFile::publish(const std::string& path, Existing existing) {
  if (fsync(file_) != 0) throw refuse(path, std::strerror(errno));
  if (existing == Existing::Replace) {
    replace(path);
  } else if (name_it(path) != 0) {
    if (errno == EEXIST) throw taken(path);
    throw refuse(path, std::strerror(errno));
  }
  // The name is on disk only once its folder is.
  const Descriptor folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder >= 0) fsync(folder);
}

void NewFile::rehearse_publishing() {
  const std::string name = random_name(folder_of(path_));
  if (name_it(name) != 0) throw refuse(path_, std::strerror(errno));
  unlink(name.c_str());
}

void write_file(const std::string& path, Existing existing, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.publish(path, existing);
}

}  // namespace memstencil
