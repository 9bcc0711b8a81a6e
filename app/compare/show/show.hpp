// The whole answer as one JSON object, from which every report is made, and its parts:
// docs/reference/comparison.md has their members.
#pragma once

#include "app/compare/judge/judge.hpp"
#include "app/compare/predict/predictions.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The first side is the base.
/// @throws Failure as those who read a run's members
Record answer_of(const std::vector<Side>& sides, const std::vector<Reference>& references);
/// Of machines that are only described.
Record answer_of(const Predictions& predictions, const std::vector<Reference>& references);

/// Its headline, placement and blocks.
Record screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems);
/// A block for each problem, with all placements.
Record every_problem(const std::vector<Side>& sides, const std::vector<Problem>& problems);

/// One or two sentences for each side: who is how many times as fast, like with like, then each
/// side at its best; of one side what it takes, and its best.
std::vector<std::string> headline_of(const std::vector<Side>& sides,
                                     const std::vector<Problem>& problems);

/// Where to put arrays, for all sides: the best placement of the problem, and what others cost per
/// run and per step; empty if there is one.
std::string placement_of(const std::vector<Side>& sides, const Problem& problem);

/// "Also, how many times as fast ...: himeno L 1.40; heat ...": of the largest other works, like
/// with like.
/// @param rates of probe_pairs()
std::string also_of(const std::vector<Problem>& problems, const std::vector<std::string>& sides,
                    const Record& rates);

/// Before quoting it: settings that differ in the runs that are shown, notes on them, and the runs
/// left out.
std::vector<std::string> know_of(const std::vector<Side>& sides,
                                 const std::vector<Problem>& problems);

/// The work whose numbers of GPUs are shown: the first one's, otherwise the largest of himeno;
/// null: all ran on one number.
const Problem* scaled_work(const std::vector<Problem>& problems);

/// "managed memory with a prefetch", "device memory filled by the host".
std::string placement_words(const Case& of);
/// "himeno XL, 3000 sweeps"
std::string work_words(const Ranked& row);
/// "4 GPUs", "1 rank".
std::string ranks_words(const Sample& sample);

/// membench's rows: of each side, as plots draw them; and side by side, of probes with many points
/// those that follow from others.
Record probe_rows_of(const std::vector<Side>& sides);
/// @param probes of probe_rows_of()
Record probe_pairs(const Record& probes, const std::string& base);

/// The runs for spreadsheets and Python, comma-separated, the names of the columns first: a row a
/// repeat; and of membench a row a point. A file's unknown facts are empty.
std::string runs_csv(const std::vector<Side>& sides);
std::string probes_csv(const std::vector<Side>& sides);

// The answer as a report: tables and sentences in sections, as text, as Markdown and as a page. It
// computes nothing: every figure is the answer's.

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

/// @param width characters of a line at most
/// @param full with the interval of every cell
std::string screen_text(const Record& answer, std::size_t width, bool full);
/// The screen and the sections that are printed behind it; full: with all sections.
std::string to_text(const Record& answer, std::size_t width, bool full);
std::vector<Section> first_sections(const Record& answer);
/// Printed with --full, and folded on the page.
std::vector<Section> other_sections(const Record& answer);

/// The path of "machines", as it stands next to the program, built or installed.
/// @throws Failure(Other) if it is missing
std::filesystem::path shared_file(const std::string& name);

struct Outputs {
  std::string plots;  ///< a folder, which gets a PNG, SVG and PDF of each plot; empty: none
  std::string html;   ///< one page that needs no other file; empty: none
  bool force = false, quiet = false;
};
/// Draws the plots that the answer allows, by Python scripts next to the program and the first
/// Python that has matplotlib. A page is made without plots where there is none.
/// @param read files that the page must not replace
/// @throws Failure(Machine) if no Python has matplotlib; Failure(Other) for outputs that cannot be
/// made; Failure(Usage)
void write_outputs(const Outputs& outputs, const Record& answer,
                   const std::vector<std::string>& read);

/// "Is this normal?" Figures of these runs and of the kept sample of their GPU, with their ratio,
/// and the settings that differ.
/// @throws Failure(Usage) for runs of several GPUs or sides; Failure(Machine) if no sample of the
/// GPU is kept, or they have no himeno run or no rate of the link in common
Record known_record(std::vector<Run> runs, const std::vector<MachineDescription>& machines);
std::vector<Section> known_sections(const Record& record);

}  // namespace memstencil::compare
