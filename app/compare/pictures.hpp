// The plots: drawn from the answer by Python scripts next to the program.
#pragma once

#include "app/base/record/record.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

/// What --only takes, and what the scripts can draw.
inline constexpr std::array plot_names{
    "speed",     "phases",  "sweeps",   "scaling",    "model",    "prediction",
    "roofline",  "energy",  "capacity", "transposes", "variants", "patterns",
    "migration", "latency", "link",     "l2",         "exchange", "overlap",
    "pages",     "copy",    "issue",    "registers",  "atomics",  "warp"};

struct Picture {
  std::string name, title, caption;
  bool lead = false;  ///< stands above the tables of the page
  std::string svg;    ///< base64
};

struct Python {
  std::string program, script;
};
/// A Python that has matplotlib, and the script. Each look starts a Python.
/// @throws Failure(Machine) where none has
Python find_python();

/// Draws what the answer allows into the folder.
/// @param files false: only the pictures that a page needs; true: PNG, SVG and PDF of each
/// @throws Failure(Other) where the script fails
std::vector<Picture> draw(const Python& python, const Record& answer, const std::string& only,
                          const std::filesystem::path& folder, bool files);

/// A file that was installed next to the program: "page/page.css".
std::filesystem::path shared_file(const std::string& name);

}  // namespace memstencil::compare
