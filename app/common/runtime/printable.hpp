// Text for a terminal: names and texts out of files may hold anything.
#pragma once

#include <string>

namespace memstencil {

/// Each control character becomes a '?', so that none of a file's begins an escape sequence; the
/// second set of them (U+0080 to U+009F) as well.
std::string printable(std::string text);
/// The same, where ends of lines and tabs stay.
std::string printable_lines(std::string text);

}  // namespace memstencil
