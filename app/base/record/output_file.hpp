// A file that appears at its name whole, in one step, or not at all.
#pragma once

#include "app/base/runtime/failure.hpp"

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memstencil {

/// An open file's number, closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  operator int() const { return number_; }

private:
  int number_;
};

/// Writes all of it at the file's current place. @returns false, with errno, where that failed
bool write_all(int file, std::string_view bytes);

/// The treatment of a file that has the name already.
enum class Existing { Refuse, Replace };

struct NameIsTaken : Failure {
  explicit NameIsTaken(const Failure& failure) : Failure(failure) {}
};

/// Checks what can be known before anything is computed: the folder takes files, and the path is
/// free, or a regular file that may be replaced.
/// @throws Failure(Other); NameIsTaken
void check_output_path(const std::string& path, Existing existing);

/// The same of a folder that files are to go into; one that is not there is made when they do.
void check_output_folder(const std::string& folder);

/// A run never replaces a file that it reads: `read` are its files, empty names
/// among them for those not given.
/// @throws Failure(Usage)
void check_not_read(const std::string& path, const std::vector<std::string>& read);

/// A file while it is written, under a hidden name. Unless it is published it vanishes with this
/// object; kill -9 may leave it behind.
class NewFile {
public:
  /// @param path that it will get, or of the same folder @throws Failure(Other)
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile& operator=(NewFile&&) = delete;  // nor any copy

  /// The hidden name, by which others open it.
  const std::string& hidden_path() const { return hidden_; }
  void write(std::string_view bytes);
  /// To disk, then to its name; may be called again with another one where that is taken.
  /// @throws Failure(Other); NameIsTaken
  void publish(const std::string& path, Existing existing);
  /// Publishes it under a random name, which it loses again: a file system that refuses to name it
  /// is found before anything is computed. @throws Failure(Other)
  void rehearse_publishing();

private:
  /// In one step. False, with errno, if that failed or another file has the name and is to stay.
  bool move_to(const std::string& path, Existing existing);

  std::string path_, hidden_;  ///< the hidden path is empty once it is renamed
  Descriptor file_;
};

/// All of it. @throws as NewFile
void write_file(const std::string& path, Existing existing, std::string_view bytes);

}  // namespace memstencil
