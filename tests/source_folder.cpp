#include "tests/source_folder.hpp"

std::string memstencil::source_folder() { return MEMSTENCIL_SOURCE; }
