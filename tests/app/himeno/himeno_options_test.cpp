// Pins the values of himeno's own options: what is taken, and what is refused with what is valid.
#include "app/himeno/plan.hpp"
#include "tests/app/base/parsed_options.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace memstencil::himeno {
namespace {

constexpr auto parse = parse_options<Options>;
constexpr auto refused_line = refused_options<Options>;

TEST(Sweeps, AreANameANumberAndATile) {
  using Kind = jacobi::SweepKind;
  const std::map<std::string, Kind> all{
      {"single", {"single", 1, ""}},
      {"single:128x2x8", {"single", 1, "128x2x8"}},
      {"temporal", {"temporal", 0, ""}},
      {"temporal:2", {"temporal", 2, ""}},
      {"temporal:256", {"temporal", 256, ""}},
      {"temporal:3:16x64/8", {"temporal", 3, "16x64/8"}},
      {"temporal:strips", {"temporal", 0, "strips"}},
      {"auto", {"auto", 1, ""}},
      {"Temporal:3:16X64/8", {"temporal", 3, "16x64/8"}},
      {"AUTO", {"auto", 1, ""}},
  };
  for (const auto& [text, kind] : all) EXPECT_EQ(parse_sweep(text), kind) << text;
  for (const char* text : {"single", "single:128x2x8", "temporal:3:16x64/8", "auto"})
    EXPECT_EQ(full_name(parse_sweep(text)), text);
  for (const char* text :
       {"", "double", "temporal:", "temporal:1", "temporal:257", "temporal:99999", "single:2",
        "single:", "temporal:2:", "temporal2", "singles", "auto:2"})
    EXPECT_THROW(parse_sweep(text), std::invalid_argument) << text;
}

TEST(Coefficients, AreStandardOrRandomOfASeed) {
  EXPECT_FALSE(parse({"--coefficients", "standard"}).options.seed);
  EXPECT_FALSE(parse({"--coefficients", "Standard"}).options.seed);
  EXPECT_EQ(parse({"--coefficients", "RANDOM:0"}).options.seed, 0U);
  EXPECT_EQ(parse({"--coefficients", "random:9223372036854775807"}).options.seed,
            9223372036854775807U);
  EXPECT_EQ(parse({"--coefficients", "random:7"}).record["coefficients"], "random:7");
}

TEST(Allocations, HaveThePagesThatAreUsualForThemUnlessOthersAreAsked) {
  const auto kind = [](std::vector<const char*> words) { return parse(words).options.kind(); };
  EXPECT_EQ(kind({}).allocation, Allocation::Default);
  EXPECT_EQ(kind({}).pages, Pages::Default);
  EXPECT_EQ(kind({"--allocation", "pool"}).pages, Pages::Default);
  EXPECT_EQ(kind({"--allocation", "registered"}).pages, Pages::Huge);
  EXPECT_EQ(kind({"--allocation", "registered", "--pages", "default"}).pages, Pages::Default);
}

TEST(Choices, AreReadByTheirNames) {
  const Options o = parse({"--memspace", "managed", "--exec", "host", "--first-touch", "device",
                           "--advise", "read-mostly", "--pages", "huge", "--halo", "staged",
                           "--ranks", "2x3x4", "--gpu", "1", "--seconds", "2.5"})
                        .options;
  EXPECT_EQ(o.memspace, MemorySpace::Managed);
  EXPECT_EQ(o.executor, Executor::Host);
  EXPECT_EQ(o.first_touch, Executor::Device);
  EXPECT_EQ(o.advice, Advice::ReadMostly);
  EXPECT_EQ(o.pages, Pages::Huge);
  EXPECT_EQ(o.halo, Transport::Staged);
  EXPECT_EQ(o.ranks, (std::array<int, 3>{2, 3, 4}));
  EXPECT_FALSE(parse({"--ranks", "AUTO"}).options.ranks);
  EXPECT_EQ(o.gpu, 1);
  EXPECT_EQ(o.seconds, 2.5);
}

TEST(Values, ThatAnOptionHasNotAreRefusedWithItsName) {
  const std::map<std::string, std::vector<const char*>> none{
      {"--size", {"XXL", "64", "2x64x64", "64x64x2147483648", ""}},
      {"--iterations", {"0", "10000001", "ten", "1e3"}},
      {"--repeat", {"0"}},
      {"--seconds", {"-1", "nan"}},
      {"--gpu", {"-1"}},
      {"--memspace", {"hbm", "auto"}},
      {"--allocation", {"malloc"}},
      {"--coefficients",
       {"random", "random:", "random:-1", "random:x", "random:1.5", "random:9223372036854775808"}},
      {"--exec", {"gpu"}},
      {"--first-touch", {"none"}},
      {"--advise", {"often"}},
      {"--pages", {"1G"}},
      {"--layout", {"aos", "auto"}},
      {"--halo", {"rdma"}},
      {"--pre-touch", {"host"}},
      {"--ranks", {"0x1x1", "2x2", "2147483647x2147483647x2147483647"}},
      {"--sweep", {"temporal:1", "temporal:257", "single:2"}}};
  for (const auto& [option, values] : none)
    for (const char* value : values) {
      const std::string line = refused_line({option.c_str(), value});
      EXPECT_TRUE(starts_with(line, option + ": ")) << line;
      EXPECT_TRUE(*value == 0 || contains(line, "'" + std::string(value) + "'")) << line;
    }
}

TEST(Words, OfOtherProgramsAreNamedAsTheyAreHere) {
  for (const auto& [words, meant] : std::map<std::vector<const char*>, std::string>{
           {{"stray"}, "unexpected argument 'stray';"},
           {{"XL"}, "'XL' (did you mean --size XL?)"},
           {{"64x64x128"}, "(did you mean --size 64x64x128?)"},
           {{"-n", "100"}, "-n (did you mean --iterations?)"},
           {{"--threads", "4"}, "--threads (did you mean OMP_NUM_THREADS in the environment?)"}})
    EXPECT_TRUE(contains(refused_line(words), meant));
}

TEST(Combinations, ThatSayNothingAreRefused) {
  const auto refused = [](std::vector<const char*> words) {
    words.insert(words.begin(), {"--pre-touch", "device", "--memspace"});
    return refusal(ExitCode::Usage, [&] { check_combinations(parse(words).options, {}); });
  };
  const std::string both = "--first-touch host and --exec device";
  EXPECT_TRUE(contains(refused({"managed"}), both));
  EXPECT_TRUE(contains(refused({"managed", "--first-touch", "host", "--exec", "host"}), both));
  for (const char* space : {"device", "host-pinned"})
    EXPECT_TRUE(
        contains(refused({space, "--first-touch", "host"}), "--memspace managed or system"));
}

}  // namespace
}  // namespace memstencil::himeno
