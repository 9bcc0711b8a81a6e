// The checksum that a results file ends with: damage is found before any library reads the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memstencil {

/// Bytes of a file that its checksum leaves out: the values of fields, which no damage makes
/// unreadable and which may be many.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Appends a line of text to the file, behind its HDF5 part, where the library ignores it:
///
///     {"memstencil_checksum":{"crc32":"1a2b3c4d","bytes":497540,"without":[[2048,67108864]]}}
///
/// crc32 is zlib's. Another program that opens the file for writing cuts the line off. Where the
/// line would be longer than readers look for it (thousands of fields), none is left.
/// @param without in ascending order
/// @throws Failure(Other) without the file's name
void leave_checksum(const std::string& path, const std::vector<ByteRange>& without);

/// Cuts the line off again, where there is one.
/// @throws Failure(Other) without the file's name
void drop_checksum(const std::string& path);

/// True where the file has a checksum and agrees with it, false where it has none.
/// @throws Failure(Other) "damaged: ..." where they differ
bool agrees_with_checksum(const std::string& path);

}  // namespace memstencil
