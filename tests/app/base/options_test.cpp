// The command line: what it takes, and the one line that each mistake gets.
#include "tests/app/base/options_fixture.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

namespace memstencil {
namespace {

using CommandLineTest = OptionsTest;

TEST_F(CommandLineTest, TakesEachKindOfOption) {
  parse({"--iterations", "7",       "--title=a b", "--fruit",   "pear",
         "--prefetch",   "--size",  "S",           "--machine", "x",
         "one.h5",       "two.h5",  "--machine",   "y",         "--output",
         "o.h5",         "--force", "--format",    "json",      "--quiet"});
  EXPECT_EQ(iterations, 7);
  EXPECT_EQ(title, "a b");
  EXPECT_EQ(fruit, Fruit::Pear);
  EXPECT_TRUE(prefetch);
  EXPECT_EQ(size, "S");
  EXPECT_EQ(machines, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(files, (std::vector<std::string>{"one.h5", "two.h5"}));
  EXPECT_EQ(common.output, "o.h5");
  EXPECT_TRUE(common.force);
  EXPECT_TRUE(common.quiet);
  EXPECT_EQ(common.format, Format::Json);
}

TEST_F(CommandLineTest, AFlagCanBeSaidToBeFalse) {
  parse({"--prefetch=false"});
  EXPECT_FALSE(prefetch);
  const std::string line = refusal({"--prefetch=perhaps"});
  EXPECT_TRUE(starts_with(line, "--prefetch:"));
  EXPECT_TRUE(contains(line, "true nor false"));
}

TEST_F(CommandLineTest, ReportsEveryOptionAsGivenOrDefault) {
  parse({"--seconds", "2.5", "--fruit", "pear"});
  EXPECT_EQ(options["iterations"], 100);
  EXPECT_EQ(options["seconds"], 2.5);
  EXPECT_EQ(options["fruit"], "pear");
  EXPECT_EQ(options["prefetch"], false);
  EXPECT_EQ(options["size"], "M");
  EXPECT_EQ(options["format"], "text");
  parse({});
  EXPECT_EQ(options["machine"], Record::array());
}

TEST_F(CommandLineTest, HelpHasSubjectsRangesValuesAndAnExampleAndWinsOverMistakes) {
  EXPECT_TRUE(parse({"--input", folder.file("missing.toml"), "--help"}));
  CommandLine line("demo", "A program.", "demo 1");
  line.subject("Problem");
  CLI::Option* count = line.integer("--iterations", iterations, 1, 1000, "Number of sweeps");
  line.choice("--fruit", fruit, all_fruit,
              "Which fruit\napple: a round one, which keeps for months in a cool and dry "
              "place\npear: the other");
  line.integer("--gpu", gpu, 0, 9, "Index (default: all)");
  count->excludes(line.real(
      "--seconds", seconds, 0.1, 3600.0,
      "A text that is so long that it has to go on in the next line of what a terminal of "
      "a hundred columns shows"));
  line.subject("Memory");
  line.flag("--prefetch", prefetch, "Move pages first");
  line.example("demo --iterations 3", "three sweeps");
  const std::array arguments{"demo", "--help"};
  const std::string help = line.parse(2, arguments.data()).value_or("");
  EXPECT_LT(help.find("\nProblem:\n"), help.find("\nMemory:\n")) << help;
  EXPECT_LT(help.find("\nMemory:\n"), help.find("\nOutput and input:\n")) << help;
  EXPECT_TRUE(
      contains(help,
               "  --iterations N          Number of sweeps, 1 to 1000 (default: 100); not with\n"
               "                          --seconds\n"
               "  --fruit apple|pear      Which fruit (default: apple)\n"
               "                            apple: a round one, which keeps for months in a\n"
               "                              cool and dry place\n"
               "                            pear: the other\n"
               "  --gpu N                 Index, 0 to 9 (default: all)\n"));
  EXPECT_TRUE(contains(help, "\nExample: demo --iterations 3\n  three sweeps\n"));
  std::istringstream lines(help);
  for (std::string each; std::getline(lines, each);) EXPECT_LE(each.size(), 80u) << each;
}

TEST_F(CommandLineTest, IntegersAreReadStrictlyAndNumbersAreFiniteAndDecimal) {
  for (const char* bad :
       {"1e3", "0x10", "12.5", "12x", "", " 5", "+5", "ten", "99999999999999999999", "1_000"})
    EXPECT_TRUE(starts_with(refusal({"--iterations", bad}), "--iterations: ")) << bad;
  for (const char* bad : {"inf", "nan", "0x1p3", "1,5", "2s", "1e999"})
    EXPECT_TRUE(starts_with(refusal({"--seconds", bad}), "--seconds: ")) << bad;
  EXPECT_EQ(parse({"--version"}), "demo 1.2.3\n");
  parse({"--iterations", "010"});
  EXPECT_EQ(iterations, 10) << "not octal";
  parse({"--seconds", "1e1"});
  EXPECT_EQ(seconds, 10.0);
}

TEST_F(CommandLineTest, WhatIsWrongIsNamedWithWhatIsValid) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines{
      {{"--itertions", "3"}, "unknown option --itertions (did you mean --iterations?)"},
      {{"--iter", "3"}, "unknown option --iter (did you mean --iterations?)"},  // not abbreviated
      {{"--zzz=3"}, "unknown option --zzz; demo --help lists what is valid"},
      {{"--iterations", "1e3"}, "--iterations: '1e3' is not an integer from 1 to 1000"},
      {{"--iterations", "0"}, "--iterations: '0' is not an integer from 1 to 1000"},
      {{"--seconds", "0"}, "--seconds: '0' is not a number from 0.1 to 3600"},
      {{"--fruit", "Peer"}, "--fruit: 'Peer' is not one of apple, pear (did you mean pear?)"},
      {{"--format", "xml"}, "--format: 'xml' is not one of text, json"},
      {{"--size", "Q"}, "--size: 'Q' is neither S nor M"},
      {{"--iterations"}, "--iterations: a value is missing"},
      {{"--title", "--prefetch"}, "--title: a value is missing"},
      {{"--title", "-h"}, "--title: a value is missing"},
      {{"--title=", "x"}, "--title: a value is missing"},
      {{"--iterations", "8k"},
       "--iterations: '8k' is not an integer from 1 to 1000: give the number alone, without 'k'"},
      {{"--seconds", "10s"},
       "--seconds: '10s' is not a number from 0.1 to 3600: give the number alone, without 's'"},
      {{"--sweep", "single"}, "unknown option --sweep; demo --help lists what is valid"},
      {{"--output", ""}, "--output: a value is missing"},
      {{"--size", "S", "--size", "M"}, "--size: given 2 times, valid is once"},
      {{"--iterations", "3", "--seconds", "1"}, "--iterations and --seconds exclude each other"},
      {{"--prefetch", "--still"}, "--prefetch and --still exclude each other"},
      {{"--force"}, "--force: needs --output FILE.h5"}};
  for (const auto& [arguments, line] : lines)
    EXPECT_TRUE(starts_with(refusal(arguments), line)) << refusal(arguments);
}

TEST_F(CommandLineTest, NamesAreTakenInAnyCaseOfLetters) {
  parse({"--fruit", "PEAR", "--format", "Json"});
  EXPECT_EQ(fruit, Fruit::Pear);
  EXPECT_EQ(options["fruit"], "pear");
  EXPECT_EQ(common.format, Format::Json);
}

}  // namespace
}  // namespace memstencil
