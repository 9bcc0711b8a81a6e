// The plots of the answer, which Python scripts next to the program draw from it.
#pragma once

#include "app/base/record/record.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

struct Picture {
  std::string name, title, caption;
  bool lead = false;  ///< is not folded on the page
  std::string svg;    ///< as an address of data has it
};

/// Draws what the answer allows, by the first Python that has matplotlib.
/// @param folder is made, and gets a PNG, SVG and PDF of each; empty: for a page, without files
/// @throws Failure(Machine) if no Python has matplotlib; Failure(Other) if drawing fails
std::vector<Picture> draw(const Record& answer, const std::string& folder);

/// All of it; empty if it cannot be read.
std::string content_of(const std::filesystem::path& path);

}  // namespace memstencil::compare
