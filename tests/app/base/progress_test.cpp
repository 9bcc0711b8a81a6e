// The progress line: on a terminal only, seldom, and gone at the end.
#include "app/base/cli/progress.hpp"
#include "tests/app/base/text_checks.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace memstencil {
namespace {

/// Both ends of a pair, and what was written to the one.
struct Ends {
  int reader = -1, writer = -1;
  std::string written() const {
    fcntl(reader, F_SETFL, O_NONBLOCK);
    std::array<char, 4096> bytes{};
    const ssize_t count = read(reader, bytes.data(), bytes.size());
    return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : "";
  }
  ~Ends() {
    close(reader);
    close(writer);
  }
};

struct ProgressTest : ::testing::Test {
  Ends terminal;
  void SetUp() override {
    const struct winsize size { 24, 20, 0, 0 };
    if (openpty(&terminal.reader, &terminal.writer, nullptr, nullptr, &size) != 0)
      GTEST_SKIP() << "no terminals";
  }
};

TEST_F(ProgressTest, ShowsALineAndErasesItAtTheEnd) {
  {
    ProgressLine line(true, terminal.writer);
    line.show([] { return "sweep 5 of 10"; });
    EXPECT_EQ(terminal.written(), "\rsweep 5 of 10\033[K");
  }
  EXPECT_EQ(terminal.written(), "\r\033[K");
}

/// Shows a thousand lines; how many of them were asked for their text.
int texts_made(ProgressLine& line) {
  int made = 0;
  for (int n = 0; n < 1000; ++n)
    line.show([&] {
      ++made;
      return "sweep " + std::to_string(n);
    });
  return made;
}

TEST_F(ProgressTest, IsSeldomAndMakesNoOtherTexts) {
  ProgressLine line(true, terminal.writer);
  EXPECT_LT(texts_made(line), 10);
  const std::string text = terminal.written();
  EXPECT_TRUE(starts_with(text, "\rsweep 0"));
  EXPECT_LT(text.size(), 200U);
}

TEST_F(ProgressTest, IsCutToTheWidth) {
  ProgressLine line(true, terminal.writer);
  line.show([] { return std::string(100, 'x'); });
  EXPECT_EQ(terminal.written(), "\r" + std::string(19, 'x') + "\033[K");
}

TEST_F(ProgressTest, IsSilentWhereItIsNotWantedAndWithoutATerminal) {
  Ends piped;
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  piped.reader = ends[0];
  piped.writer = ends[1];
  for (const auto& [wanted, to] : {std::pair{false, &terminal}, {true, &piped}}) {
    {
      ProgressLine line(wanted, to->writer);
      EXPECT_EQ(texts_made(line), 0);
    }
    EXPECT_EQ(to->written(), "");
  }
}

}  // namespace
}  // namespace memstencil
