// The plots of the answer, which Python scripts draw, and the page. Scripts, style and words are
// files that are installed with the program.
#include "app/compare/show/show.hpp"

#include "app/base/record/output_file.hpp"
#include "app/base/record/text_report.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

/// A file in memory, without a name. @throws Failure(Other) if there is no room for it
Descriptor scratch(const std::string& content = "") {
  Descriptor file(memfd_create("memcompare", MFD_CLOEXEC));
  if (file < 0 || !write_all(file, content) || lseek(file, 0, SEEK_SET) != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  return file;
}

/// All of a file; empty if it cannot be read.
std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Ended {
  int code = 0;
  std::string output, errors;
};

/// Python's tracebacks end with the line that says what is wrong.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// The script, without the user's settings, in no folder from which it could read others, and ended
/// after some time; 127: it could not be started.
Ended run(const char* python, const std::string& folder, const std::string& input) {
  constexpr int seconds = 1800;     // a minute or two are usual for many runs on a busy machine
  constexpr int out_of_time = 124;  // of timeout
  const Descriptor in = scratch(input), out = scratch(), err = scratch();
  // What a user wrote reaches the shell by variables alone.
  setenv("MEMCOMPARE_SCRIPT", shared_file("plots/draw.py").c_str(), 1);
  setenv("MEMCOMPARE_FOLDER", folder.c_str(), 1);
  const auto file = [](const Descriptor& of) {
    return fmt::format("/proc/{}/fd/{}", getpid(), static_cast<int>(of));
  };
  const std::string command = fmt::format(
      "env -C / -u MATPLOTLIBRC -u PYTHONHOME -u PYTHONSTARTUP timeout --kill-after=5 {} {} -B "
      "\"$MEMCOMPARE_SCRIPT\" \"$MEMCOMPARE_FOLDER\" <{} >{} 2>{}",
      seconds, python, file(in), file(out), file(err));
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 127;
  return {code, content_of(file(out)),
          code == out_of_time ? fmt::format("Python was ended after {} s", seconds)
                              : content_of(file(err))};
}

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> marks{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  static const std::regex unit(" (%|x$)");  // stays on the line of its number
  std::string out;
  for (const char c : text) {
    const auto mark = marks.find(c);
    out += mark == marks.end() ? std::string(1, c) : mark->second;
  }
  return std::regex_replace(out, unit, "&nbsp;$1");
}

std::string folded(const std::string& title, const std::string& size, const std::string& content) {
  return fmt::format("<details><summary>{} <small>{}</small></summary>\n{}</details>\n",
                     escaped(title), size, content);
}

/// @param named each cell has its column's title, too, for a screen that has room for one cell
std::string table_html(const Table& table, bool named) {
  if (table.rows.empty()) return "";
  const auto cell = [](const char* kind, const Column& column, const std::string& text,
                       const std::string& more = "") {
    return fmt::format("<{}{}{}>{}</{}>", kind, column.text ? " class=\"text\"" : "", more,
                       escaped(text), kind);
  };
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const Column& column : table.columns) out += cell("th", column, column.title);
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += cell("td", table.columns[c], row[c],
                  named ? " title=\"" + escaped(table.columns[c].title) + "\"" : "");
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  return table.note.empty() ? out : out + "<p class=\"note\">" + escaped(table.note) + "</p>\n";
}

/// A section, folded if it is long.
std::string section_html(const Section& section, bool open) {
  const std::size_t lines = section.sentences.size() + section.table.rows.size();
  open = open && lines <= 2 * most_shown;
  std::string html;
  for (const std::string& sentence : section.sentences)
    html += fmt::format("<p>{}</p>\n", escaped(sentence));
  html += table_html(section.table, open);
  if (!open) return folded(section.title, counted(lines, "line"), html);
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(section.title), html);
}

/// A picture has its title within. "As [key]" in its caption is a link to the source of this key,
/// further down on the page.
std::string picture_html(const Record& picture) {
  static const std::regex key("\\[([a-z0-9-]+)\\]");
  return fmt::format(
      "<figure id=\"{}\"><img alt=\"{}\" "
      "src=\"data:image/svg+xml,{}\">\n<figcaption>{}</figcaption></figure>\n",
      escaped(text(picture, "name")), escaped(text(picture, "title")), text(picture, "svg"),
      std::regex_replace(escaped(text(picture, "caption")), key, "<a href=\"#$1\">[$1]</a>"));
}

/// @param folder is made, and gets the files; empty: for a page, without files
/// @returns of each its name, title, caption, lead (it is not folded on the page), and svg, as an
/// address of data has it
Record draw(const Record& answer, const std::string& folder) {
  constexpr int no_matplotlib = 3, unwritten = 4, no_python = 127;  // of the script; of timeout
  const std::string input = answer.dump(-1, ' ', false, Record::error_handler_t::replace);
  std::string why;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const Ended drawn = run(python, folder.empty() ? "" : fs::absolute(folder).string(), input);
    why += fmt::format("; {}: {}", python, last_line(drawn.errors));
    if (drawn.code == no_matplotlib || drawn.code == no_python) continue;
    if (drawn.code != 0)
      throw Failure(ExitCode::Other, (drawn.code == unwritten ? "" : "drawing the plots failed: ") +
                                         last_line(drawn.errors));
    return Record::parse(drawn.output);
  }
  throw Failure(ExitCode::Machine,
                "plots need a Python with matplotlib: install python3-matplotlib (Debian) or "
                "py-matplotlib (Spack)" +
                    why);
}

std::string to_page(const Record& answer, const Record& pictures) {
  constexpr std::size_t most_open = 8;  // pictures
  std::string first, open, rest, more;
  for (const Section& section : first_sections(answer)) first += section_html(section, true);
  for (const Section& section : other_sections(answer))
    rest += section_html(section, section.table.rows.empty());
  std::size_t shown = 0;
  for (const Record& each : pictures)
    if (each.at("lead") == true && ++shown <= most_open)
      open += picture_html(each);
    else
      more += folded(text(each, "title"), "", picture_html(each));
  const std::string title = escaped(text(answer, "title"));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}"
      "<div class=\"plots\">\n{}</div>\n<h2>More</h2>\n{}{}{}</body>\n</html>\n",
      title, content_of(shared_file("page/page.css")), title, first, open, more, rest,
      content_of(shared_file("page/words.html")));
}

/// @throws Failure
void check(const Outputs& outputs, const std::vector<std::string>& read) {
  std::error_code error;
  if (!outputs.html.empty()) {
    if (outputs.force) check_not_read(outputs.html, read);
    check_output_path(outputs.html, outputs.force ? Existing::Replace : Existing::Refuse);
  }
  if (outputs.plots.empty() || !fs::exists(outputs.plots, error)) return;
  if (!fs::is_directory(outputs.plots, error))
    throw Failure(ExitCode::Other, fmt::format("--plots: {} is no folder", outputs.plots));
  if (!outputs.force && (!fs::is_empty(outputs.plots, error) || error))
    throw Failure(ExitCode::Other,
                  fmt::format("--plots: {} is not empty; name another folder, or use --force to "
                              "replace plots in it",
                              outputs.plots));
}

}  // namespace

fs::path shared_file(const std::string& name) {
  // build/bin and build/share, or PREFIX/bin and PREFIX/share.
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path file = program.parent_path().parent_path() / "share/memstencil" / name;
  if (!fs::exists(file))
    throw Failure(ExitCode::Other,
                  fmt::format("{} is missing: it is installed with the program", file.string()));
  return file;
}

void write_outputs(const Outputs& outputs, const Record& answer,
                   const std::vector<std::string>& read) {
  check(outputs, read);
  const auto say = [&](const std::string& line) {
    if (!outputs.quiet) fmt::print(stderr, "memcompare: {}\n", line);
  };
  Record pictures = Record::array();
  if (!outputs.plots.empty()) {
    pictures = draw(answer, outputs.plots);
    say(fmt::format("plots drawn as PNG, SVG and PDF: {}", pictures.size()));
  }
  if (outputs.html.empty()) return;
  try {
    if (outputs.plots.empty()) pictures = draw(answer, "");
  } catch (const Failure& failure) {  // the page is worth having where no plot can be drawn
    if (failure.code() != ExitCode::Machine) throw;
    fmt::print(stderr, "memcompare: the page has no plot: {}\n", failure.what());
  }
  write_file(outputs.html, outputs.force ? Existing::Replace : Existing::Refuse,
             to_page(answer, pictures));
  say("the page is " + outputs.html);
}

}  // namespace memstencil::compare
