// A file that appears at its name whole, in one step, or not at all.
#include "app/base/record/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

NewFile::NewFile(const std::string& path) : path_(path), file_(-1) {
  const fs::path folder = folder_of(path);
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown))
    throw refuse(path, fmt::format("there is no folder {}", folder.string()));
  const std::string hidden = random_name(folder);
  file_ = Descriptor(open(hidden.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
  if (file_ < 0)
    throw refuse(path, fmt::format("no file can be created in {}: {}", folder.string(),
                                   std::strerror(errno)));
  hidden_ = hidden;
}

NewFile::~NewFile() {
  if (!hidden_.empty()) unlink(hidden_.c_str());
}

void NewFile::write(std::string_view bytes) {
  if (!write_all(file_, bytes)) throw refuse(path_, std::strerror(errno));
}

bool NewFile::move_to(const std::string& path, Existing existing) {
  const bool keep = existing == Existing::Refuse;
  // A second name leaves the hidden one for another try. FUSE and exFAT do not give one.
  if (keep && linkat(AT_FDCWD, hidden_.c_str(), AT_FDCWD, path.c_str(), 0) == 0) return true;
  if (keep && errno == EEXIST) return false;
  const unsigned flags = keep ? RENAME_NOREPLACE : 0;
  if (renameat2(AT_FDCWD, hidden_.c_str(), AT_FDCWD, path.c_str(), flags) != 0) return false;
  hidden_.clear();
  return true;
}

void NewFile::publish(const std::string& path, Existing existing) {
  if (fsync(file_) != 0) throw refuse(path, std::strerror(errno));
  if (!move_to(path, existing)) {
    if (errno == EEXIST) throw taken(path);
    throw refuse(path, std::strerror(errno));
  }
  // The name is on disk only once its folder is.
  const Descriptor folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder >= 0) fsync(folder);
}

void NewFile::rehearse_publishing() {
  const std::string name = random_name(folder_of(path_));
  if (!move_to(name, Existing::Refuse)) throw refuse(path_, std::strerror(errno));
  unlink(name.c_str());
}

void write_file(const std::string& path, Existing existing, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.publish(path, existing);
}

}  // namespace memstencil
