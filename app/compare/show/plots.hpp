// The plots of the answer, which Python scripts next to the program draw from it.
#pragma once

#include "app/base/record/record.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

/// What --only takes, and what the scripts can draw.
inline constexpr std::array plot_names{
    "speed", "phases",  "sweeps",    "prediction", "roofline", "link",      "latency",
    "model", "scaling", "variants",  "transposes", "patterns", "migration", "l2",
    "copy",  "issue",   "registers", "atomics",    "warp"};

struct Picture {
  std::string name, title, caption;
  bool lead = false;  ///< is not folded on the page
  std::string svg;    ///< as an address of data has it
};

/// Draws what the answer allows, by the first Python that has matplotlib.
/// @param only a plot's name; empty: all
/// @param folder is made, and gets a PNG, SVG and PDF of each; empty: for a page, without files
/// @throws Failure(Machine) where no Python has matplotlib; Failure(Other) where drawing fails, or
/// where the answer lacks what the one plot needs
std::vector<Picture> draw(const Record& answer, const std::string& only, const std::string& folder);

/// A file that was installed next to the program: "page/page.css".
/// @throws Failure(Other) where it is missing
std::filesystem::path shared_file(const std::string& name);
/// All of it; empty where it cannot be read.
std::string content_of(const std::filesystem::path& path);

}  // namespace memstencil::compare
