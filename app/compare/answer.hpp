// The whole answer as one JSON object, from which every renderer draws, and its parts:
// docs/compare.md has their members.
#pragma once

#include "app/compare/ranking.hpp"
#include "app/compare/side.hpp"

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

/// A published figure, or a range where low and high differ; without an upper end high is infinite.
struct PublishedFigure {
  /// As the answer has it, without a result of ours: that has to be of its `program` and `probe`
  /// (of membench), with the members of `where`.
  Record row = {};
  std::optional<Record> minus = {};  ///< then it is the difference to the result with these members
  std::optional<Record> over = {};   ///< then it is the ratio over it
  double low = 0, high = 0;
  std::string column =
      {};  ///< of membench's row: "steady_gbs"; otherwise the unit, the row's figure
};

struct Reference {
  std::string name;
  std::vector<PublishedFigure> figures = {};
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

/// Each published figure next to those of ours that have its members, or alone.
Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides);

/// @param base the number of the side that the others are set against
/// @throws Failure as those who read a run's members
Record answer_of(const std::vector<Side>& sides, std::size_t base,
                 const std::vector<Reference>& references);

/// The cases in which the last side is slower than the base by more than `allowed` (a fraction),
/// and by more than the spread: a line; empty where there is none.
/// @throws Failure(Usage) where they have no case in common
std::string slower_than_allowed(const std::vector<Side>& sides, std::size_t base, double allowed);

/// Settings that are known and in which the sides, or the runs of one side, differ. What is another
/// part of another machine (clocks of two kinds of GPU) is no setting.
Record fact_rows(const std::vector<Side>& sides);

/// Strong and weak scaling: runs of one problem that differ in their number of ranks. Curve by
/// curve, rising in ranks; of several paths of the messages the fastest.
Record scaling_rows(const std::vector<Side>& sides, const Predictor& predictor);
/// A sentence for each curve: where more ranks do not pay.
std::vector<std::string> scaling_sentences(const Record& rows);

/// membench's rows: of each side, as plots draw them; and side by side, of probes with many points
/// those that follow from others.
Record probe_rows_of(const std::vector<Side>& sides);
/// @param probes of probe_rows_of()
Record probe_pairs(const Record& probes, const std::string& base);

/// What is strange about the runs: hosts that fall out, clocks held down, figures above the theory.
/// @param cases of case_rows()
std::vector<std::string> notes_of(const std::vector<Side>& sides, const Record& cases);

/// The predicted runs.
struct PredictedTask {
  const Application* application = nullptr;
  std::string size = {};  ///< empty: the application's
  Executor first_touch = Executor::Host;
  bool prefetch = false;
  std::int64_t fused = 1;                       ///< sweeps a pass
  std::optional<std::int64_t> iterations = {};  ///< nothing: the application's
  /// Also the scaling of a grid code to so many nodes, or (0) to all that the machine has.
  std::optional<std::int64_t> nodes = {};
  /// What neither description nor membench gives; nothing: it is named as missing.
  std::optional<model::MachineRates> assumed = {};
};

/// @throws Failure(Usage) for a size that is none, or a parameter of another kind
Record predictions_of(const PredictedTask& task, const std::vector<MachineDescription>& machines);

/// The machines against the first, best against best and in unified memory; then the memories of
/// each whose order is not sure.
/// @param machines of predictions_of()
std::vector<std::string> predicted_sentences(const Record& machines, const std::string& step);

/// Strong and weak curves of single sweeps and, where it has them, of three fused ones: rows as
/// scaling_rows() has them, and `division`.
/// @param one the grid of strong scaling, and of weak scaling a rank's
/// @param asked nodes; 0: all that the machine has
/// @param notes whether a job gets so many nodes is added
/// @throws Failure(Usage) where the description has no number of nodes, or counts of another kind
Record predicted_scaling(model::GridCase one, std::int64_t asked, const MachineDescription& machine,
                         const model::MachineRates& rates, std::vector<std::string>& notes);

}  // namespace memstencil::compare
