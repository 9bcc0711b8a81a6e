// Measured runs next to what the model predicts of them, from the rates of their machine.
#pragma once

#include "app/compare/model/time.hpp"
#include "app/compare/side.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

struct PredictedRun {
  std::optional<model::Prediction> prediction;  ///< of all phases, or of those without `missing`
  std::string missing;                          ///< why it is not predicted; empty: it is

  /// The speed of the steps, in the unit of the sample; nothing where it is not predicted.
  std::optional<double> rate(const Sample& sample) const;
};

/// The rates of each side: of its membench runs on a GPU, what these leave open from its
/// description; nothing where there is neither.
class Predictor {
public:
  explicit Predictor(const std::vector<Side>& sides);

  /// @param whole_run of a transpose all its variants, which share its phases
  PredictedRun run(std::size_t side, const Sample& sample, bool whole_run = false) const;
  /// Has membench measured this side's GPU?
  bool measured(std::size_t side) const { return rates_[side].measured; }

private:
  struct SideRates {
    std::optional<model::MachineRates> rates;
    bool measured = false;
  };
  std::vector<SideRates> rates_;
};

/// [{side, case, predicted, measured, error, causes, not_predicted, ...}] of the sides that
/// membench has measured, a row a case.
Record model_rows(const std::vector<Side>& sides, const Predictor& predictor);
/// "h100: 18 of 21 cases within 15 % of their wall time; the worst ...".
std::vector<std::string> model_sentences(const Record& rows);

}  // namespace memstencil::compare
