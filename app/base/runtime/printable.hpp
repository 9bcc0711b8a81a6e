// Text for a terminal: names and texts out of files may hold anything.
#pragma once

#include <string>

namespace memstencil {

/// Each control character becomes a '?', those of U+0080 to U+009F as well, so that none of a
/// file's begins an escape sequence. Ends of lines and tabs stay.
std::string printable(std::string text);

}  // namespace memstencil
