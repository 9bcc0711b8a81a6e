// Measured runs next to what the model predicts of them, from the rates of their machine.
#pragma once

#include "app/compare/predict/applications.hpp"
#include "app/compare/read/side.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The rates of each GPU of a side: of its membench runs there, what these leave open from the
/// side's description; nothing where there is neither.
class Predictor {
public:
  explicit Predictor(const std::vector<Side>& sides);

  /// The whole run: of a transpose with all its variants. What no rate could predict has one phase,
  /// which says why.
  model::Prediction run(std::size_t side, const Sample& sample) const;
  /// Has membench measured a GPU of this side?
  bool measured(std::size_t side) const { return measured_[side]; }

private:
  std::vector<std::map<std::string, model::MachineRates>> rates_;  ///< by the GPU's name
  std::vector<bool> measured_;
};

/// The speed of the sweeps, in the unit of the sample; nothing where they are not predicted.
std::optional<double> predicted_rate(const model::Prediction& prediction, const Sample& sample);

/// [{side, case, predicted, measured, error, causes, not_predicted, ...}] of the sides that
/// membench has measured, a row a case.
Record model_rows(const std::vector<Side>& sides, const Predictor& predictor);
/// "h100: 18 of 21 cases within 15 % of their wall time; the worst ...".
std::vector<std::string> model_sentences(const Record& rows);

}  // namespace memstencil::compare
