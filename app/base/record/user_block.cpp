// The first 512 bytes of a result: one line that tells whether the rest is whole.
#include "app/base/record/user_block.hpp"

#include "app/base/record/descriptor.hpp"
#include "app/base/runtime/failure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace memstencil {

namespace {

Failure unreadable(const std::string& why) { return Failure(ExitCode::Other, why); }

/// The number at the beginning of the text, which loses it with the blank behind it.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last == end || *last != ' ') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(last - text.data()) + 1);
  return number;
}

/// Up to `most` bytes from the file's current place.
std::string read_bytes(int file, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t done = 0;
  while (done < most) {
    const ssize_t count = read(file, bytes.data() + done, most - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw unreadable(std::strerror(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

/// Why a file that does not begin as a result is none. Version 1 had no block.
std::string no_result(std::string_view start) {
  if (start.empty()) return "it is empty";
  if (!start.starts_with("\x89HDF\r\n\x1a\n")) return "it is no memstencil result";
  if (start.find(results_schema) != std::string_view::npos)
    return fmt::format(
        "its results have schema version 1, this program knows version {}: measure again",
        results_schema_version);
  return "it is an HDF5 file, but no memstencil result";
}

/// The bytes that the block's line says follow it.
std::size_t claimed_bytes(std::string_view start) {
  std::string_view line = start;
  if (!line.starts_with(results_schema)) throw unreadable(no_result(start));
  line.remove_prefix(std::min(line.size(), std::strlen(results_schema) + 1));
  const auto version = take_number(line);
  if (version && *version != results_schema_version)
    throw unreadable(
        fmt::format("its results have schema version {}, this program knows version {}", *version,
                    results_schema_version));
  const auto bytes = take_number(line);
  if (!version || !bytes) throw unreadable("damaged: its first line cannot be read");
  return *bytes;
}

}  // namespace

std::string user_block(std::string_view image) {
  const auto crc = crc32_z(0, reinterpret_cast<const unsigned char*>(image.data()), image.size());
  std::string block =
      fmt::format("{} {} {} {:08x}\n", results_schema, results_schema_version, image.size(), crc);
  block.resize(user_block_bytes, '\0');
  return block;
}

std::string read_whole_result(const std::string& path) {
  // A pipe without a writer would be waited for.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) throw unreadable(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw unreadable("it is a directory");
  if (!S_ISREG(status.st_mode)) throw unreadable("it is not a regular file");
  constexpr std::size_t looked_at = 65536;  // holds the schema of a file of version 1
  std::string bytes = read_bytes(file, looked_at);
  const std::size_t claimed = claimed_bytes(bytes);
  const auto length = static_cast<std::size_t>(status.st_size);
  if (length < user_block_bytes || length - user_block_bytes != claimed)
    throw unreadable(fmt::format("damaged: it has {} bytes, and {} behind the block were written",
                                 length, claimed));
  if (length > bytes.size()) bytes += read_bytes(file, length - bytes.size());
  const std::string_view all = bytes;
  if (all.substr(0, user_block_bytes) != user_block(all.substr(user_block_bytes)))
    throw unreadable("damaged: its checksum is not that of its bytes");
  return bytes;
}

}  // namespace memstencil
