// The checksum that a results file ends with: damage is found before any library reads the file.
#include "app/common/record/checksum.hpp"

#include "app/common/record/record.hpp"
#include "app/common/runtime/failure.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace memstencil {

namespace {

constexpr std::string_view key = "memstencil_checksum";
constexpr std::size_t longest_line = std::size_t{1} << 16;

Failure system_failure() { return Failure(ExitCode::Other, std::strerror(errno)); }

Failure damaged(const std::string& why) { return Failure(ExitCode::Other, "damaged: " + why); }

/// The checksum of the file's first `bytes` bytes, but for the ranges left out.
std::uint32_t checksum_of(std::ifstream& file, std::uint64_t bytes,
                          const std::vector<ByteRange>& without) {
  std::vector<unsigned char> part(std::size_t{1} << 18);
  uLong crc = crc32_z(0, nullptr, 0);
  std::uint64_t at = 0;
  const auto take_until = [&](std::uint64_t end) {
    file.seekg(static_cast<std::streamoff>(at));
    while (at < end) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), end - at));
      errno = EIO;
      if (!file.read(reinterpret_cast<char*>(part.data()), static_cast<std::streamsize>(count)))
        throw system_failure();
      crc = crc32_z(crc, part.data(), count);
      at += count;
    }
  };
  for (const ByteRange& range : without) {
    take_until(range.first);
    at = range.first + range.count;
  }
  take_until(bytes);
  return static_cast<std::uint32_t>(crc);
}

struct Line {
  std::uint32_t crc = 0;
  std::uint64_t bytes = 0;  ///< before the line
  std::vector<ByteRange> without;
};

std::string text_of(const Line& line) {
  Record without = Record::array();
  for (const ByteRange& range : line.without) without.push_back({range.first, range.count});
  const Record all{
      {std::string(key),
       {{"crc32", fmt::format("{:08x}", line.crc)}, {"bytes", line.bytes}, {"without", without}}}};
  return "\n" + all.dump() + "\n";
}

/// @throws nlohmann's exceptions, std::exception where a text is no number
Line read_line(const std::string& text) {
  const Record all = Record::parse(text);
  const Record& checksum = all.at(std::string(key));
  Line line{.crc = static_cast<std::uint32_t>(
                std::stoul(checksum.at("crc32").get_ref<const std::string&>(), nullptr, 16)),
            .bytes = checksum.at("bytes").get<std::uint64_t>(),
            .without = {}};
  std::uint64_t at = 0;
  for (const Record& range : checksum.at("without")) {
    line.without.push_back({range.at(0).get<std::uint64_t>(), range.at(1).get<std::uint64_t>()});
    const auto [first, count] = line.without.back();
    if (first < at || first > line.bytes || count > line.bytes - first)
      throw std::out_of_range("ranges that are not in order");
    at = first + count;
  }
  return line;
}

/// The file's last line where it is a checksum's, and where that begins.
/// @throws Failure(Other) where it is one, but damaged
std::optional<Line> line_of(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  const auto length = static_cast<std::uint64_t>(file.tellg());
  const std::uint64_t tail = std::min<std::uint64_t>(length, longest_line);
  std::string text(tail, '\0');
  file.seekg(static_cast<std::streamoff>(length - tail));
  if (!file.read(text.data(), static_cast<std::streamsize>(tail))) return std::nullopt;
  const std::size_t start = text.rfind(fmt::format("\n{{\"{}\"", key));
  if (start == std::string::npos) return std::nullopt;
  try {
    Line line = read_line(text.substr(start));
    if (line.bytes != length - tail + start) throw std::out_of_range("another length");
    return line;
  } catch (const std::exception&) {
    throw damaged("the checksum at its end cannot be read");
  }
}

std::ifstream open_to_read(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw system_failure();
  return file;
}

}  // namespace

void leave_checksum(const std::string& path, const std::vector<ByteRange>& without) {
  Line line{.crc = 0, .bytes = std::filesystem::file_size(path), .without = without};
  {
    std::ifstream file = open_to_read(path);
    line.crc = checksum_of(file, line.bytes, without);
  }
  const std::string text = text_of(line);
  if (text.size() > longest_line) return;
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::app);
  if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush())
    throw system_failure();
}

void drop_checksum(const std::string& path) {
  std::ifstream file = open_to_read(path);
  const auto line = line_of(file);
  if (line && truncate(path.c_str(), static_cast<off_t>(line->bytes)) != 0) throw system_failure();
}

bool agrees_with_checksum(const std::string& path) {
  std::ifstream file = open_to_read(path);
  const auto line = line_of(file);
  if (!line) return false;
  if (checksum_of(file, line->bytes, line->without) != line->crc)
    throw damaged("its bytes do not agree with its checksum");
  return true;
}

}  // namespace memstencil
