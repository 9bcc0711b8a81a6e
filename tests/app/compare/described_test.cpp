// An H100 and an H200 predicted from their descriptions, against the kept runs of both.
// docs/model.md has the figures.
#include "app/compare/predict/applications.hpp"
#include "app/compare/predict/rates.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/source_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace memstencil::compare {
namespace {

struct Inside {
  int predicted = 0, inside = 0;
  std::vector<double> widths = {};  ///< (most - least) / usual

  void add(double measured, const std::array<double, 3>& ends) {
    const auto [usual, fast, slow] = ends;
    if (usual == 0) return;
    ++predicted;
    inside += fast <= measured && measured <= slow ? 1 : 0;
    widths.push_back((slow - fast) / usual);
  }
  double share() const { return static_cast<double>(inside) / predicted; }
  double width() const { return membench::median(widths); }
  std::string text() const {
    return fmt::format("{} of {}, {:.0f} %", inside, predicted, 100 * width());
  }
};

/// The kept cases of a card on one GPU.
struct Card {
  int cases = 0;
  Inside steps = {};  ///< from its description alone
  Inside wall = {};   ///< with the costs that are assumed
};

Card checked(const std::string& samples, const std::string& machine) {
  const std::string inputs = source_folder() + "/inputs/";
  const auto runs = read_runs({inputs + "reference/samples/" + samples});
  const auto description = read_machine_description(inputs + "machines/" + machine + ".toml");
  const model::Ends alone = model::ends_of(description);
  const model::Ends with_costs =
      model::ends_of(description, model::assumed_rates(inputs + "assume/h100-pcie5.toml"));
  Card card;
  std::set<std::string> known;  // all variants of a transpose's run are one case
  const std::vector<Side> sides = sides_of(runs, {});
  for (const Group& group : sides.at(0).groups) {
    const Sample& s = group.middle();
    if (s.ranks > 1 || !known.insert(s.run->file).second) continue;
    ++card.cases;
    std::array<double, 3> steps{}, wall{};
    for (std::size_t end = 0; end < 3; ++end) {
      steps[end] = predict(s, alone[end]).steps.sum().total();
      const model::Prediction whole = predict(s, with_costs[end]);
      wall[end] = whole.missing().empty() ? whole.time().total() : 0;
    }
    double measured = 0;
    for (const auto& [phase, seconds] : member(s.run->record, "phases").items())
      measured += seconds.get<double>();
    const char* phase = s.step == "sweep" ? "phases.sweeps" : "phases.transpose";
    card.steps.add(number(s.run->record, phase), steps);
    card.wall.add(measured, wall);
  }
  return card;
}

TEST(Described, AnH100AndAnH200AreInsideTheRangesOfTheirDescriptions) {
  std::ifstream file(source_folder() + "/docs/model.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [name, samples, machine] :
       {std::array{"H100", "h100", "h100-sxm-pcie"}, {"H200", "h200", "h200"}}) {
    const Card card = checked(samples, machine);
    EXPECT_GE(card.steps.share(), 0.8) << name;
    EXPECT_LE(card.steps.width(), 0.25) << name;
    EXPECT_GE(card.wall.share(), 0.8) << name;
    EXPECT_TRUE(contains(page, fmt::format("| {} | {} | {} | {} |", name, card.cases,
                                           card.steps.text(), card.wall.text())));
  }
}

TEST(Described, AFigureOf0LeavesItsCaseWithoutAPrediction) {
  const std::string inputs = source_folder() + "/inputs/";
  const auto runs = read_runs({inputs + "reference/samples/h200/himeno-XL-device-1.h5"});
  const std::vector<Side> sides = sides_of(runs, {});
  const Sample& sample = sides.at(0).groups.at(0).middle();
  model::MachineRates rates =
      model::described_rates(read_machine_description(inputs + "machines/h200.toml"));
  EXPECT_GT(predict(sample, rates).steps.size(), 0);
  rates.rates.at("device_copy").value = 0;
  EXPECT_EQ(predict(sample, rates).steps.size(), 0);
}

}  // namespace
}  // namespace memstencil::compare
