// Tables and reports as text, Markdown, JSON and HTML.
#include "app/compare/html.hpp"
#include "app/compare/report.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

Table sample() {
  return {.title = "Speeds",
          .columns = {{"case"},
                      {"a", Show::Number, "GB/s"},
                      {"a of theory", Show::Percent},
                      {"b / a", Show::Times},
                      {"runs", Show::Count}},
          .rows = {{"größer | <b>", 54.8312, 0.8567, 7.0, 3}, {"x", 1234.5, nullptr, nullptr, 12}},
          .note = "A note."};
}

TEST(Table, NumbersHaveFourSignificantDigits) {
  EXPECT_EQ(number_text(1715799), "1715799");
  EXPECT_EQ(number_text(54.8312), "54.83");
  EXPECT_EQ(number_text(0.84912), "0.8491");
  EXPECT_EQ(number_text(0.0018163), "0.001816");
  EXPECT_EQ(number_text(0.000012), "1.2e-05");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-120.5), "-120.5");
}

TEST(Table, TextAlignsColumnsByCharactersAndLeavesUnknownCellsEmpty) {
  EXPECT_EQ(to_text(sample()),
            "Speeds\n"
            "case          a (GB/s)  a of theory   b / a  runs\n"
            "------------  --------  -----------  ------  ----\n"
            "größer | <b>     54.83       85.7 %  7.00 x     3\n"
            "x                 1234                         12\n"
            "A note.\n");
}

Table grouped() {
  return {.title = "Speeds",
          .columns = {{"case"},
                      {.title = "", .show = Show::Number, .unit = "GB/s", .group = "a machine"},
                      {.title = "min", .show = Show::Number, .group = "a machine", .detail = true},
                      {"why"}},
          .rows = {{"x", 12.0, 11.0, "because it is bound by the link"}}};
}

TEST(Table, AMachinesNameStandsOnceAboveItsColumns) {
  EXPECT_EQ(to_text(grouped()),
            "Speeds\n"
            "      a machine\n"
            "case       GB/s  why\n"
            "----  ---------  -------------------------------\n"
            "x         12.00  because it is bound by the link\n");
  EXPECT_TRUE(contains(to_markdown(grouped()), "| case | a machine (GB/s) | why |\n"));
}

TEST(Table, DetailsStandInJsonAlone) {
  EXPECT_EQ(to_record(grouped())["rows"][0], (Record{{"case", "x"},
                                                     {"a machine", 12.0},
                                                     {"a machine min", 11.0},
                                                     {"why", "because it is bound by the link"}}));
}

TEST(Table, TheLastColumnIsWrappedToTheWidth) {
  EXPECT_EQ(to_text(grouped(), 40),
            "Speeds\n"
            "      a machine\n"
            "case       GB/s  why\n"
            "x         12.00  because it is bound by\n"
            "                 the link\n");
}

TEST(Table, MarkdownEscapesBars) {
  EXPECT_TRUE(
      contains(to_markdown(sample()), "| größer \\| <b> | 54.83 | 85.7 % | 7.00 x | 3 |\n"));
  EXPECT_TRUE(contains(to_markdown(sample()), "|---|--:|--:|--:|--:|\n"));
}

TEST(Table, JsonKeepsNumbersAsTheyAre) {
  const Record record = to_record(sample());
  EXPECT_EQ(record["rows"][0]["a"], 54.8312);
  EXPECT_EQ(record["rows"][1]["a of theory"], nullptr);
  EXPECT_EQ(record["columns"][1]["unit"], "GB/s");
}

TEST(Table, JsonNumbersColumnsOfOneTitle) {
  const Table table{
      .title = "Speeds",
      .columns = {{"case"}, {"case", Show::Number, "GB/s"}, {"case [2]", Show::Number}},
      .rows = {{"XL", 1.0, 2.0}}};
  const Record record = to_record(table);
  EXPECT_EQ(record["rows"][0], (Record{{"case", "XL"}, {"case [2]", 1.0}, {"case [2] [2]", 2.0}}));
  EXPECT_EQ(record["columns"][1]["name"], "case [2]");
}

TEST(Report, SectionsWithoutContentAreLeftOut) {
  Report report{.title = "R"};
  Table empty = sample();
  empty.rows.clear();
  add(report.sections, {.title = "Nothing", .tables = {empty}});
  add(report.sections, {.title = "Something", .tables = {empty, sample()}});
  ASSERT_EQ(report.sections.size(), 1u);
  EXPECT_EQ(report.sections[0].tables.size(), 1u);
}

TEST(Report, TheSummaryStandsFirstAndInTextAlone) {
  Report report{.title = "R", .summary = {{.title = "Answer", .paragraphs = {"a is faster"}}}};
  add(report.sections, {.title = "Speeds", .tables = {sample()}});
  const std::string text = to_text(report, Extent::Summary), full = to_text(report, Extent::Full);
  EXPECT_TRUE(contains(text, "Answer\n- a is faster\n"));
  EXPECT_FALSE(contains(text, "größer"));
  EXPECT_TRUE(contains(text, "Left out: 2 rows of tables. --full prints them"));
  EXPECT_LT(full.find("a is faster"), full.find("größer"));
  EXPECT_LT(to_markdown(report).find("a is faster"), to_markdown(report).find("größer"));
  EXPECT_LT(to_html(report, {}).find("a is faster"), to_html(report, {}).find("größer"));
  EXPECT_EQ(to_record(report)["summary"][0]["paragraphs"][0], "a is faster");
}

TEST(Report, HtmlEscapesTextsAndCarriesItsPlots) {
  Report report{.title = "a & b"};
  add(report.sections, {.title = "Speeds", .paragraphs = {"1 < 2"}, .tables = {sample()}});
  const std::string html = to_html(
      report,
      {{.name = "p", .title = "Plot \"1\"", .caption = "c", .group = "g", .svg = "PHN2Zz4="}});
  EXPECT_TRUE(contains(html, "<title>a &amp; b</title>"));
  EXPECT_TRUE(contains(html, "<p>1 &lt; 2</p>"));
  EXPECT_TRUE(contains(html, "größer | &lt;b&gt;"));
  EXPECT_TRUE(contains(html, "85.7&nbsp;%")) << "on one line";
  EXPECT_TRUE(
      contains(html, "alt=\"Plot &quot;1&quot;\" src=\"data:image/svg+xml;base64,PHN2Zz4=\""));
  EXPECT_EQ(html.find("http"), std::string::npos) << "it must need nothing from elsewhere";
}

}  // namespace
}  // namespace memstencil::compare
