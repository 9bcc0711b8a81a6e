// The input file: every option under its own name, the command line above it, mistakes in one line.
#include "tests/app/base/options_fixture.hpp"
#include "tests/app/base/text_checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace memstencil {
namespace {

struct InputFileTest : OptionsTest {
  std::string with(const std::string& toml) { return folder.write("case.toml", toml); }
  /// The refusal of a file, without the folder's name.
  std::string refusal_of(const std::string& toml, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.end(), {"--input", with(toml)});
    const std::string line = refusal(arguments);
    const std::size_t start = line.find("case.toml");
    return start == std::string::npos ? line : line.substr(start);
  }
};

TEST_F(InputFileTest, TakesEveryKindOfOption) {
  parse(
      {"--input",
       with("seconds = 2\ntitle = 'x y'\nmachine = ['a', 'b']\nfruit = \"pear\"\nprefetch = true\n"
            "size = \"S\"\noutput = \"o.h5\"\nforce = true\nformat = \"json\"\nquiet = true\n")});
  EXPECT_EQ(seconds, 2.0);
  EXPECT_EQ(title, "x y");
  EXPECT_EQ(machines, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(fruit, Fruit::Pear);
  EXPECT_TRUE(prefetch);
  EXPECT_EQ(size, "S");
  EXPECT_EQ(common.output, "o.h5");
  EXPECT_TRUE(common.force);
  EXPECT_EQ(common.format, Format::Json);
  EXPECT_TRUE(common.quiet);
}

TEST_F(InputFileTest, TheCommandLineWins) {
  parse({"--iterations", "5", "--prefetch=false", "--input",
         with("iterations = 9\nprefetch = true\ntitle = \"file\"\n")});
  EXPECT_EQ(iterations, 5);
  EXPECT_FALSE(prefetch);
  EXPECT_EQ(title, "file");
}

TEST_F(InputFileTest, AnOptionOfTheCommandLineRemovesWhatItExcludes) {
  parse({"--input", with("iterations = 9\n"), "--seconds", "1.5"});
  EXPECT_EQ(seconds, 1.5);
  EXPECT_EQ(iterations, 100);
  parse({"--input", with("prefetch = true\n"), "--still"});
  EXPECT_TRUE(still);
  EXPECT_FALSE(prefetch);
}

TEST_F(InputFileTest, KeysThatExcludeEachOtherAreRefusedUnlessTheCommandLineDecides) {
  const std::string both = "iterations = 9\nseconds = 1.0\n";
  const std::string line = refusal_of(both);
  EXPECT_TRUE(starts_with(line, "case.toml:1: iterations and ")) << line;
  EXPECT_TRUE(ends_with(line, "case.toml:2: seconds exclude each other")) << line;
  parse({"--input", with(both), "--seconds", "2"});
  EXPECT_EQ(seconds, 2.0);
  parse({"--input", with("prefetch = false\nstill = true\n")});
  EXPECT_TRUE(still) << "a flag set to false excludes nothing";
}

TEST_F(InputFileTest, AFlagOfTheFileCompletesOneOfTheCommandLine) {
  parse({"--force", "--input", with("output = \"o.h5\"\n")});
  EXPECT_TRUE(common.force);
  EXPECT_TRUE(ends_with(refusal_of("force = true\n"), "force: needs --output FILE.h5"));
}

TEST_F(InputFileTest, WhatIsWrongIsNamedWithItsLineAndWhatIsValid) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"title = 'x'\nitertions = 3\n", "2: unknown key 'itertions' (did you mean iterations?)"},
      {"[demo]\niterations = 3\n", "1: unknown key 'demo'"},
      {"help = true\n", "1: unknown key 'help'"},
      {"files = ['a']\n", "1: unknown key 'files'"},
      {"iterations = \"3\"\n", "1: iterations: an integer is wanted, not a string"},
      {"iterations = 3.5\n", "1: iterations: an integer is wanted, not a number with a fraction"},
      {"iterations = [3]\n", "1: iterations: an integer is wanted, not an array"},
      {"iterations.x = 3\n", "1: iterations: an integer is wanted, not a table"},
      {"seconds = true\n", "1: seconds: a number is wanted, not true or false"},
      {"size = 5\n", "1: size: a string is wanted, not an integer"},
      {"prefetch = 1\n", "1: prefetch: true or false is wanted, not an integer"},
      {"title = 2026-11-21\n", "1: title: a string is wanted, not a date or time"},
      {"machine = ['a', 1]\n",
       "1: machine: a string or an array of strings is wanted, not an array"},
      {"\niterations = 5000\n", "2: iterations: '5000' is not an integer from 1 to 1000"},
      {"seconds = inf\n", "1: seconds: 'inf' is not a number from 0.1 to 3600"},
      {"fruit = 'peer'\n", "1: fruit: 'peer' is not one of apple, pear"},
      {"output = ''\n", "1: output: a value is missing"},
      {"input = 'other.toml'\n", "1: input: an input file cannot name another"},
      {"title = 'x'\niterations =\n", "2: not TOML: "},
      {"iterations = 99999999999999999999\n", "1: not TOML: "},
      {"iterations = 1\niterations = 2\n", "2: not TOML: "},
      {std::string("\x89HDF\r\n\x1a\n\0\0", 10), "1: not TOML: "}};
  for (const auto& [toml, line] : lines)
    EXPECT_TRUE(starts_with(refusal_of(toml), "case.toml:" + line)) << refusal_of(toml);
  EXPECT_TRUE(contains(refusal_of("help = true\n"), "demo --help"));
  EXPECT_TRUE(ends_with(refusal_of("size = M\n"), "a text needs quotes: size = \"M\""));
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int n = 0; n < times; ++n) all += text;
  return all;
}

TEST_F(InputFileTest, TablesThatLieTooDeepInEachOtherAreRefused) {
  const std::string dotted = repeated("a.", 50'000) + "a", most = repeated("a.", 8192) + "a";
  const std::string why = "more than 8192 dots";
  EXPECT_TRUE(contains(refusal_of("title = 'x'\n" + dotted + " = 1\n"), why));
  EXPECT_TRUE(contains(refusal_of("[" + dotted + "]\n"), why));
  EXPECT_TRUE(contains(refusal_of(most + " = 1\n"), "unknown key 'a'"));
  EXPECT_TRUE(contains(refusal_of("[[" + most + "]]\n"), "unknown key 'a'"));
  const std::string nested = repeated("a.a.a = [{\n", 250) + "x = 1\n" + repeated("}]\n", 250);
  EXPECT_TRUE(contains(refusal_of(nested), "not TOML"));
}

TEST_F(InputFileTest, APipeWithoutAWriterIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(ends_with(refusal({"--input", folder.file("pipe")}), "it is a named pipe"));
  const std::string in_memory = fmt::format("/dev/shm/memstencil-test-{}", getpid());
  if (mkfifo(in_memory.c_str(), 0600) != 0) GTEST_SKIP() << "nothing can be made in /dev/shm";
  EXPECT_TRUE(ends_with(refusal({"--input", in_memory}), "it is a named pipe"));
  std::filesystem::remove(in_memory);
}

TEST_F(InputFileTest, UnreadableFilesAreRefused) {
  const std::string line = refusal({"--input", folder.file("missing.toml")});
  EXPECT_TRUE(starts_with(line, "cannot read the input file"));
  EXPECT_TRUE(contains(line, "missing.toml"));
  EXPECT_TRUE(ends_with(line, "No such file or directory"));
  std::filesystem::create_symlink("loop.toml", folder.file("loop.toml"));
  EXPECT_EQ(refusal({"--input", folder.file("loop.toml")}),
            "cannot read the input file " + folder.file("loop.toml") +
                ": Too many levels of symbolic links");
  EXPECT_TRUE(ends_with(refusal({"--input", folder.path()}), "it is a directory"));
  EXPECT_TRUE(ends_with(refusal({"--input", "/dev/zero"}), "it is larger than 1 MiB"));
}

TEST_F(InputFileTest, AFileInAnUnreadableFolderIsRefusedInOneLine) {
  const std::string path = with("iterations = 9\n");
  chmod(folder.path().c_str(), 0);
  // Permissions do not bind root: the test is somebody else meanwhile.
  constexpr uid_t nobody = 65534;
  const bool root = geteuid() == 0;
  const bool bound = !root || seteuid(nobody) == 0;
  const std::string line = bound ? refusal({"--input", path}) : "";
  if (root && bound && seteuid(0) != 0) FAIL() << "root is not got back";
  chmod(folder.path().c_str(), 0700);
  if (!bound) GTEST_SKIP() << "no other user can be taken here";
  EXPECT_EQ(line, "cannot read the input file " + path + ": Permission denied");
}

}  // namespace
}  // namespace memstencil
