// The answer as a report: tables and sentences in sections, as text, as Markdown and as a page. It
// computes nothing: every figure is the answer's.
#pragma once

#include "app/compare/show/answer.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

struct Column {
  std::string title;
  bool text = false;  ///< it has no number
};

struct Table {
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};  ///< cells as a person reads them
  std::string note = {};                            ///< a line under it, or nothing
};

/// A last column of this title stands under its row in a text where it has no room.
inline constexpr const char* why_title = "why";

/// Sentences, or a table.
struct Section {
  std::string title;
  std::vector<std::string> sentences = {};
  Table table = {};

  bool empty() const { return sentences.empty() && table.rows.empty(); }
};
/// Sentences of a section, and rows of its table, that are shown at first.
inline constexpr std::size_t most_shown = 12;

/// The rows of an array of the answer, whose members (or paths) title the columns; those that no
/// row fills are left out. Texts and counts are shown as they are, fractions as percent, ratios as
/// times, and other numbers with four digits.
Table table_of(const Record& rows, const std::vector<std::string>& members,
               const std::string& note = "");

/// A table whose lines have at most `width` characters if its columns have room in them.
std::string to_text(const Table& table, std::size_t width);
std::size_t width_of(const Table& table);
/// @param full false: of each section the first ones, and the number that is left out
std::string to_text(const std::vector<Section>& sections, bool full);
std::string to_markdown(const std::vector<Section>& sections);

std::vector<std::string> side_names(const Record& answer);
std::vector<std::string> texts(const Record& record, const char* member);

/// @param width characters of a line at most
/// @param full with the interval of every cell
std::string screen_text(const Record& answer, std::size_t width, bool full);
std::string block_text(const Record& answer, const Record& block, std::size_t width, bool full);
std::vector<Section> sections_of_screen(const Record& answer);

/// @param width characters of the screen's lines at most
std::string to_text(const Answer& answer, std::size_t width, bool full);
/// The screen and the sections that are printed behind it.
std::vector<Section> first_sections(const Record& answer);

struct Picture {
  std::string name, title, caption;
  bool lead = false;  ///< is not folded on the page
  std::string svg;    ///< as an address of data has it
};
/// Draws the plots that the answer allows, by Python scripts next to the program and the first
/// Python that has matplotlib.
/// @param folder is made, and gets a PNG, SVG and PDF of each; empty: for a page, without files
/// @throws Failure(Machine) if no Python has matplotlib; Failure(Other) if drawing fails
std::vector<Picture> draw(const Record& answer, const std::string& folder);

/// "page/page.css", as it stands next to the program, built or installed.
/// @throws Failure(Other) if it is missing
std::filesystem::path shared_file(const std::string& name);
/// All of a file; empty if it cannot be read.
std::string content_of(const std::filesystem::path& path);
/// One HTML page that needs no other file: style and words of it are files next to the program.
/// @throws Failure(Other) if one of those is missing
std::string to_page(const Record& answer, const std::vector<Picture>& pictures);

/// "Is this normal?" The runs of the kept sample of the GPU that `mine` used: equal in name, memory
/// and power limit; of several samples the one with most cases in common.
/// @param kept a folder with a folder for each sample
/// @throws Failure(Machine) if none is kept: the line names those that are; as read_runs()
std::vector<Run> known_runs(const std::vector<Run>& mine, const std::filesystem::path& kept);
/// Figures of both, with their ratio, and the settings that differ.
/// @param sides the kept one, and the other
/// @throws Failure(Machine) if they have no himeno run or no rate of the link in common
Record known_record(const std::vector<Side>& sides);
std::vector<Section> known_sections(const Record& record);

}  // namespace memstencil::compare
