// The first 512 bytes of a result: one line that tells whether the rest is whole.
#pragma once

#include "app/base/record/record.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace memstencil {

/// HDF5 calls it the user block, and looks for its own first byte behind it.
constexpr std::size_t user_block_bytes = 512;

/// "memstencil-results 2 BYTES CRC32" and zeros: the number of bytes of the image that follows, and
/// their CRC-32 (zlib's, eight hexadecimal digits).
std::string user_block(std::string_view image);

/// All bytes of the file, block included: they are as they were written.
/// @throws Failure(Other) without the file's name where they are not, and where it is no result
std::string read_whole_result(const std::string& path);

}  // namespace memstencil
