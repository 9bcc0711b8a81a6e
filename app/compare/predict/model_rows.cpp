// Measured runs next to what the model predicts of them, from the rates of their machine.
#include "app/compare/predict/model_rows.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/record/text_report.hpp"
#include "app/compare/predict/applications.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/read/sample.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace memstencil::compare {

namespace {

using model::MachineRates;

/// The error that docs/model.md promises for most runs.
constexpr double wanted_error = 0.15;

/// The number that follows `before`, as 3 in "temporal:3"; `otherwise` where `before` is not there.
std::int64_t number_after(const std::string& before, const std::string& text,
                          std::int64_t otherwise, std::int64_t most) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return otherwise;
  const std::string after = text.substr(at + before.size());
  try {
    return parse_integer(after.substr(0, after.find_first_not_of("0123456789")), 1, most);
  } catch (const std::invalid_argument&) {
    throw Failure(ExitCode::Other, fmt::format("'{}' is no sweep", text));
  }
}

model::Placement placement_of(const Sample& s) {
  const Record& record = s.run->record;
  if (!s.space) throw model::Missing("a model of arrays in " + text(record, "memspace.effective"));
  const double threads = number_or(record, "execution.host_threads", 16);
  return {.space = *s.space,
          .filled_by_host = text_or(record, "first_touch", s.executor) == "host",
          .prefetch = text_or(record, "options.prefetch") == "true",
          .host_threads = std::clamp(static_cast<int>(threads), 1, 1'000'000)};
}

/// The first rank's part, taken for an equal share.
model::GridCase grid_case_of(const Sample& s, const model::Stencil& stencil) {
  const Record& record = s.run->record;
  const std::vector<double> extents = numbers(record, "extents"), ranks = numbers(record, "ranks");
  model::Triple whole{}, part{};
  model::Ranks of;
  double points = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    whole[d] = static_cast<std::int64_t>(extents[d]);
    of.ranks[d] = std::clamp(static_cast<int>(ranks[d]), 1, 100'000);
    part[d] = (whole[d] - 2) / of.ranks[d] + 2;
    points *= static_cast<double>(whole[d] - 2);
  }
  model::GridCase run = model::grid_case(stencil, part, placement_of(s));
  run.points = points / s.ranks;
  if (s.ranks > 1) {
    of.whole = whole;
    of.of_node = (s.ranks + s.nodes - 1) / s.nodes;
    of.path = text_or(record, "halo");
    run.ranks = of;
  }
  run.iterations = s.steps;
  run.fused = static_cast<int>(number_after("temporal:", text_or(record, "sweep"), 1, 256));
  run.step_planes = number_after("steps of ", text_or(record, "sweep_kernel"), 64, whole[0]);
  run.warm_up =
      static_cast<std::int64_t>(std::clamp(number_or(record, "rehearsal", 0), 0.0, 128.0));
  return run;
}

/// All variants of the run, which share its phases.
model::TransposeCase transpose_case_of(const Sample& s) {
  const Record& record = s.run->record;
  const double element = text(record, "type") == "double" ? 8 : 4;
  const double rows = number(record, "rows"), columns = number(record, "columns");
  const auto matrix = [&](double of, const char* pitch, double otherwise) {
    return of * number_or(record, pitch, otherwise) * element;
  };
  model::TransposeCase run{placement_of(s), matrix(rows, "pitch_a", columns),
                           matrix(columns, "pitch_b", rows), element, s.steps};
  for (const Record& variant : member(record, "variants")) {
    const std::string name = text(variant, "name");
    // A copy that follows a variant is its yardstick, and no part of the run's time.
    if (name == "copy" && !run.variants.empty()) continue;
    const double bytes = number_or(variant, "bytes", s.bytes);
    run.variants.push_back({name, number_or(variant, "link.sector_bytes", bytes), bytes});
  }
  return run;
}

model::Prediction predict(const Sample& s, const MachineRates& rates) {
  const model::Stencil* stencil = application(s.run->program)->stencil;
  return stencil != nullptr ? predict(grid_case_of(s, *stencil), rates)
                            : predict(transpose_case_of(s), rates);
}

/// Why no rate could predict it; empty otherwise.
std::string out_of_model(const Sample& s) {
  if (!s.by_gpu()) return "runs of a host";
  if (!value_of(s.what.memory, "pre-touch").empty()) return "runs with --pre-touch";
  // The model's costs are of memory with default pages, by the default call.
  for (const char* option : {"allocation", "pages"})
    if (const std::string how = value_of(s.what.memory, option); !how.empty())
      return fmt::format("runs with --{} {}", option, how);
  if (s.ranks > 1 && s.step == "transpose") return "transposes on several ranks";
  return s.processors < s.ranks ? "ranks that share a GPU" : "";
}

std::string options_text(const Run& run) {
  return text_or(run.record, "options.numa") + "," + text_or(run.record, "options.gpu");
}

std::vector<const Run*> runs_with_usual_options_first(const Side& side) {
  std::vector<const Run*> runs = side.runs;
  std::stable_partition(runs.begin(), runs.end(),
                        [](const Run* run) { return options_text(*run) == ","; });
  return runs;
}

struct Errors {
  std::size_t rows = 0, good = 0, left = 0;
  const Record* worst = nullptr;
  std::set<std::string> missing = {};
};

}  // namespace

std::optional<double> predicted_rate(const model::Prediction& prediction, const Sample& sample) {
  if (sample.step != "sweep") return {};
  double predicted = 0;
  for (const model::Phase& phase : prediction.phases)
    if (phase.name == "sweeps" || phase.name == "halo" || phase.name == "reduce") {
      if (!phase.missing.empty()) return {};
      predicted += phase.time.total();
    }
  return sample.speed * (sample.all_steps + sample.once[Part::Messages]) / predicted;
}

Predictor::Predictor(const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    auto& rates = rates_.emplace_back();
    measured_.push_back(false);
    if (side.description) rates[side.gpu()] = model::described_rates(*side.description);
    std::map<std::string, std::string> options_of;  // by GPU
    for (const Run* run : runs_with_usual_options_first(side)) {
      if (run->program != "membench" || find(run->record, "machine.gpu") == nullptr) continue;
      // Rates of another --numa are of another memory: those of one choice are taken.
      const std::string options = options_text(*run),
                        gpu = text_or(run->record, "machine.gpu.name");
      if (options_of.emplace(gpu, options).first->second != options) continue;
      rates[gpu] = overlay(rates[gpu], model::probed_rates(*run));
      measured_.back() = true;
    }
  }
}

model::Prediction Predictor::run(std::size_t side, const Sample& sample) const {
  const auto none = [](const std::string& why) {
    return model::Prediction{.phases = {{"sweeps", {}, why}}};
  };
  if (const std::string why = out_of_model(sample); !why.empty()) return none(why);
  const auto rates = rates_[side].find(text_or(sample.run->record, "machine.gpu.name"));
  if (rates == rates_[side].end()) return none("no results of membench, and no --machine");
  return naming(*sample.run, [&] {
    try {
      const model::Prediction predicted = predict(sample, rates->second);
      if (!std::isfinite(predicted.time().total()))
        throw Failure(ExitCode::Other, "with its figures the model predicts no number");
      return predicted;
    } catch (const model::Missing& missing) {
      return none(missing.what());
    }
  });
}

Record model_rows(const std::vector<Side>& sides, const Predictor& predictor) {
  Record rows = Record::array();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::set<std::string> known;
    for (const Group& group : sides[s].groups) {
      const Sample& sample = group.middle();
      // All variants of a transpose share its phases: they are predicted together.
      if (!predictor.measured(s) || value_of(group.what.problem, "variant") == "copy" ||
          !known.insert(sample.run->file).second)
        continue;
      Case what = group.what;
      const Record* variants = find(sample.run->record, "variants");
      const bool alike = variants == nullptr || variants->size() <= 2;  // one, and copy
      for (auto& [key, value] : what.problem)
        if (key == "variant" && !alike) value = "all variants";
      const model::Prediction of = predictor.run(s, sample);
      double measured = 0;
      for (const auto& [phase, seconds] : member(sample.run->record, "phases").items())
        measured += seconds.get<double>();
      Record row{{"side", sides[s].name},
                 {"case", label(what)},
                 {"program", group.what.program},
                 {"measured", measured},
                 {"predicted", Record()},
                 {"error", Record()},
                 {"median_step_measured", alike ? Record(sample.median) : Record()},
                 {"median_step_predicted", Record()},
                 {"causes", Record::object()},
                 {"not_predicted", of.why_not()},
                 {"missing", of.missing()}};
      if (of.missing().empty()) {
        const model::TimeByCause time = of.time();
        row["predicted"] = time.total();
        row["error"] = time.total() / measured - 1;
        if (alike) row["median_step_predicted"] = of.steps.median();
        for (const model::Cause cause : model::all_causes) row["causes"][name(cause)] = time[cause];
      }
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<std::string> model_sentences(const Record& rows) {
  nlohmann::ordered_map<std::string, Errors> sides;
  for (const Record& row : rows) {
    Errors& of = sides[text(row, "side")];
    const auto error = number_if(row, "error");
    if (!error) {
      ++of.left;
      for (const Record& each : row.at("missing")) of.missing.insert(each.get<std::string>());
      continue;
    }
    ++of.rows;
    of.good += std::abs(*error) < wanted_error ? 1 : 0;
    if (of.worst == nullptr || std::abs(*error) > std::abs(number(*of.worst, "error")))
      of.worst = &row;
  }
  std::vector<std::string> all;
  for (const auto& [side, of] : sides) {
    const std::string missing = fmt::format("(missing: {})", fmt::join(of.missing, "; "));
    if (of.rows == 0) {
      all.push_back(
          fmt::format("{}: none of {} is predicted {}.", side, counted(of.left, "case"), missing));
      continue;
    }
    std::string sentence = fmt::format(
        "{}: {} of {} cases within {:.0f} % of their wall time; the worst is {:+.1f} %, {}", side,
        of.good, of.rows, 100 * wanted_error, 100 * number(*of.worst, "error"),
        text(*of.worst, "case"));
    if (of.left > 0) sentence += fmt::format("; not predicted: {} {}", of.left, missing);
    all.push_back(sentence + ".");
  }
  return all;
}

}  // namespace memstencil::compare
