// A program with one option of each kind, for the tests of the command line and of the input file.
#pragma once

#include "app/base/cli/options.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace memstencil {

enum class Fruit { Apple, Pear };
inline constexpr std::array all_fruit{Fruit::Apple, Fruit::Pear};
inline std::string_view name(Fruit fruit) { return fruit == Fruit::Apple ? "apple" : "pear"; }

struct OptionsTest : ::testing::Test {
  int iterations = 100;
  std::optional<double> seconds;
  std::optional<int> gpu;
  std::string title = "none";
  std::string size = "M";
  std::vector<std::string> machines;
  std::vector<std::string> files;
  Fruit fruit = Fruit::Apple;
  bool prefetch = false, still = false;
  CommonOptions common;
  Record options;
  TemporaryFolder folder;

  /// Reads the arguments; returns the text to print, or nothing.
  std::optional<std::string> parse(std::vector<std::string> arguments) {
    CommandLine line("demo", "A program.", "demo 1.2.3");
    CLI::Option* count = line.integer("--iterations", iterations, 1, 1000, "How many");
    count->excludes(line.real("--seconds", seconds, 0.1, 3600.0, "How long"));
    line.text("--title", title, "Any text");
    line.texts("--machine", machines, "Machine files");
    line.texts("files", files, "Result files");
    line.choice("--fruit", fruit, all_fruit, "Which fruit");
    CLI::Option* moves = line.flag("--prefetch", prefetch, "Move pages first");
    moves->excludes(line.flag("--still", still, "Leave pages where they are"));
    line.custom(
        "--size", "S|IxJxK", [this](const std::string& typed) { read_size(typed); },
        [this] { return size; }, "Grid");
    arguments.insert(arguments.begin(), "demo");
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    const auto text = line.parse(static_cast<int>(argv.size()), argv.data());
    common = line.common();
    options = line.options();
    return text;
  }

  /// The line that the arguments are refused with; the exit code is checked.
  std::string refusal(const std::vector<std::string>& arguments) {
    return memstencil::refusal(ExitCode::Usage, [&] { parse(arguments); });
  }

  void read_size(const std::string& typed) {
    if (typed != "S" && typed != "M")
      throw std::invalid_argument("'" + typed + "' is neither S nor M");
    size = typed;
  }
};

}  // namespace memstencil
